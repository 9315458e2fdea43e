// SPDX-License-Identifier: Apache-2.0
// Rahman et al. 2009, Sect. 5.4, beyond its figures: readings of what it leaves open, and what an independent
// simulator, which shares nothing with this one, found about it.
#pragma once

#include "testbenches/papers/ttn2009_dynamics.h"

namespace toriscope {

/// What Fig. 7 (b) says of throughputs under other readings: which comes closest.
void add_ttn_readings(ttn_dynamics& all, effort how);

/// Each of its sentences, confirmed or refuted.
void add_ttn_observations(ttn_dynamics& all, effort how);

}  // namespace toriscope
