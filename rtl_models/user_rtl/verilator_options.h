// SPDX-License-Identifier: Apache-2.0
// What of a description goes on Verilator's command line, or into the wrapper, as it is: nothing that runs a program
// or names a file.
#pragma once

#include <string>
#include <vector>

namespace toriscope {

/// @throws std::invalid_argument one line: the option, and those that are possible
void check_verilator_options(const std::vector<std::string>& options);

/// A text without calls of the system, as in "$system(...)". @throws std::invalid_argument one line
void check_no_calls(const std::string& text);

/// The value of a parameter: an expression, a type, "'{4, 2}". @throws std::invalid_argument one line
void check_parameter_text(const std::string& text);

}  // namespace toriscope
