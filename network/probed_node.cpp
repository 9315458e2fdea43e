// SPDX-License-Identifier: Apache-2.0
#include "network/probed_node.h"

#include <utility>

#include "topologies/wire_place.h"

namespace toriscope {

probed_node::probed_node(const sc_core::sc_module_name& name, const node_context& context,
                         router_probe& probe)
    : concentrating_node(name, context), network_(context.network), probe_(probe) {}

void probed_node::connect(const node_context& context) {
  concentrating_node::connect(context);
  wire_table& wires = context.wires;
  for (port_id p = 0; p < context.wiring.port_count(id()); ++p) {
    port_wires w;
    if (const wire_id in = wire_into(context.wiring, id(), p); in != no_wire) {
      w.in = &wires.flit(in);
      w.credits_back = wires.credit(in);
    }
    if (const wire_id out = wire_out_of(context.wiring, id(), p); out != no_wire) {
      w.out = &wires.flit(out);
      w.credits_in = wires.credit(out);
      w.flit_cycles = wire_at(context.wiring, out).flit_cycles;
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
