// SPDX-License-Identifier: Apache-2.0
// Why a flit was not let go in a cycle, in words: which port and VC, and whose packet was in the way.
#pragma once

#include <string>

#include "testbenches/simulation/observation/router_observer.h"

namespace toriscope {

/// @param e  of step.fronts, or of step.buffered (`buffered`); its fate is a stall
std::string stall_text(const netlist& wiring, const router_observer& observer, const router_step& step,
                       const front_event& e, bool buffered);

}  // namespace toriscope
