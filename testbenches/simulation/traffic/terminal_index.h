// SPDX-License-Identifier: Apache-2.0
// A terminal as a router and an index among the router's terminals: patterns of digits choose the router and keep the
// index. Only for networks whose routers all have as many terminals.
#pragma once

#include <string>

#include "topologies/netlist.h"

namespace toriscope {

/// Terminals at each router; 0: routers differ in their number.
unsigned terminals_at_each(const netlist& wiring);
/// The same. @throws std::invalid_argument "WHAT needs ..." where routers differ
unsigned require_equal_terminals(const netlist& wiring, const std::string& what);

inline unsigned index_of(const netlist& wiring, terminal_id t) {
  const netlist_terminal place = wiring.terminal(t);
  return static_cast<unsigned>(place.port - wiring.local_port(place.node));
}
inline terminal_id terminal_at(const netlist& wiring, node_id router, unsigned index) {
  return wiring.entering(router, static_cast<port_id>(wiring.local_port(router) + index));
}

}  // namespace toriscope
