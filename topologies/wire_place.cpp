// SPDX-License-Identifier: Apache-2.0
#include "topologies/wire_place.h"

#include <stdexcept>

namespace toriscope {

const char* to_string(wire_kind k) {
  static constexpr const char* names[] = {"link", "injection", "ejection"};
  return names[static_cast<std::size_t>(k)];
}

wire_place wire_at(const netlist& wiring, wire_id w) {
  if (w >= wire_count(wiring)) throw std::out_of_range("wire " + std::to_string(w));
  if (w < wiring.links().size()) {
    const netlist_link& l = wiring.links()[w];
    return {wire_kind::inter_router, l.from, l.to, l.from_port, no_terminal, l.flit_cycles};
  }
  const wire_id beyond = w - wiring.links().size();
  const terminal_id terminals = wiring.terminal_count();
  const auto t = static_cast<terminal_id>(beyond % terminals);
  const netlist_terminal at = wiring.terminal(t);
  if (beyond < terminals) return {wire_kind::injection, at.node, at.node, at.port, t, 1};
  return {wire_kind::ejection, at.exit, at.exit, at.exit_port, t, 1};
}

std::string wire_name(const netlist& wiring, wire_id w) {
  const wire_place place = wire_at(wiring, w);
  const std::string text = wiring.address(place.from) + " " + wiring.port_name(place.from, place.from_port);
  switch (place.what) {
    case wire_kind::injection:
      return text + " in";
    case wire_kind::ejection:
      return text + " out";
    default:
      return text + " -> " + wiring.address(place.to);
  }
}

}  // namespace toriscope
