// SPDX-License-Identifier: Apache-2.0
// How many ways there are from node to node: shortest paths that the wiring has, and routes that the routing
// function lets the router choose from at run time.
//
//   shortest  paths of the least number of links, parallel links counted each for itself
//   routed    sequences of links that options lead along (of several options with the same output port the
//             first one counts); 1 for deterministic routing
#pragma once

#include <optional>

#include "topologies/analysis/digit_rotations.h"
#include "topologies/analysis/routed_analysis.h"
#include "topologies/netlist.h"

namespace toriscope {

/// Over ordered pairs of different nodes.
struct path_diversity {
  double mean = 0;
  double max = 0;
};

/// Takes nodes x links / symmetry steps. Pairs without any path count as 0.
path_diversity count_shortest_paths(const netlist& net, const digit_rotations& turns);

/// None when options can lead in circles: the number of routes has no bound.
std::optional<path_diversity> count_routes(const netlist& net, const routing_function& routing, unsigned vcs,
                                           const route_symmetry& symmetry);

}  // namespace toriscope
