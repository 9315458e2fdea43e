// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a k-ary n-cube are, and the numbers of their ports, as routing wants to know them:
// worked out once, then a few instructions each. Shared by all routing algorithms of these networks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "topologies/cubes/cube.h"
#include "topologies/cubes/dimension_order.h"

namespace toriscope {

/// The digits of a node in bit fields, dimension 0 in the lowest.
using cube_place = std::uint64_t;

class cube_places {
 public:
  /// @param ties  where both ways round an even ring are equally long
  cube_places(const cube_shape& shape, ring_ties ties);

  /// A hop in one dimension.
  struct step {
    bool plus;
    bool wraps;  ///< over the wrap link of the dimension
    bool last;   ///< to the digit wanted
    bool tie;    ///< the other way is as short
  };

  unsigned dimensions() const { return static_cast<unsigned>(dimensions_.size()); }
  /// Whether dimension d has wrap links.
  bool ring(unsigned d) const { return dimensions_[d].ring; }

  cube_place at(node_id node) const { return packed_.empty() ? node : packed_[node]; }

  /// The highest dimension in which two places differ. @pre they differ
  unsigned highest_difference(cube_place a, cube_place b) const {
    return dimension_of_bit_[63 - static_cast<unsigned>(__builtin_clzll(a ^ b))];
  }
  /// The lowest one. @pre they differ
  unsigned lowest_difference(cube_place a, cube_place b) const {
    return dimension_of_bit_[static_cast<unsigned>(__builtin_ctzll(a ^ b))];
  }
  /// `a` with the digit of `b` in dimension d.
  cube_place moved(unsigned d, cube_place a, cube_place b) const {
    const cube_place field = cube_place{dimensions_[d].mask} << dimensions_[d].shift;
    return (a & ~field) | (b & field);
  }

  /// The next hop on a shortest way in dimension d. @pre the digits differ
  step next_step(unsigned d, cube_place here, cube_place wanted) const {
    const dimension& dim = dimensions_[d];
    const unsigned from = static_cast<unsigned>(here >> dim.shift) & dim.mask;
    const unsigned to = static_cast<unsigned>(wanted >> dim.shift) & dim.mask;
    const way_round way = shortest(dim, from, to);
    const bool wraps = way.plus ? from + 1 == dim.radix : from == 0;
    const unsigned next = way.plus ? (wraps ? 0 : from + 1) : (wraps ? dim.radix : from) - 1;
    return {way.plus, wraps, next == to, way.tie};
  }

  /// Whether the way in that direction uses the wrap link. @pre the digits differ
  bool wrap_lies_ahead(unsigned d, cube_place here, cube_place wanted, bool plus) const {
    const dimension& dim = dimensions_[d];
    const unsigned from = static_cast<unsigned>(here >> dim.shift) & dim.mask;
    const unsigned to = static_cast<unsigned>(wanted >> dim.shift) & dim.mask;
    return plus ? to < from : to > from;
  }

  port_id port(node_id node, unsigned d, bool plus) const {
    const unsigned number = 2 * d + (plus ? 0 : 1);
    if (all_rings_) return static_cast<port_id>(number);
    const std::uint64_t bit = std::uint64_t{1} << number;
    return static_cast<port_id>(__builtin_popcountll(ports_of(node) & (bit - 1)));
  }
  port_id local_port(node_id node) const {
    return static_cast<port_id>(__builtin_popcountll(ports_of(node)));
  }

 private:
  struct dimension {
    unsigned shift;      ///< of its digit in a place
    std::uint32_t mask;  ///< of its digit, shifted down
    unsigned radix;
    bool ring;  ///< has wrap links
  };
  struct way_round {
    bool plus;
    bool tie;
  };

  way_round shortest(const dimension& dim, unsigned from, unsigned to) const {
    if (!dim.ring) return {to > from, false};
    if (unidirectional_) return {true, false};
    const unsigned twice = 2 * (to > from ? to - from : to + dim.radix - from);
    if (twice != dim.radix) return {twice < dim.radix, false};
    switch (ties_) {
      case ring_ties::positive:
        return {true, true};
      case ring_ties::balanced:
        // A tie is met at the first hop of a dimension only, where the digit still is the source's.
        return {from % 2 == 0, true};
      case ring_ties::nowrap:
        break;
    }
    return {to > from, true};
  }
  /// Bit 2d: the node has the + port of dimension d, bit 2d+1: the - port.
  std::uint64_t ports_of(node_id node) const { return ports_of_.empty() ? same_ports_ : ports_of_[node]; }

  std::vector<dimension> dimensions_;
  std::array<std::uint8_t, 64> dimension_of_bit_{};
  std::vector<cube_place> packed_;       ///< empty: the node number already is that
  std::vector<std::uint64_t> ports_of_;  ///< empty: the same everywhere
  std::uint64_t same_ports_ = 0;
  ring_ties ties_;
  bool unidirectional_;
  bool all_rings_ = true;
};

}  // namespace toriscope
