// SPDX-License-Identifier: Apache-2.0
// Files of text: route tables, sources, what tools say.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace toriscope {

/// The whole of a file; empty when it cannot be read.
std::string text_of_file(const std::string& path);

/// What `write` sends to the stream becomes the file. @throws std::runtime_error "cannot write PATH"
void write_text_file(const std::string& path, const std::function<void(std::ostream&)>& write);
void write_text_file(const std::string& path, const std::string& text);

}  // namespace toriscope
