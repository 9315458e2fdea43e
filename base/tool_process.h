// SPDX-License-Identifier: Apache-2.0
// Runs a program and keeps what it says.
#pragma once

#include <string>
#include <vector>

namespace toriscope {

/// Runs a program, looked for in PATH, with standard output and error going to `log`.
/// @returns its exit status; 127 when it cannot be started, 128 + signal when it was killed
int run_tool(const std::vector<std::string>& arguments, const std::string& log);

/// The words of an environment variable, or of `otherwise` when it is not set or empty.
std::vector<std::string> words_of_environment(const char* variable, const std::string& otherwise);

}  // namespace toriscope
