// SPDX-License-Identifier: Apache-2.0
// The file of a run's state (docs/checkpoints.md): a line that says what it is, a line of JSON with the version of the
// program, the cycle and the configuration, then the state, and a checksum over all before it.
#pragma once

#include <string>

#include "links/flit.h"
#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

struct state_file {
  cycle_t cycle = 0;   ///< cycles done
  std::string state;   ///< of simulation::archive()
};

/// @param files  run_config::hashes_of_files() when the run read them
/// @throws std::runtime_error "cannot write PATH: reason"
void write_state_file(const std::string& path, const run_config& config, const std::string& files,
                      const state_file& saved);
/// Of a run with this configuration and these files. @throws std::invalid_argument "state PATH: ..." in one line
state_file read_state_file(const std::string& path, const run_config& config, const std::string& files);

}  // namespace toriscope
