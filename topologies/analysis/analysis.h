// SPDX-License-Identifier: Apache-2.0
// Everything that can be said of a network without running it. What would take too long is left out, and
// said so in `notes`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topologies/analysis/bisection.h"
#include "topologies/analysis/distances.h"
#include "topologies/analysis/path_diversity.h"
#include "topologies/analysis/routed_analysis.h"
#include "topologies/analysis/wire_density.h"
#include "topologies/analysis/wiring_counts.h"
#include "topologies/analysis/wiring_formula.h"
#include "topologies/registry.h"

namespace toriscope {

/// What is to be worked out beside degree, links and distances.
struct analysis_request {
  bool routed = true;        ///< distances as routed
  bool connectivity = true;  ///< arc connectivity
  bool partition = true;     ///< the partition bound of the bisection
  bool diversity = true;     ///< shortest paths and routes
  bool density = true;       ///< pins and wire density
};

struct network_analysis {
  node_id nodes = 0;
  terminal_id terminals = 0;
  bool has_routing = false;
  wiring_counts wiring;
  std::optional<distance_summary> shortest;
  std::optional<distance_summary> routed;
  std::optional<unsigned> arc_connectivity;
  counted_cut cut;
  std::optional<std::uint64_t> partition_bound;
  std::optional<wiring_formula> formula;
  std::optional<wire_density> density;
  std::optional<path_diversity> shortest_paths;
  std::optional<path_diversity> routes;
  std::optional<channel_loads> loads;
  std::vector<std::string> notes;  ///< what was left out, and why: a sentence each

  /// As routed, where there is a routing, as in the tables of the papers; else the shortest.
  const std::optional<distance_summary>& distances() const { return has_routing ? routed : shortest; }
  /// Degree x diameter, of distances().
  std::optional<unsigned> cost() const;
};

/// @param vcs      as the topology was made with
/// @param traffic  null: no channel loads
/// @throws std::logic_error when routing does what it may not
network_analysis analyse(const topology& network, unsigned vcs, const analysis_request& request = {},
                         const traffic_matrix& traffic = nullptr);

/// The topology with which distances and loads are worked out: 16 VCs, so that no VC rule lacks any, and the
/// rule of the options. Where that is "safe" and none is known for the routing, the paper's.
/// @throws std::invalid_argument with one line
topology make_for_analysis(const std::string& spec, topology_options options);

}  // namespace toriscope
