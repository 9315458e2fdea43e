// SPDX-License-Identifier: Apache-2.0
#include "network/probed_node.h"

#include <utility>

namespace toriscope {

probed_node::probed_node(const sc_core::sc_module_name& name, const node_context& context,
                         router_probe& probe)
    : concentrating_node(name, context), network_(context.network), probe_(probe) {}

void probed_node::connect(const node_context& context) {
  concentrating_node::connect(context);
  wire_table& wires = context.wires;
  for (const netlist_port& port : context.wiring.ports(id())) {
    port_wires w;
    if (port.in != no_link) {
      w.in = &wires.flit(port.in);
      w.credits_back = wires.credit(port.in);
    }
    if (port.out != no_link) {
      w.out = &wires.flit(port.out);
      w.credits_in = wires.credit(port.out);
      w.flit_cycles = context.wiring.link(port.out).flit_cycles;
    }
    ports_.push_back(w);
  }
  for (unsigned p = context.wiring.local_port(id()); p < context.wiring.port_count(id()); ++p) {
    port_wires w;
    if (const terminal_id t = context.wiring.entering(id(), static_cast<port_id>(p)); t != no_terminal) {
      w.in = &wires.flit(wires.injection(t));
      w.credits_back = wires.credit(wires.injection(t));
    }
    if (const terminal_id t = context.wiring.leaving(id(), static_cast<port_id>(p)); t != no_terminal) {
      w.out = &wires.flit(wires.ejection(t));
      w.credits_in = wires.credit(wires.ejection(t));
    }
    ports_.push_back(w);
  }
  probe_.connected(*this);
}

bool probed_node::step(cycle_t now) {
  probe_.before_step(*this, now);
  const bool busy = concentrating_node::step(now);
  return probe_.after_step(*this, now) || busy;
}

network::node_factory probe_all(router_probe& probe, network::node_factory others) {
  return [&probe, others = std::move(others)](const char* name,
                                              const node_context& context) -> std::unique_ptr<node> {
    if (others)
      if (std::unique_ptr<node> other = others(name, context)) return other;
    return std::make_unique<probed_node>(name, context, probe);
  };
}

}  // namespace toriscope
