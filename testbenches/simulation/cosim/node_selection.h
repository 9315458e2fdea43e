// SPDX-License-Identifier: Apache-2.0
// Nodes as --rtl names them.
#pragma once

#include <string>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// The nodes that patterns, separated by commas, mean, in ascending order. A pattern is matched with the
/// hierarchical names that waves show ("ttn.bm_0_0.node_1_2"; a module stands for all nodes in it), as
/// traces/wave_selection.h does it; without letters it is a node number or an address ("27", "12.03").
/// @throws std::invalid_argument one line: a pattern matches nothing; the nearest names there are
std::vector<node_id> select_nodes(const netlist& wiring, const std::string& patterns);

}  // namespace toriscope
