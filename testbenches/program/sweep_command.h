// SPDX-License-Identifier: Apache-2.0
// `toriscope sweep`: a plan of many runs, on the processors of this machine or as units of a job array
// (docs/sweeps.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace toriscope {

class network_options;

/// What was typed.
struct sweep_choices {
  std::string plan;  ///< file; empty: options alone
  std::string out;
  std::string jobs;
  std::string point;
  std::string timeout;
  std::string rates, seeds, tolerance, confidence, confirm;
  bool observe = false;
  bool allow_deadlock = false;
  bool slurm = false;
  bool list = false;
  bool quiet = false;
};

void add_sweep_options(CLI::App& sweep, sweep_choices& choices);

/// @param values  of the parameters of a network: option and values
/// @returns an exit_status: check_failed when a point cannot be had
/// @throws std::invalid_argument, std::runtime_error a line
int sweep_command(const sweep_choices& choices,
                  const std::vector<std::pair<std::string, std::vector<std::string>>>& values);

}  // namespace toriscope
