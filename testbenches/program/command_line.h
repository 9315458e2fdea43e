// SPDX-License-Identifier: Apache-2.0
// The command line, `toriscope COMMAND ...`: an entry for each command.
#pragma once

#include <string>
#include <vector>

namespace toriscope {

/// Does what the command line asks for.
/// @param arguments  without the program's name
/// @returns an exit_status
/// @throws std::exception one line: what is wrong, what would be right
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace toriscope
