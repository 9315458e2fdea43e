// SPDX-License-Identifier: Apache-2.0
// Rahman et al. 2009, Sect. 5.4: what its figures, whose curves are lost, are said to show of 4096-node
// networks under seven traffic patterns; what an independent simulator found about that; and readings of what
// the paper leaves open.
//
//   latency     mean at a load at which packets hardly ever meet
//   throughput  the largest stable load, known to lie between two loads: of two networks one is higher when
//               its bracket lies above the other's, and when they overlap it cannot be decided
//   words       "far", "slightly", "significantly" have no number: only the order is judged
#pragma once

#include <string>
#include <vector>

#include "testbenches/papers/paper.h"

namespace toriscope {

struct ttn_dynamics {
  std::vector<wanted_curve> curves;
  std::vector<paper_item> items;

  /// The item needs the curve; one that several items name is measured once.
  void want(paper_item& item, wanted_curve curve);
};
ttn_dynamics ttn_dynamic_items(effort how);

}  // namespace toriscope
