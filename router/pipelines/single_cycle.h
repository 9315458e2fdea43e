// SPDX-License-Identifier: Apache-2.0
// RC, VA, SA and ST in one cycle (docs/model.md, "Stages").
#pragma once

#include "router/allocation/round_robin_vc_allocation.h"
#include "router/pipelines/switch_flits.h"

namespace toriscope {

[[gnu::always_inline]] inline void step_single_cycle(router_state& r, router_shape n, cycle_t now) {
  r.compute_routes(n);
  r.latch(n);
  if (r.dropped) drop_dead_options(r, now);
  if (r.va_worthwhile) allocate_vcs(r);
  r.latch(n);
  if (r.dropped) drop_flits(r, now);
  switch_flits(r, n, now, 0);
  if (r.dropped) return_credits(r, now);
}

}  // namespace toriscope
