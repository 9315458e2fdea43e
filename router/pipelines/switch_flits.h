// SPDX-License-Identifier: Apache-2.0
// SA of the plain pipelines, and what follows from it at once.
#pragma once

#include "router/allocation/round_robin_switch_allocation.h"

namespace toriscope {

/// Flits that win the switch leave their buffers, to be sent `ahead` cycles from now.
[[gnu::always_inline]] inline void switch_flits(router_state& r, cycle_t now, unsigned ahead) {
  round_robin_switch_allocation allocation(r);
  allocation.arbitrate_inputs(r.occupied, r.busy_outputs);
  for (const unsigned o : allocation.requested()) {
    const auto [p, v] = allocation.arbitrate_output(o);
    r.forward(p, v, o, now, ahead);
  }
}

}  // namespace toriscope
