// SPDX-License-Identifier: Apache-2.0
// Routing in TTN, TESH and STTN: from Level L down to 2, the V ring, then the H ring; minimal moves (row
// first, then column) to the gates in between, and to the destination at the end.
//
// With one-way links a ring is followed in + direction, with full-duplex links the shorter way, + at a tie
// (Fig. 4 of the paper). The group of gates is chosen once per level, where the packet comes to it: the one
// whose first gate is nearest, the lowest at a tie. Ties in the rows and columns of the BM (offset 2): nowrap
// goes the way that does not use the wrap link, as the printed Fig. 4 does; positive always +. A mesh has
// none.
//
// What is decided at a node depends on the destination's address down to the first digit that differs, so a
// level's group is chosen on arrival from the level above, not where that is left. Adding a constant to one
// of the digits above the BM, at all nodes, changes no output port.
//
// Route state: bit 0 rd, the dateline bit of the ring under way; then q bits, the group; then, with ties
// positive under the rules that look at it, bmd.
//
// Source: Rahman et al. 2009, Sect. 3.1 and Fig. 4; Al Faisal, Rahman 2009, Sect. IV.
#pragma once

#include <memory>

#include "topologies/cubes/dimension_order.h"
#include "topologies/route.h"
#include "topologies/ttn/ttn_shape.h"
#include "topologies/ttn/ttn_vc_rule.h"

namespace toriscope {

/// Routing for the netlist of build_ttn(shape).
/// @param vcs  of each port, at least ttn_vc_classes(rule, shape)
/// @throws std::invalid_argument when there are too few VCs
std::shared_ptr<const routing_function> make_ttn_routing(const ttn_shape& shape, ring_ties ties,
                                                         ttn_vc_rule rule, unsigned vcs);

}  // namespace toriscope
