// SPDX-License-Identifier: Apache-2.0
#include "topologies/cubes/cube_places.h"

#include "base/bits_for.h"

namespace toriscope {

cube_places::cube_places(const cube_shape& shape, ring_ties ties)
    : ties_(ties), unidirectional_(shape.unidirectional) {
  unsigned shift = 0;
  bool powers_of_two = true;
  bool same_ports = true;
  std::size_t nodes = 1;
  for (unsigned d = 0; d < shape.dimensions(); ++d) {
    const unsigned radix = shape.radix(d);
    const unsigned bits = bits_for(radix);
    powers_of_two = powers_of_two && (1u << bits) == radix;
    const bool ring = shape.ring(d);
    all_rings_ = all_rings_ && ring;
    same_ports = same_ports && (ring || radix == 1);
    dimensions_.push_back({shift, (1u << bits) - 1, radix, ring});
    for (unsigned b = 0; b < bits; ++b) dimension_of_bit_[shift + b] = static_cast<std::uint8_t>(d);
    shift += bits;
    nodes *= radix;
    if (ring) same_ports_ |= std::uint64_t{3} << (2 * d);
  }
  if (!powers_of_two) packed_.resize(nodes);
  if (!same_ports) ports_of_.resize(nodes);
  std::vector<unsigned> at(shape.dimensions(), 0);
  for (std::size_t node = 0; node < nodes && !(powers_of_two && same_ports); ++node) {
    cube_place digits = 0;
    std::uint64_t ports = 0;
    for (unsigned d = 0; d < at.size(); ++d) {
      const dimension& dim = dimensions_[d];
      digits |= cube_place{at[d]} << dim.shift;
      if (dim.ring || at[d] + 1 < dim.radix) ports |= std::uint64_t{1} << (2 * d);
      if (dim.ring || at[d] > 0) ports |= std::uint64_t{2} << (2 * d);
    }
    if (!powers_of_two) packed_[node] = digits;
    if (!same_ports) ports_of_[node] = ports;
    for (unsigned d = 0; d < at.size() && ++at[d] == dimensions_[d].radix; ++d) at[d] = 0;
  }
}

}  // namespace toriscope
