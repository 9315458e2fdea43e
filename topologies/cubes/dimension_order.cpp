// SPDX-License-Identifier: Apache-2.0
#include "topologies/cubes/dimension_order.h"

#include <array>

#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

class dimension_order final : public routing_function {
 public:
  dimension_order(const cube_shape& shape, ring_ties ties, unsigned vcs);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return any_ring_ ? 1 : 0; }

 private:
  struct dimension {
    unsigned shift;      ///< of its digit in a packed address
    std::uint32_t mask;  ///< of its digit, shifted down
    unsigned radix;
    bool ring;       ///< has wrap links
    vc_mask before;  ///< VCs up to the wrap hop
    vc_mask after;   ///< VCs on and after it
  };

  std::uint64_t packed(node_id node) const { return packed_.empty() ? node : packed_[node]; }
  /// Bit 2d: the node has the + port of dimension d, bit 2d+1: the - port.
  std::uint64_t ports_of(node_id node) const { return ports_of_.empty() ? same_ports_ : ports_of_[node]; }
  bool goes_plus(const dimension& dim, unsigned from, unsigned to) const;

  std::vector<dimension> dimensions_;
  std::array<std::uint8_t, 64> dimension_of_bit_{};  ///< of a packed address
  std::vector<std::uint64_t> packed_;    ///< digits in bit fields; empty: the node number already is that
  std::vector<std::uint64_t> ports_of_;  ///< empty: the same everywhere
  std::uint64_t same_ports_ = 0;
  vc_mask all_vcs_;
  ring_ties ties_;
  bool unidirectional_;
  bool any_ring_ = false;
};

dimension_order::dimension_order(const cube_shape& shape, ring_ties ties, unsigned vcs)
    : all_vcs_(all_vcs(vcs)), ties_(ties), unidirectional_(shape.unidirectional) {
  unsigned shift = 0;
  bool powers_of_two = true;
  bool same_ports = true;
  std::size_t nodes = 1;
  for (unsigned d = 0; d < shape.dimensions(); ++d) {
    const unsigned radix = shape.radix(d);
    unsigned bits = 0;
    while ((1u << bits) < radix) ++bits;
    powers_of_two = powers_of_two && (1u << bits) == radix;
    const bool ring = shape.ring(d);
    same_ports = same_ports && (ring || radix == 1);
    any_ring_ = any_ring_ || ring;
    dimensions_.push_back({shift, (1u << bits) - 1, radix, ring, ring ? vc_class(0, 2, vcs) : all_vcs_,
                           ring ? vc_class(1, 2, vcs) : all_vcs_});
    for (unsigned b = 0; b < bits; ++b) dimension_of_bit_[shift + b] = static_cast<std::uint8_t>(d);
    shift += bits;
    nodes *= radix;
    if (ring) same_ports_ |= std::uint64_t{3} << (2 * d);
  }
  if (!powers_of_two) packed_.resize(nodes);
  if (!same_ports) ports_of_.resize(nodes);
  std::vector<unsigned> at(shape.dimensions(), 0);
  for (std::size_t node = 0; node < nodes && !(powers_of_two && same_ports); ++node) {
    std::uint64_t digits = 0;
    std::uint64_t ports = 0;
    for (unsigned d = 0; d < at.size(); ++d) {
      const dimension& dim = dimensions_[d];
      digits |= std::uint64_t{at[d]} << dim.shift;
      if (dim.ring || at[d] + 1 < dim.radix) ports |= std::uint64_t{1} << (2 * d);
      if (dim.ring || at[d] > 0) ports |= std::uint64_t{2} << (2 * d);
    }
    if (!powers_of_two) packed_[node] = digits;
    if (!same_ports) ports_of_[node] = ports;
    for (unsigned d = 0; d < at.size() && ++at[d] == dimensions_[d].radix; ++d) at[d] = 0;
  }
}

bool dimension_order::goes_plus(const dimension& dim, unsigned from, unsigned to) const {
  if (!dim.ring) return to > from;
  if (unidirectional_) return true;
  const unsigned twice = 2 * (to > from ? to - from : to + dim.radix - from);
  if (twice != dim.radix) return twice < dim.radix;
  switch (ties_) {
    case ring_ties::positive:
      return true;
    case ring_ties::balanced:
      // A tie is met at the first hop of a dimension only, where the digit still is the source's.
      return from % 2 == 0;
    case ring_ties::nowrap:
      break;
  }
  return to > from;
}

unsigned dimension_order::route(const route_request& request, route_option* options) const {
  const std::uint64_t here = packed(request.node);
  const std::uint64_t wanted = packed(request.destination);
  const std::uint64_t ports = ports_of(request.node);
  if (here == wanted) {
    options[0] = {static_cast<port_id>(__builtin_popcountll(ports)), all_vcs_, 0};
    return 1;
  }
  const unsigned d = dimension_of_bit_[63 - static_cast<unsigned>(__builtin_clzll(here ^ wanted))];
  const dimension& dim = dimensions_[d];
  const unsigned from = static_cast<unsigned>(here >> dim.shift) & dim.mask;
  const unsigned to = static_cast<unsigned>(wanted >> dim.shift) & dim.mask;
  const bool plus = goes_plus(dim, from, to);
  const bool wraps = plus ? from + 1 == dim.radix : from == 0;
  const unsigned next = plus ? (wraps ? 0 : from + 1) : (wraps ? dim.radix : from) - 1;
  const bool after = wraps || (request.state & 1) != 0;
  const std::uint64_t port_bit = std::uint64_t{1} << (2 * d + (plus ? 0 : 1));
  options[0] = {static_cast<port_id>(__builtin_popcountll(ports & (port_bit - 1))),
                after ? dim.after : dim.before, next != to && after ? 1u : 0u};
  return 1;
}

}  // namespace

const char* to_string(ring_ties ties) {
  switch (ties) {
    case ring_ties::nowrap:
      return "nowrap";
    case ring_ties::positive:
      return "positive";
    case ring_ties::balanced:
      break;
  }
  return "balanced";
}

unsigned dimension_order_classes(const cube_shape& shape) {
  for (unsigned d = 0; d < shape.dimensions(); ++d)
    if (shape.ring(d)) return 2;
  return 1;
}

std::shared_ptr<const routing_function> make_dimension_order(const cube_shape& shape, ring_ties ties,
                                                             unsigned vcs) {
  return std::make_shared<dimension_order>(shape, ties, vcs);
}

}  // namespace toriscope
