// SPDX-License-Identifier: Apache-2.0
// Where the program's texts go: files that appear whole or not at all, or standard output ("-").
#pragma once

#include <string>

namespace toriscope {

/// "-", and the names that the system has for it: a file opened by those would be written over by what follows.
bool is_stdout(const std::string& path);
/// Tries the path before the simulation, which may take long. Empty and standard output are fine.
/// @throws std::runtime_error
void check_writable(const std::string& path);
/// For files that cannot go where results do.
/// @param content  what the file holds, with an article
/// @throws std::invalid_argument when the path is that of standard output
void refuse_stdout(const std::string& option, const std::string& content, const std::string& path);
/// Writes `text` to the file, or to standard output; an empty path: nowhere. @throws std::runtime_error
void write_text(const std::string& path, const std::string& text);
/// @throws std::runtime_error
void write_stdout(const std::string& text);
/// Whether the name of a file ends in ".json".
bool is_json_name(const std::string& path);

}  // namespace toriscope
