// SPDX-License-Identifier: Apache-2.0
// SA of the plain pipelines, and what follows from it at once.
#pragma once

#include "router/allocation/round_robin_switch_allocation.h"

namespace toriscope {

/// Flits that win the switch leave their buffers, to be sent `ahead` cycles from now.
[[gnu::always_inline]] inline void switch_flits(router_state& r, router_shape n, cycle_t now,
                                                unsigned ahead) {
  round_robin_switch_allocation allocation(r, n);
  allocation.arbitrate_inputs();
  for (unsigned g = 0; g < n.groups; ++g)
    while (allocation.picks(g)) {
      const auto [i, o] = allocation.arbitrate_output(g);
      r.forward(n, i, o, now, ahead);
    }
}

}  // namespace toriscope
