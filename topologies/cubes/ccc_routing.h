// SPDX-License-Identifier: Apache-2.0
// Minimal deterministic routing in cube-connected cycles, and its VC rule.
//
// A packet has to walk round its cycle, cross where the bits differ, and end at the destination's position. A
// shortest walk has at most three runs: one (`before`) away from the side that is crossed first, the main run
// in one direction with all the crossings (e-cube style: in the order of the positions), and one back
// (`after`). The plan is made at injection; the shortest one, on ties the main run in + direction, then the
// shorter first run.
//
// VC rule (`dateline`, 4 classes): each run has two classes, before and on and after the wrap link of the
// cycles (position n-1 to 0). In ascending order of what waits for what:
//   the run before a + main run (cycle- 0, 1)
//   the run before a - main run, and + main runs (cycle+ 0, 1; cross 0, 1)
//   - main runs, and the run after a + main run (cycle- 2, 3; cross 2, 3)
//   the run after a - main run (cycle+ 2, 3)
// Within each of them positions ascend or descend, wrapping once: no shortest walk has a run of more than n
// links. All VCs of a link are shared out to the classes that packets have there (vc_lanes.h).
//
// Route state: the run (2 bits), the direction of the main run, whether the run under way has wrapped.
// Limits: a table of n * 2^n bytes, and 4 bytes for each node.
#pragma once

#include <memory>

#include "topologies/route.h"

namespace toriscope {

/// VC classes of the rule.
inline constexpr unsigned ccc_vc_classes = 4;

/// Routing for the netlist of build_ccc(n). @param vcs  of each port, at least ccc_vc_classes
std::shared_ptr<const routing_function> make_ccc_routing(unsigned n, unsigned vcs);

}  // namespace toriscope
