// SPDX-License-Identifier: Apache-2.0
// The paths of dimension-order routing in hierarchical torus networks, for all routings that keep to its
// order: the ring that comes next, the gate where a packet leaves its BM for it, and the way there. No VCs,
// no state.
//
//   order    from Level L down, z, y, x in each level; in the BM, toward a gate or the destination, z, y, x
//   gate     of the ring's gates the nearest, the first at a tie. HTN with gates `destination`: the
//            coordinate that the gate leaves open (x for a y ring, y for an x ring) is the destination's,
//            unless a ring of that dimension is still to come; `nearest`: it is kept. Both lead to the same
//            number of hops
//   cost     a handful of instructions for each question: tables by BM node
//
// Source: Rahman et al. 2012, Sect. III.A, Fig. 2; the paper's outlet functions are given their destination,
// which `destination` makes use of.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "topologies/cubes/dimension_order.h"
#include "topologies/htn/htn.h"

namespace toriscope {

enum class htn_gates { destination, nearest };

class htn_paths {
 public:
  /// A digit of a packed address, and what joins its values: a ring, or a line (mesh BM; BM of side 2).
  struct axis {
    unsigned shift;
    std::uint32_t mask;
    unsigned size;
    bool ring;

    unsigned of(std::uint32_t address) const { return (address >> shift) & mask; }
  };
  /// A hop along an axis.
  struct step {
    bool wraps;    ///< it is the wrap hop
    bool crosses;  ///< the wrap hop is among it and those that follow on that axis
    bool last;     ///< of that axis
    unsigned to;   ///< value of the axis after it
  };
  /// Two values of an axis.
  struct leg {
    unsigned from, to;
    bool plus;  ///< the way to go: the shorter one, at a tie as `ties` say
    bool tie;   ///< both ways are equally long
  };

  htn_paths(const htn_shape& shape, htn_gates gates, ring_ties ties);

  unsigned bm_bits() const { return bm_bits_; }
  /// The digits of a node in bit fields, x of the BM lowest.
  std::uint32_t packed(node_id node) const { return packed_.empty() ? node : packed_[node]; }
  std::uint32_t in_bm(std::uint32_t address) const { return address & bm_mask_; }
  bool same_bm(std::uint32_t a, std::uint32_t b) const { return ((a ^ b) & ~bm_mask_) == 0; }

  unsigned rings() const { return static_cast<unsigned>(rings_.size()); }
  /// Index in htn_rings() of the ring that a packet takes next; the addresses differ above the BM.
  unsigned next_ring(std::uint32_t here, std::uint32_t to) const {
    return axis_of_bit_[31 - static_cast<unsigned>(__builtin_clz(here ^ to))];
  }
  const axis& ring_axis(unsigned ring) const { return rings_[ring].digit; }
  /// Dimension of the BM that a packet moves in next; the addresses differ in the BM.
  unsigned next_dimension(std::uint32_t here, std::uint32_t to) const {
    return axis_of_bit_[31 - static_cast<unsigned>(__builtin_clz((here ^ to) & bm_mask_))];
  }
  const axis& bm_axis(unsigned dimension) const { return bm_[dimension]; }

  leg between(const axis& along, std::uint32_t here, std::uint32_t to) const {
    const unsigned from = along.of(here);
    const unsigned wanted = along.of(to);
    const bool ahead = wanted > from;
    if (!along.ring) return {from, wanted, ahead, false};
    const unsigned twice = 2 * (ahead ? wanted - from : wanted + along.size - from);
    const bool tie = twice == along.size;
    return {from, wanted, tie ? ahead || positive_ : twice < along.size, tie};
  }
  static step step_of(const axis& along, const leg& l, bool plus) {
    const bool wraps = along.ring && (plus ? l.from + 1 == along.size : l.from == 0);
    const unsigned next = plus ? (wraps ? 0 : l.from + 1) : (wraps ? along.size : l.from) - 1;
    return {wraps, plus ? l.to < l.from : l.to > l.from, next == l.to, next};
  }

  /// The BM node where the packet leaves for the ring.
  std::uint32_t gate(unsigned ring, bool plus, std::uint32_t here, std::uint32_t to) const {
    const std::uint32_t nearest = nearest_[table(ring, plus, here)];
    const open_coordinate& open = rings_[ring].open;
    return ((here ^ to) & open.digits) != 0 ? nearest : (nearest & ~open.bits) | (to & open.bits);
  }

  port_id bm_port(std::uint32_t here, unsigned dimension, bool plus) const {
    return bm_ports_[8 * in_bm(here) + 2 * dimension + (plus ? 0 : 1)];
  }
  /// BM nodes that packets from a BM node leave by for the ring: one, or one for each value of the open coordinate.
  std::vector<std::uint32_t> gates(unsigned ring, bool plus, std::uint32_t here) const {
    const std::uint32_t open = rings_[ring].open.bits;
    std::vector<std::uint32_t> found;
    for (unsigned value = 0; value < (open == 0 ? 1 : bm_[0].size); ++value)
      found.push_back(gate(ring, plus, here, (here & ~open) | (open & ~(open - 1)) * value));
    return found;
  }

  port_id ring_port(std::uint32_t here, unsigned ring, bool plus) const {
    return ring_ports_[table(ring, plus, here)];
  }
  port_id local_port(std::uint32_t here) const { return bm_ports_[8 * in_bm(here) + 6]; }

 private:
  /// The coordinate that gates leave open: its bits in the BM, and the digits of rings that will set it.
  struct open_coordinate {
    std::uint32_t bits = 0;
    std::uint32_t digits = ~std::uint32_t{0};
  };
  struct ring_table {
    axis digit;
    open_coordinate open;
  };

  std::size_t table(unsigned ring, bool plus, std::uint32_t here) const {
    return (std::size_t{2 * ring + (plus ? 0u : 1u)} << bm_bits_) | in_bm(here);
  }

  unsigned bm_bits_ = 0;
  std::uint32_t bm_mask_ = 0;
  bool positive_;
  axis bm_[3];
  std::vector<ring_table> rings_;
  std::array<std::uint8_t, 32> axis_of_bit_{};  ///< ring, or dimension of the BM
  std::vector<std::uint32_t> packed_;           ///< by node; empty: the node number already is that
  std::vector<std::uint32_t> nearest_;          ///< gates, by ring, way and BM node
  std::vector<port_id> bm_ports_;
  std::vector<port_id> ring_ports_;
};

}  // namespace toriscope
