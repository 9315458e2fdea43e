// SPDX-License-Identifier: Apache-2.0
// Vector reduction: a way over the base torus as a sum of hops in the tori of all ranks.
//
// With (a,b) the way in hops of rank r, g = (a+b)/4 and f = (a-b)/4, rounded, are the hops of rank r+1, and
// (a - 2(g+f), b - 2(g-f)) is left to rank r. `nearest` rounds to the nearest, halves toward zero, which
// gives one reduction; `cheapest` stands for all roundings up and down, among which the cheapest may be
// chosen.
//
// Source: Fan et al. 1999, Sect. 4.1; Yang et al. 1993 for the reduction.
#pragma once

#include <array>
#include <vector>

#include "topologies/rdt/rdt_shape.h"

namespace toriscope {

enum class rdt_reduction { nearest, cheapest };

/// Hops in h and v (signed) of one rank.
struct rdt_vector {
  int h = 0;
  int v = 0;
  bool is_zero() const { return h == 0 && v == 0; }
  /// Hops in all.
  unsigned hops() const { return static_cast<unsigned>((h < 0 ? -h : h) + (v < 0 ? -v : v)); }
};

/// By rank, the base torus (0) included.
using rdt_vectors = std::array<rdt_vector, rdt_max_ranks + 1>;

/// All reductions of (dx, dy) to ranks 0 .. highest; that by the nearest is the first.
std::vector<rdt_vectors> reduce_vector(int dx, int dy, unsigned highest, rdt_reduction reduction);

/// The shortest way round a ring of `size`: -size/2 + 1 .. size/2.
constexpr int rdt_shortest(unsigned offset, unsigned size) {
  return static_cast<int>(offset) - (offset > size / 2 ? static_cast<int>(size) : 0);
}

}  // namespace toriscope
