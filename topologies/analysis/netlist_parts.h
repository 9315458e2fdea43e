// SPDX-License-Identifier: Apache-2.0
// A netlist cut into parts of about the same number of nodes, for simulators that share it.
//
// Where addresses have several digits, the cut is along them, from the most significant on: whole modules of
// the outermost level, slabs of rows of a mesh - so that the longest links are cut. Digits are taken until no
// part is more than a fifth larger than the mean. Networks without such an address are partitioned by METIS.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// The part of each node, 0 .. parts-1.
/// @throws std::invalid_argument when there are more parts than nodes, or none
std::vector<std::uint32_t> cut_into_parts(const netlist& net, unsigned parts);

}  // namespace toriscope
