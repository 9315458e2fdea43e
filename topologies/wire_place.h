// SPDX-License-Identifier: Apache-2.0
// The wires of a network by number (docs/model.md, "Hashes"): the links of the netlist 0 .. L-1, then the
// injection links by terminal, then the ejection links by terminal. Where each of them is, and what it is called.
#pragma once

#include <cstddef>
#include <string>

#include "topologies/netlist.h"

namespace toriscope {

using wire_id = std::size_t;
inline constexpr wire_id no_wire = ~wire_id{0};

enum class wire_kind {
  inter_router,  ///< a link of the netlist
  injection,     ///< from the network interface of a terminal to its router
  ejection,      ///< back
};
/// "link", "injection", "ejection".
const char* to_string(wire_kind k);

struct wire_place {
  wire_kind what = wire_kind::inter_router;
  node_id from = 0;
  node_id to = 0;            ///< the same node for injection and ejection
  port_id from_port = 0;     ///< of the router; injection: the local port, which the wire leads to
  terminal_id terminal = no_terminal;  ///< of injection and ejection
  unsigned flit_cycles = 1;  ///< F, cycles in which a flit occupies the wire
};

inline std::size_t wire_count(const netlist& wiring) {
  return wiring.links().size() + 2 * std::size_t{wiring.terminal_count()};
}
inline wire_id injection_wire(const netlist& wiring, terminal_id t) { return wiring.links().size() + t; }
inline wire_id ejection_wire(const netlist& wiring, terminal_id t) {
  return wiring.links().size() + wiring.terminal_count() + t;
}

/// The wire that leads into (out of) port `p` of the router, a local port or one of links; no_wire: none does.
inline wire_id wire_into(const netlist& wiring, node_id n, port_id p) {
  if (wiring.is_local(n, p)) {
    const terminal_id t = wiring.entering(n, p);
    return t == no_terminal ? no_wire : injection_wire(wiring, t);
  }
  const link_id l = wiring.ports(n)[p].in;
  return l == no_link ? no_wire : l;
}
inline wire_id wire_out_of(const netlist& wiring, node_id n, port_id p) {
  if (wiring.is_local(n, p)) {
    const terminal_id t = wiring.leaving(n, p);
    return t == no_terminal ? no_wire : ejection_wire(wiring, t);
  }
  const link_id l = wiring.ports(n)[p].out;
  return l == no_link ? no_wire : l;
}

/// @throws std::out_of_range
wire_place wire_at(const netlist& wiring, wire_id w);

/// "33 x+ -> 34", "33 local in", "33 local out", by addresses.
std::string wire_name(const netlist& wiring, wire_id w);

}  // namespace toriscope
