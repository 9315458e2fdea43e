// SPDX-License-Identifier: Apache-2.0
// A network like the HTN, for tests: basic modules that are 3-D tori, joined by a 2-D torus of modules at
// gate nodes (Rahman et al. 2012, Sect. II; gates and VC rule are ours).
//
//   nodes     address digits Y X z y x; 3 x 3 modules of 3 x 3 x 3 nodes
//   routing   Y ring, then X ring; within a module z, y, x; from gate to gate on the way
//   VC rule   6 VCs: 2c + d, with c the rings between modules used so far (0..2) and d the dateline of the
//             ring within the module; c never falls, so that the order of classes is that of the way
#pragma once

#include "topologies/registry.h"

namespace toriscope {

/// `wiring` and `routing`; for 6 VCs.
topology make_hierarchical_torus();

}  // namespace toriscope
