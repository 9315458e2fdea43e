// SPDX-License-Identifier: Apache-2.0
// Shortest distances between all pairs of nodes, exactly.
//
//   products  when every link changes one address digit, whatever the others are (meshes, tori, hypercubes),
//             distances add up digit by digit: a search in each digit is enough
//   others    breadth-first searches, 256 sources at a time, from one node of each class of digit_rotations.h
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "topologies/analysis/digit_rotations.h"
#include "topologies/netlist.h"

namespace toriscope {

/// Distances over ordered pairs of nodes.
struct distance_summary {
  unsigned diameter = 0;
  double mean_all = 0;        ///< over N^2 pairs, a node with itself included
  double mean_distinct = 0;   ///< over N(N-1) pairs
  bool connected = true;      ///< every node reaches every node; else the others are of the pairs that do
  std::vector<double> pairs;  ///< by distance: ordered pairs, exact below 2^53
};

/// Links on a shortest path to each node; ~0u where there is none.
std::vector<unsigned> distances_from(const netlist& net, node_id source);

/// Means and diameter of counted pairs. @param pairs  by distance
/// @param own  sum of the distances of nodes from themselves: their routes cross links in multistage networks
distance_summary summarise_distances(std::vector<double> pairs, double nodes, double own = 0);

/// By searches in each digit, when the network is a product of its digits.
/// @param most  steps of a digit from each of its values, all digits together; where these are more there is no answer
std::optional<distance_summary> product_distances(const netlist& net,
                                                  double most = std::numeric_limits<double>::infinity());

/// By searches. @param turns  of the same netlist
/// @param most  how often sets of up to 256 sources may go over a link; where that is not enough there is no answer
std::optional<distance_summary> searched_distances(const netlist& net, const digit_rotations& turns,
                                                   double most = std::numeric_limits<double>::infinity());

}  // namespace toriscope
