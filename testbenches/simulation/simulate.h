// SPDX-License-Identifier: Apache-2.0
// One run in one call, without the program: what `toriscope run --json` writes, as a value. For more than that (waves,
// probes, a trace of the packets) use simulation.h.
#pragma once

#include <string>

#include "testbenches/simulation/configuration/run_config.h"
#include "testbenches/simulation/statistics/run_result.h"

namespace toriscope {

/// No SystemC kernel runs: call this as often as wanted, from any thread.
/// @param given  what the user asked for where defaults depend on other parameters
/// @throws std::invalid_argument one line with all that is wrong; also for a VC rule that is known to be cyclic
run_result simulate(const run_config& config, const explicit_parameters& given = {});

/// A configuration with what it names.
struct named_config {
  run_config config;
  explicit_parameters given;
};

/// The configuration that is the text of the file `name` (parameters.h). @throws std::invalid_argument
named_config config_from_text(const std::string& text, const std::string& name);

/// The same for a configuration file, as `toriscope run --config` reads it. @param path  "-": standard input
run_result simulate_file(const std::string& path);

}  // namespace toriscope
