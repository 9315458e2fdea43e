// SPDX-License-Identifier: Apache-2.0
// Symmetries that can be checked link by link: turning an address digit - adding a constant to it, modulo its
// radix, at all nodes - maps the wiring onto itself, port by port. What is counted for the nodes that no turn
// maps to a smaller one holds for all the others.
//
//   checked   for every digit and every divisor of its radix, over all links: nothing is taken on trust
//   not seen  symmetries that exchange digits or reflect them
#pragma once

#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

class digit_rotations {
 public:
  /// Finds the smallest turn of every digit.
  explicit digit_rotations(const netlist& net);

  /// The smallest turn of digit i (most significant first): 1 any turn, the radix itself none.
  unsigned turn(std::size_t digit) const { return turns_[digit]; }
  /// One node of each class of nodes that turns map onto each other: digit i is below turn(i).
  std::vector<node_id> representatives() const;
  /// Nodes that each representative stands for.
  std::uint64_t nodes_each() const { return nodes_each_; }

 private:
  bool maps_wiring(const netlist& net, std::size_t digit, unsigned turn) const;

  std::vector<node_id> weights_;  ///< of the digits
  std::vector<unsigned> turns_;
  std::uint64_t nodes_each_ = 1;
};

/// The value of each digit in the node number: the product of the radices behind it.
std::vector<node_id> digit_weights(const netlist& net);

}  // namespace toriscope
