// SPDX-License-Identifier: Apache-2.0
// Nodes as people write them.
#pragma once

#include <string_view>

#include "topologies/netlist.h"

namespace toriscope {

/// A node number ("27") or, in hierarchical networks, an address as netlist::address() writes it ("12.03").
/// @throws std::invalid_argument with one line
node_id parse_node(std::string_view text, const netlist& wiring);

/// Likewise a terminal: its number, or its address as netlist::terminal_address() writes it ("12.03.t1").
terminal_id parse_terminal(std::string_view text, const netlist& wiring);

}  // namespace toriscope
