// SPDX-License-Identifier: Apache-2.0
#include "network/node.h"

namespace toriscope {

node::node(const sc_core::sc_module_name& name, const node_context& context, router* core)
    : sc_core::sc_module(name),
      id_(context.id),
      core_(core),
      reader_(context.network.memory, &context.network.wakes, id_, context.wires.longest_reach()),
      ni_(context.id, context.network) {
  context.wires.make_wires_of(id_, reader_, context.network.memory);
}

void node::connect(const node_context& context) {
  wire_table& wires = context.wires;
  ni_.connect(wires.flit(wires.injection(id_)), *wires.credit(wires.injection(id_)),
              wires.flit(wires.ejection(id_)), wires.credit(wires.ejection(id_)));
}

model_node::model_node(const sc_core::sc_module_name& name, const node_context& context)
    : node(name, context, &router_),
      router_(context.id, context.wiring.local_port(context.id) + 1u, context.network) {}

void model_node::connect(const node_context& context) {
  node::connect(context);
  wire_table& wires = context.wires;
  const port_range ports = context.wiring.ports(id());
  const port_id local = context.wiring.local_port(id());
  for (port_id p = 0; p < local; ++p) {
    const netlist_port& port = ports[p];
    if (port.in != no_link) router_.connect_input(p, wires.flit(port.in), *wires.credit(port.in));
    if (port.out == no_link) continue;
    router_.connect_output(p, wires.flit(port.out), wires.credit(port.out),
                           context.wiring.link(port.out).flit_cycles);
  }
  router_.connect_input(local, wires.flit(wires.injection(id())), *wires.credit(wires.injection(id())));
  router_.connect_output(local, wires.flit(wires.ejection(id())), wires.credit(wires.ejection(id())));
}

bool model_node::step(cycle_t now) {
  const arrival_mask shown = arrivals(now);
  const bool interface_busy = ni().has_work(shown) && ni().step(now, shown);
  const bool router_busy = router_.has_work(shown) && router_.step(now, shown);
  return interface_busy || router_busy;
}

}  // namespace toriscope
