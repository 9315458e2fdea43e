// SPDX-License-Identifier: Apache-2.0
// The registry of traffic patterns: one place that knows them all by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "testbenches/simulation/traffic/traffic_pattern.h"
#include "topologies/netlist.h"

namespace toriscope {

struct pattern_options {
  bool include_self = false;           ///< uniform and hotspot may draw the own node
  double hot_probability = 0.05;       ///< hotspot: share of the packets that go to a hot node, 0 .. 1
  std::vector<std::string> hot_nodes;  ///< hotspot: numbers or addresses; empty: the paper's hot nodes
  unsigned local_square = 4;           ///< local: side of the square, in nodes
  double local_probability = 1;        ///< local: share of the packets that stay within the square, 0 .. 1
  bool only_self = false;              ///< all packets may stay at their node; else such a pattern is an error
};

/// A traffic pattern, in words.
struct pattern_kind {
  std::string name;         ///< "bit_reversal"
  std::string summary;      ///< one line
  std::string description;  ///< several lines
  std::string source;       ///< the paper or book
  std::unique_ptr<traffic_pattern> (*make)(std::shared_ptr<const netlist> wiring,
                                           const pattern_options& options);
};

const std::vector<pattern_kind>& pattern_kinds();

/// @throws std::invalid_argument with one line: an unknown name (and the nearest known), a network that
/// does not have the shape, a hot node that is none, a pattern with which no packet would leave its node
std::unique_ptr<traffic_pattern> make_pattern(const std::string& name, std::shared_ptr<const netlist> wiring,
                                              const pattern_options& options = {});

/// Packets that use no link, because they go to their own node.
struct self_traffic {
  node_id nodes = 0;  ///< that send to themselves only: fixed points of a permutation
  double share = 0;   ///< of all packets, 0 .. 1
};
self_traffic self_traffic_of(const traffic_pattern& pattern, const netlist& wiring);

}  // namespace toriscope
