// SPDX-License-Identifier: Apache-2.0
// A netlist cut into parts of about the same number of nodes, for simulators that share it.
//
// Where addresses have several digits, parts are ranges of nodes along them (topologies/node_ranges.h). Networks
// without such an address are partitioned by METIS.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// The part of each node, 0 .. parts-1.
/// @throws std::invalid_argument when there are more parts than nodes, or none
std::vector<std::uint32_t> cut_into_parts(const netlist& net, unsigned parts);

}  // namespace toriscope
