// SPDX-License-Identifier: Apache-2.0
// What a network is built of, so that networks are not compared by their results alone:
//   {"nodes", "terminals", "ports": of the router that has most, the local one included, "links": full-duplex ones
//    counted once, "bisection": links across the counted cut (topologies/analysis/bisection.h), "buffer_bits": of a
//    router, on average, "link_bits": "64", or "8 to 64", "pins": bits of the links of the router that has most,
//    "bisection_bits": that the links across the cut carry in a cycle, both ways, "wire_bits": bits of all links
//    times their lengths in node pitches}
#pragma once

#include <cstddef>

#include "base/json.h"
#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

/// A result of others can name any network: of a larger one the cost is unknown.
inline constexpr std::size_t max_costed_nodes = std::size_t{1} << 16;

/// @throws std::invalid_argument one line: there is no such network, or it has more than max_costed_nodes
nlohmann::ordered_json network_cost(const run_config& config);

}  // namespace toriscope
