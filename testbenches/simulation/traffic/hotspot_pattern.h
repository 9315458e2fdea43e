// SPDX-License-Identifier: Apache-2.0
// Hot-spot traffic (Pfister and Norton 1985): with probability p to a hot node, otherwise uniform.
//
// The hot nodes, unless they are given (Rahman et al. 2009, Sect. 5.4.2):
//   hierarchical networks  the node of the source's own subnet whose digits of the two lowest levels are 0:
//                          (n5,n4)(0,0)(0,0)
//   flat networks          every dimension is cut into four parts (fewer if its radix is smaller); the
//                          central node of the source's own part, of two central coordinates the lower
// The paper leaves open whose hot node a source of a mesh or torus sends to; here it is that of its own part,
// as in the hierarchical networks. Where nodes have several terminals, as many at each, the first of the hot node is
// hot: a subnet, or part, has one hot spot as in the paper. A hot node draws its own destinations uniformly, unless
// nodes may send to themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "testbenches/simulation/traffic/traffic_pattern.h"
#include "testbenches/simulation/traffic/uniform_pattern.h"
#include "topologies/netlist.h"

namespace toriscope {

class hotspot_pattern : public traffic_pattern {
 public:
  /// @param probability   of a packet to a hot node, / 2^63
  /// @param hot_nodes     each packet to a hot node takes one of these, with equal probability; empty: the
  /// paper's
  /// @param include_self  whether nodes may send to themselves
  hotspot_pattern(std::shared_ptr<const netlist> wiring, std::uint64_t probability,
                  std::vector<node_id> hot_nodes, bool include_self);

  node_id destination(node_id source, random_stream& random) const override;
  destination_weights weights(node_id source) const override;

  /// The first terminal at the paper's hot node of a source.
  static terminal_id paper_hot_terminal(const netlist& wiring, terminal_id source);
  /// The paper's hot node of a node.
  static node_id paper_hot_node(const netlist& wiring, node_id source);

 private:
  std::shared_ptr<const netlist> wiring_;
  std::uint64_t probability_;
  std::vector<node_id> hot_nodes_;
  bool include_self_;
  uniform_pattern uniform_;
};

}  // namespace toriscope
