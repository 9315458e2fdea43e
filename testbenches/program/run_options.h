// SPDX-License-Identifier: Apache-2.0
// The options of `toriscope run` beyond those of the network and its traffic.
#pragma once

#include "testbenches/program/run_command.h"

namespace CLI {
class App;
}

namespace toriscope {

/// Also of other commands that simulate.
void add_deadlock_check_settings(CLI::App& run, deadlock_check_settings& v);

struct run_choices {
  deadlock_check_settings deadlock;
  rtl_choice rtl;
  run_outputs outputs;
  std::string link_stats;  ///< a file for one of the two tables of links
};
void add_run_options(CLI::App& run, run_choices& choices);
/// Hands them to the run.
void apply(const run_choices& choices, run_request& request);

}  // namespace toriscope
