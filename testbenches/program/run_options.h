// SPDX-License-Identifier: Apache-2.0
// The options of `toriscope run` beyond those of the network and its traffic.
#pragma once

#include "testbenches/program/run_command.h"

namespace CLI {
class App;
}

namespace toriscope {

/// Also of other commands that simulate.
void add_verdict_settings(CLI::App& run, verdict_settings& v);

struct run_choices {
  verdict_settings deadlock;
  rtl_choice rtl;
  run_outputs outputs;
  std::string link_stats;  ///< a file for one of the two tables of links
};
void add_run_options(CLI::App& run, run_choices& choices);
/// Hands them to the run.
void apply(const run_choices& choices, run_request& request);

}  // namespace toriscope
