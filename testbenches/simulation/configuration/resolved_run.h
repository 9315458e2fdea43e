// SPDX-License-Identifier: Apache-2.0
// From a configuration to its network as a value: the topology with its delays, widths and dead links, and
// the configuration in which nothing is left to defaults, which a result carries as "config".
#pragma once

#include <string>
#include <vector>

#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

/// @param paths  of the parameters that the user named
explicit_parameters explicit_among(const std::vector<std::string>& paths);

/// The configuration with the defaults of the router that follow from what the user named.
run_config with_router_defaults(run_config config, const explicit_parameters& given);

struct resolved_run {
  run_config config;
  topology network;
};

/// @param node_limit  of topology_options
/// @throws std::invalid_argument one line with all that is wrong
resolved_run resolve(const run_config& config, const explicit_parameters& given = {},
                     std::size_t node_limit = max_nodes);

}  // namespace toriscope
