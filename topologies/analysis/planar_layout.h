// SPDX-License-Identifier: Apache-2.0
// A place in the plane for every node: subnets inside subnets, level by level. In each level the last digit
// counts columns, the one before it rows; of further digits every other one does, or, in networks with
// several levels, each goes along the axis that is shorter so far (a 4x4x4 module is four 4x4 planes in a
// row), and so does the only digit of a level (groups of a dragonfly stand below each other). A folded ring
// (folded_layout.h) has its nodes in the order 0, k-1, 1, k-2 ...
// Source: Dally 1990, Sect. III: n/2 logical dimensions in each of the two physical ones.
#pragma once

#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

class planar_layout {
 public:
  explicit planar_layout(const netlist& net);

  struct place {
    unsigned x;
    unsigned y;
  };
  place at(node_id node) const;
  /// Between the places of its ends, along x and along y, in node pitches; at most 2^32 - 1.
  std::uint32_t length(const netlist_link& link) const;
  unsigned width() const { return extent_[0]; }
  unsigned height() const { return extent_[1]; }

  /// Whether digit i (most significant first) counts rows.
  bool is_vertical(std::size_t digit) const { return digits_[digit].axis == 1; }
  /// Of nodes that differ in digit i alone, the number of this one along their axis: the digit, but in a folded ring.
  unsigned place_along(std::size_t digit, node_id node) const { return place_of(digits_[digit], node); }
  /// How far apart nodes are whose places of digit i differ by 1.
  unsigned pitch(std::size_t digit) const { return digits_[digit].pitch; }

 private:
  struct axis_digit {
    node_id weight;  ///< in the node number
    unsigned radix;
    unsigned axis;   ///< 0: x, 1: y
    unsigned pitch;  ///< along it
    bool folded;
  };
  static unsigned place_of(const axis_digit& d, node_id node);

  std::vector<axis_digit> digits_;
  unsigned extent_[2] = {1, 1};
};

/// Of all links.
void set_planar_lengths(netlist& net);

}  // namespace toriscope
