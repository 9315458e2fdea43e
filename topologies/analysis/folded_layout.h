// SPDX-License-Identifier: Apache-2.0
// Tori folded: the nodes of a ring stand in the order 0, k-1, 1, k-2 ..., so that its links are two pitches long, and
// one at both ends, instead of one pitch and k-1 for the wrap link.
// Source: Dally, Towles 2004, Sect. 5.2.
#pragma once

#include "topologies/netlist.h"

namespace toriscope {

/// Folds all dimensions that have wrap links: sets the lengths of all links, and where nodes are drawn.
/// @throws std::invalid_argument one line where there is no such ring, or where lengths are not those of the planar
/// layout (planar_layout.h)
void fold_layout(netlist& net);

}  // namespace toriscope
