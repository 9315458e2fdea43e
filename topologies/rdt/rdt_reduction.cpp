// SPDX-License-Identifier: Apache-2.0
#include "topologies/rdt/rdt_reduction.h"

namespace toriscope {

namespace {

/// sum / 4, and what else it may be rounded to.
struct quarters {
  int nearest;  ///< halves toward zero
  int other;    ///< on the other side; the same when there is no remainder
};

quarters quarters_of(int sum) {
  const int sign = sum < 0 ? -1 : 1;
  const int whole = sum / 4;  // toward zero
  const int rest = sign * (sum % 4);
  if (rest == 0) return {whole, whole};
  return rest == 3 ? quarters{whole + sign, whole} : quarters{whole, whole + sign};
}

void reduce(unsigned rank, rdt_vector way, unsigned highest, bool all, rdt_vectors& so_far,
            std::vector<rdt_vectors>& found) {
  if (rank == highest) {
    so_far[rank] = way;
    found.push_back(so_far);
    return;
  }
  const quarters g = quarters_of(way.h + way.v);
  const quarters f = quarters_of(way.h - way.v);
  for (const int of_h : {g.nearest, g.other}) {
    for (const int of_v : {f.nearest, f.other}) {
      so_far[rank] = {way.h - 2 * (of_h + of_v), way.v - 2 * (of_h - of_v)};
      reduce(rank + 1, {of_h, of_v}, highest, all, so_far, found);
      if (!all || f.other == f.nearest) break;
    }
    if (!all || g.other == g.nearest) break;
  }
}

}  // namespace

std::vector<rdt_vectors> reduce_vector(int dx, int dy, unsigned highest, rdt_reduction reduction) {
  std::vector<rdt_vectors> found;
  rdt_vectors so_far{};
  reduce(0, {dx, dy}, highest, reduction == rdt_reduction::cheapest, so_far, found);
  return found;
}

}  // namespace toriscope
