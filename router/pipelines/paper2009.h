// SPDX-License-Identifier: Apache-2.0
// The two-cycle router of the papers (Rahman et al. 2009, Sect. 5; docs/model.md, "paper2009"): input VC to
// output VC buffer, output VC buffer to the next input VC; one flit each.
#pragma once

#include "router/router_state.h"

namespace toriscope {

void step_paper2009(router_state& r, cycle_t now);

}  // namespace toriscope
