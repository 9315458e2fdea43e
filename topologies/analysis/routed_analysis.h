// SPDX-License-Identifier: Apache-2.0
// What a routing algorithm makes of a network: distances as routed, and the load of every link under a
// traffic matrix. Exact, by the first option of each hop (route_forest.h).
//
//   load   flits per cycle on a link when every node sends 1 flit per cycle; the source's packets to itself
//          use no link, but in a butterfly, which they leave at another router
//   bound  the injection rate, in flits per node and cycle, at which the first link is full: 1 / max(load x
//          F), F the cycles that a flit occupies the link (1, but for narrow links). Ports bound throughput as
//          well: they take 1 flit per cycle
#pragma once

#include <vector>

#include "topologies/analysis/destination_weights.h"
#include "topologies/analysis/digit_rotations.h"
#include "topologies/analysis/distances.h"

namespace toriscope {

/// The nodes that stand for all as destinations of routes: those that no turn of a digit which maps wiring
/// and routes onto themselves takes to a smaller node.
class route_symmetry {
 public:
  /// @param cyclic_digits  topology::cyclic_digits: this number of leading digits may be turned by 1, where
  ///                       the wiring lets them
  /// @param all_turns      topology::routes_turn_with_wiring: all turns of the wiring do
  route_symmetry(const netlist& net, const digit_rotations& turns, unsigned cyclic_digits,
                 bool all_turns = false);

  const std::vector<node_id>& destinations() const { return destinations_; }
  std::uint64_t nodes_each() const { return nodes_each_; }
  /// The destination that stands for a node.
  node_id representative(node_id node) const;

 private:
  struct turned_digit {
    node_id weight;
    unsigned radix;
    unsigned turn;
  };
  std::vector<turned_digit> turned_;  ///< those with turns
  std::vector<node_id> destinations_;
  std::uint64_t nodes_each_ = 1;
};

distance_summary routed_distances_of(const netlist& net, const routing_function& routing, unsigned vcs,
                                     const route_symmetry& symmetry);

struct channel_loads {
  std::vector<double> loads;  ///< by link
  double max = 0;             ///< of the loads
  link_id busiest = no_link;  ///< a link with that load
  double mean = 0;            ///< over all links
  double bound = 0;           ///< see above; infinite when no link is used
  double ejection_max = 0;    ///< flits per cycle out of the ejection port with the most
  node_id sink = 0;           ///< a node with that port
};

/// @param symmetry  used when the matrix is uniform: all sources with the same weights and no single points
channel_loads load_channels(const netlist& net, const routing_function& routing, unsigned vcs,
                            const route_symmetry& symmetry, const traffic_matrix& traffic);

}  // namespace toriscope
