// SPDX-License-Identifier: Apache-2.0
// The vectors of upper ranks that a head still has to go, packed into its route state: a field for each rank,
// as wide as the vectors in use want it, 0 for the zero vector. What is left of the base torus is not
// carried: it follows from node and destination.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "topologies/rdt/rdt_reduction.h"
#include "topologies/route.h"

namespace toriscope {

class rdt_vector_code {
 public:
  /// The next hop of a vector: h before v.
  struct hop {
    std::uint8_t direction;  ///< rdt_direction
    bool ends_ring;          ///< the hops in h, or those in v, are done
    std::uint16_t then;      ///< the field after it
  };

  /// @param used        all that will be packed
  /// @param first_bit   of the route state
  rdt_vector_code(const std::vector<rdt_vectors>& used, unsigned first_bit);

  route_state pack(const rdt_vectors& vectors) const;
  /// The bit behind the last field.
  unsigned end_bit() const { return end_bit_; }

  /// The hop in `rank` that comes next. @param state  with a vector of that rank
  const hop& next(route_state state, unsigned rank) const {
    const field& f = fields_[rank];
    return f.hops[(state >> f.shift) & f.mask];
  }
  /// The state with the field of `rank` replaced.
  route_state with(route_state state, unsigned rank, unsigned code) const {
    const field& f = fields_[rank];
    return (state & ~(f.mask << f.shift)) | (code << f.shift);
  }
  /// Bit r-1 for each rank r with a vector.
  unsigned ranks(route_state state) const {
    unsigned result = 0;
    for (unsigned rank = 1; rank <= rdt_max_ranks; ++rank)
      result |= static_cast<unsigned>((state & (fields_[rank].mask << fields_[rank].shift)) != 0)
                << (rank - 1);
    return result;
  }
  /// What the vectors make in x (low nibble) and in y (bits 8..11), modulo 16: ranks 1 and 2, as hops of
  /// higher ranks are multiples of 16.
  unsigned span(route_state state) const {
    return fields_[1].span[(state >> fields_[1].shift) & fields_[1].mask] +
           fields_[2].span[(state >> fields_[2].shift) & fields_[2].mask];
  }

 private:
  struct field {
    unsigned shift = 0;
    route_state mask = 0;
    std::map<std::pair<int, int>, std::uint16_t> codes{};
    std::vector<hop> hops{};
    std::vector<std::uint16_t> span{};
  };

  std::array<field, rdt_max_ranks + 1> fields_;
  unsigned end_bit_;
};

}  // namespace toriscope
