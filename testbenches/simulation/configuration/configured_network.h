// SPDX-License-Identifier: Apache-2.0
// From a configuration to its network as a value: the topology with its delays, widths and dead links, and
// the configuration with all that was left to defaults resolved - what a result carries as "config".
#pragma once

#include <string>
#include <vector>

#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

/// Sets defaults that depend on what else was asked for.
/// @param given  paths of the parameters that somebody named
explicit_parameters resolve_defaults(run_config& config, const std::vector<std::string>& given);

/// Makes the network and sets names, dead links and re-grant rule in `config`, which it also completes.
/// @throws std::invalid_argument one line with all that is wrong
topology make_configured_network(run_config& config, const explicit_parameters& given);

}  // namespace toriscope
