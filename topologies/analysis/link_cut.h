// SPDX-License-Identifier: Apache-2.0
// Arc connectivity: the least number of wires whose loss cuts the network in two, exactly. Wires count
// whichever way their links go, parallel ones each for itself (Rahman et al. 2009, Sect. 4.5).
//
// Maximum flows from one node after the other to the nodes looked at before, taken together as one: when no
// cut below the best so far parts them, they may stay together from there on. Each flow stops at the best so
// far - at first the smallest degree - so it needs that many searches, most of them over a few nodes.
#pragma once

#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

unsigned least_link_cut(const netlist& net);

/// The fewest wires that part two sets of nodes, by maximum flow. @returns by node, whether it is on the side of `to`
std::vector<bool> least_cut_between(const netlist& net, const std::vector<node_id>& from,
                                    const std::vector<node_id>& to);

}  // namespace toriscope
