// SPDX-License-Identifier: Apache-2.0
// The netlist of a network that a user has described.
//
// Nodes are numbered in the order of the file. Their names are kept where all can name modules, behind the name of
// their group: chiplet_2.cpu0; else they are node_0, node_1 ... in waves. The ports of a node stand in the
// order in which links name them; those without a name are p0, p1 ... by their number. Without a length of
// its own a link has the distance of its nodes' positions along the axes, rounded, 1 where those are not
// given; without a level, the higher one of its nodes. Delays and widths given in the file are the links' own
// (netlist::own_link_values).
#pragma once

#include <memory>

#include "topologies/custom/network_file.h"
#include "topologies/netlist.h"

namespace toriscope {

/// @throws std::invalid_argument with one line: a node with too many ports, a side of a port taken twice
std::shared_ptr<netlist> build_custom(const network_file& file);

}  // namespace toriscope
