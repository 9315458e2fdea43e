// SPDX-License-Identifier: Apache-2.0
#include "topologies/htn/htn_paths.h"

#include <algorithm>

#include "base/bits_for.h"

namespace toriscope {

htn_paths::htn_paths(const htn_shape& shape, htn_gates gates, ring_ties ties)
    : positive_(ties == ring_ties::positive), bm_{} {
  const unsigned m = shape.m;
  const unsigned dimensions = shape.dimensions();
  unsigned shift = 0;
  const auto next_axis = [&](unsigned size, bool ring, unsigned name) {
    const unsigned bits = bits_for(size);
    for (unsigned b = 0; b < bits; ++b) axis_of_bit_[shift + b] = static_cast<std::uint8_t>(name);
    shift += bits;
    return axis{shift - bits, (1u << bits) - 1, size, ring};
  };
  for (unsigned d = 0; d < 3; ++d) bm_[d] = next_axis(m, shape.bm_wraps(), d);
  bm_bits_ = shift;
  bm_mask_ = (1u << shift) - 1;

  const std::vector<htn_ring> rings = htn_rings(shape);
  rings_.resize(rings.size());
  std::uint32_t digits_of[3] = {0, 0, 0};
  for (unsigned level = 2; level <= shape.levels; ++level)
    for (unsigned d = 0; d < dimensions; ++d) {
      const unsigned ring = (level - 2) * dimensions + dimensions - 1 - d;
      rings_[ring].digit = next_axis(shape.n, true, ring);
      digits_of[d] |= rings_[ring].digit.mask << rings_[ring].digit.shift;
    }
  if (shape.kind == htn_kind::htn && gates == htn_gates::destination)
    for (std::size_t r = 0; r < rings.size(); ++r) {
      const unsigned open = rings[r].dimension == htn_y ? htn_x : htn_y;
      rings_[r].open = {bm_[open].mask << bm_[open].shift, digits_of[open]};
    }

  const bool powers_of_two = (1u << bits_for(m)) == m && (1u << bits_for(shape.n)) == shape.n;
  if (!powers_of_two) {
    std::vector<axis> axes(bm_, bm_ + 3);
    for (unsigned level = 2; level <= shape.levels; ++level)
      for (unsigned d = 0; d < dimensions; ++d)
        axes.push_back(rings_[(level - 2) * dimensions + dimensions - 1 - d].digit);
    std::size_t nodes = 1;
    for (const axis& a : axes) nodes *= a.size;
    packed_.resize(nodes);
    std::size_t node = 0;
    for (std::uint32_t& packed : packed_) {
      std::size_t rest = node++;
      for (const axis& a : axes) {
        packed |= static_cast<std::uint32_t>(rest % a.size) << a.shift;
        rest /= a.size;
      }
    }
  }

  const htn_port_map ports(shape);
  const auto packed_in_bm = [&](unsigned node) {
    return (node % m) << bm_[0].shift | (node / m % m) << bm_[1].shift | (node / m / m) << bm_[2].shift;
  };
  nearest_.resize((2 * rings.size()) << bm_bits_);
  ring_ports_.resize(nearest_.size());
  bm_ports_.resize(std::size_t{8} << bm_bits_);
  for (unsigned node = 0; node < shape.bm_nodes(); ++node) {
    const std::uint32_t here = packed_in_bm(node);
    for (unsigned d = 0; d < 3; ++d)
      for (const bool plus : {true, false})
        bm_ports_[8 * here + 2 * d + (plus ? 0 : 1)] = ports.bm_port(node, d, plus);
    bm_ports_[8 * here + 6] = static_cast<port_id>(ports.count(node));
    for (unsigned r = 0; r < rings.size(); ++r)
      for (const bool plus : {true, false}) {
        const auto nearer = [&](const htn_gate& a, const htn_gate& b) {
          return htn_bm_distance(shape, node, plus ? a.out : a.in) <
                 htn_bm_distance(shape, node, plus ? b.out : b.in);
        };
        const htn_gate& best = *std::min_element(rings[r].gates.begin(), rings[r].gates.end(), nearer);
        nearest_[table(r, plus, here)] = packed_in_bm(plus ? best.out : best.in);
        ring_ports_[table(r, plus, here)] = ports.ring_port(node, r, plus);
      }
  }
}

}  // namespace toriscope
