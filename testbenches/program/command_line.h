// SPDX-License-Identifier: Apache-2.0
// The command line: `toriscope [run|explain|analyze|draw|prove|bench|list|describe] ...`.
#pragma once

#include <string>
#include <vector>

#include "testbenches/program/analyze_command.h"
#include "testbenches/program/bench_command.h"
#include "testbenches/program/draw_command.h"
#include "testbenches/program/explain_command.h"
#include "testbenches/program/prove_command.h"
#include "testbenches/program/run_command.h"

namespace toriscope {

struct command {
  enum class what { nothing, run, explain, analyze, draw, prove, bench, print } what = what::nothing;
  std::string text;     ///< print: what goes to standard output
  run_request request;  ///< run; explain: what to run; analyze, prove: of what
  explain_outputs explain;
  analyze_outputs analyze;
  draw_outputs draw;
  prove_outputs prove;
  bench_request bench;
};

/// @param arguments  without the program's name
/// @throws std::invalid_argument one line: what is wrong, what would be right
command parse_command_line(const std::vector<std::string>& arguments);

}  // namespace toriscope
