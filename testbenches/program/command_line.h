// SPDX-License-Identifier: Apache-2.0
// The command line: `toriscope [run|explain|prove|bench|list|describe] ...`.
#pragma once

#include <string>
#include <vector>

#include "testbenches/program/bench_command.h"
#include "testbenches/program/explain_command.h"
#include "testbenches/program/prove_command.h"
#include "testbenches/program/run_command.h"

namespace toriscope {

struct command {
  enum class what { nothing, run, explain, prove, bench, print } what = what::nothing;
  std::string text;     ///< print: what goes to standard output
  run_request request;  ///< run; explain: what to run; prove: what to prove
  explain_outputs explain;
  prove_outputs prove;
  bench_request bench;
};

/// @param arguments  without the program's name
/// @throws std::invalid_argument one line: what is wrong, what would be right
command parse_command_line(const std::vector<std::string>& arguments);

}  // namespace toriscope
