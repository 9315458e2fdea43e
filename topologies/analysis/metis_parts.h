// SPDX-License-Identifier: Apache-2.0
// A graph cut into parts of the same size by METIS (Karypis, Kumar, SIAM J. Sci. Comput. 1998), so that few
// wires are cut.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/analysis/undirected_wires.h"

namespace toriscope {

/// The part of each node, 0 .. parts-1; always the same for the same seed.
/// @throws std::runtime_error when METIS finds none
std::vector<std::uint32_t> metis_parts(const undirected_wires& graph, unsigned parts, int seed);

}  // namespace toriscope
