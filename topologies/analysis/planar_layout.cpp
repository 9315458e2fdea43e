// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/planar_layout.h"

#include <algorithm>
#include <limits>

#include "topologies/analysis/digit_rotations.h"

namespace toriscope {

planar_layout::planar_layout(const netlist& net) : digits_(net.radices().size()) {
  const std::vector<node_id> weights = digit_weights(net);
  const bool flat = net.hierarchy().size() == 1;
  std::size_t end = digits_.size();  // of the level, seen from the innermost
  for (std::size_t level = net.hierarchy().size(); level-- > 0;) {
    const std::size_t count = net.hierarchy()[level].digits;
    for (std::size_t dimension = 0; dimension < count; ++dimension) {
      const std::size_t i = end - 1 - dimension;
      unsigned axis = dimension % 2;
      if (!flat && (dimension >= 2 || count == 1)) axis = extent_[1] < extent_[0] ? 1 : 0;
      digits_[i] = {weights[i], net.radices()[i], axis, extent_[axis], net.is_folded(i)};
      extent_[axis] *= net.radices()[i];
    }
    end -= count;
  }
}

planar_layout::place planar_layout::at(node_id node) const {
  unsigned position[2] = {0, 0};
  for (const axis_digit& d : digits_) position[d.axis] += place_of(d, node) * d.pitch;
  return {position[0], position[1]};
}

unsigned planar_layout::place_of(const axis_digit& d, node_id node) {
  const unsigned digit = node / d.weight % d.radix;
  if (!d.folded) return digit;
  const bool back = 2 * digit >= d.radix + d.radix % 2;  // the second half of the ring, between the first
  return back ? 2 * (d.radix - digit) - 1 : 2 * digit;
}

std::uint32_t planar_layout::length(const netlist_link& link) const {
  const place a = at(link.from), b = at(link.to);
  const auto apart = [](std::uint64_t x, std::uint64_t y) { return x > y ? x - y : y - x; };
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(apart(a.x, b.x) + apart(a.y, b.y), std::numeric_limits<std::uint32_t>::max()));
}

void set_planar_lengths(netlist& net) {
  const planar_layout layout(net);
  for (link_id l = 0; l < net.links().size(); ++l) net.link(l).length = layout.length(net.link(l));
}

}  // namespace toriscope
