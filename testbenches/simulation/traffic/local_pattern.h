// SPDX-License-Identifier: Apache-2.0
// Local traffic: destinations within a square of a x a nodes around the source's node, all with the same
// probability. Where nodes have several terminals, as many at each, these are all the terminals of the square.
//
// The square lies in the plane of node positions (a block of a nodes in each dimension where there are not
// two). The position of a node has a coordinate for each digit of a level: in a flat network its digits, in a
// hierarchical one such as the TTN the digits of all levels read together, the highest first, so that row and
// column count basic modules and nodes within them.
//
//   where    from floor((a-1)/2) positions before the source to floor(a/2) behind it, in each dimension
//   rings    a dimension whose ends are joined by a link (tori; the highest level of a TTN) wraps around
//   borders  elsewhere the square is moved inside, so that it always has a x a nodes
//   larger   than a dimension: all of that dimension
//
// With a probability below 1 the rest of the packets is uniform: the locality of communication of Dally 1990,
// Sect. III-A. Sources: the sampled squares of RDT(2,4,1), Fan and Yang, Fig. 4; Dally 1990.
#pragma once

#include <memory>
#include <vector>

#include "testbenches/simulation/traffic/traffic_pattern.h"
#include "testbenches/simulation/traffic/uniform_pattern.h"
#include "topologies/netlist.h"

namespace toriscope {

class local_pattern : public traffic_pattern {
 public:
  /// @param side          a, at least 1
  /// @param probability   of a packet to a node of the square, / 2^63; the others go to any node
  /// @param include_self  whether nodes may send to themselves
  /// @throws std::invalid_argument when there are no destinations, or levels have different numbers of digits, or
  /// nodes of terminals
  local_pattern(std::shared_ptr<const netlist> wiring, unsigned side, std::uint64_t probability,
                bool include_self);

  node_id destination(node_id source, random_stream& random) const override;
  destination_weights weights(node_id source) const override;

  /// The coordinates of a node, the most significant dimension first.
  std::vector<unsigned> position(node_id node) const;
  node_id node_at(const std::vector<unsigned>& position) const;

 private:
  struct dimension {
    unsigned size = 1;
    unsigned width = 1;  ///< of the square
    bool ring = false;
  };
  /// The first coordinate of the square around one.
  unsigned first_of(const dimension& d, unsigned coordinate) const;
  /// The terminal at a place within the square whose first coordinates are these; those of a node follow each other.
  terminal_id terminal_in_square(std::vector<unsigned> first, std::uint64_t place) const;
  void find_rings();

  std::shared_ptr<const netlist> wiring_;
  unsigned side_;
  std::uint64_t probability_;
  bool include_self_;
  uniform_pattern uniform_;
  unsigned at_each_;  ///< terminals of a node
  std::vector<dimension> dimensions_;
  std::uint64_t terminals_in_square_;
};

}  // namespace toriscope
