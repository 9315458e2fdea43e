// SPDX-License-Identifier: Apache-2.0
// A pipeline in 10 lines: RC and VA in one cycle, SA and ST in the next. It is single_cycle with a register between VA
// and SA.
#pragma once

#include "router/allocation/round_robin_vc_allocation.h"
#include "router/pipelines/switch_flits.h"

namespace toriscope {

inline void step_two_stage(router_state& r, router_shape n, cycle_t now) {
  r.compute_routes(n);
  r.latch(n);  // `routed` of this cycle goes on to VA, `granted` of the cycle before to SA
  if (r.dropped) drop_dead_options(r, now);
  if (r.va_worthwhile) allocate_vcs(r);
  if (r.dropped) drop_flits(r, now);
  switch_flits(r, n, now, /*ahead*/ 0);
  if (r.dropped) return_credits(r, now);
}

}  // namespace toriscope
