// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace toriscope {

/// The directory, or the one above it in which it can be made.
/// @throws std::runtime_error "cannot write PATH: reason"
void check_writable_directory(const std::string& path);

}  // namespace toriscope
