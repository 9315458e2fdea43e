// SPDX-License-Identifier: Apache-2.0
#include "network/node.h"

#include <new>
#include <vector>

#include "topologies/wire_place.h"

namespace toriscope {
namespace {

/// Whose packets enter at a node.
std::vector<terminal_id> entering(const netlist& wiring, node_id node) {
  std::vector<terminal_id> list;
  for (unsigned p = wiring.local_port(node); p < wiring.port_count(node); ++p)
    if (const terminal_id t = wiring.entering(node, static_cast<port_id>(p)); t != no_terminal)
      list.push_back(t);
  return list;
}

/// Of the router that packets for the terminal leave by.
const router_config& exit_of(const node_context& c, terminal_id t) {
  return t == no_terminal ? c.kind().config : c.kinds.of(c.wiring.terminal(t).exit).config;
}

terminal_id first_entering(const netlist& wiring, node_id node) {
  if (wiring.has_plain_terminals()) return node;
  const std::vector<terminal_id> list = entering(wiring, node);
  return list.empty() ? no_terminal : list.front();
}

}  // namespace

node::interface_beside::interface_beside(terminal_id t, const node_context& c)
    : reader(c.network.memory, &c.network.wakes, c.id, c.wires.longest_reach()),
      ni(t, c.id, c.network, c.kind().config, exit_of(c, t)) {}

node::node(const sc_core::sc_module_name& name, const node_context& context, router* core)
    : sc_core::sc_module(name),
      id_(context.id),
      core_(core),
      reader_(context.network.memory, &context.network.wakes, id_, context.wires.longest_reach()),
      ni_(first_entering(context.wiring, context.id), context.id, context.network, context.kind().config,
          exit_of(context, first_entering(context.wiring, context.id))),
      has_interface_(ni_.terminal() != no_terminal) {
  arena& memory = context.network.memory;
  context.wires.make_wires_of(id_, reader_, memory);
  if (has_interface_) context.wires.make_wires_of_interface(ni_.terminal(), reader_, memory);
  if (context.wiring.has_plain_terminals()) return;
  const std::vector<terminal_id> all = entering(context.wiring, id_);
  if (all.size() < 2) return;
  more_ = static_cast<interface_beside*>(
      memory.allocate((all.size() - 1) * sizeof(interface_beside), alignof(interface_beside)));
  for (; more_count_ + 1u < all.size(); ++more_count_) {
    interface_beside* const made = new (more_ + more_count_) interface_beside(all[more_count_ + 1u], context);
    context.wires.make_wires_of_interface(made->ni.terminal(), made->reader, memory);
  }
}

network_interface& node::ni_of(terminal_id t) {
  unsigned i = 0;
  while (ni(i).terminal() != t) ++i;
  return ni(i);
}

void node::connect(const node_context& context) {
  wire_table& wires = context.wires;
  for (unsigned i = 0; i < ni_count(); ++i) {
    const std::size_t in = wires.injection(ni(i).terminal());
    const std::size_t out = wires.ejection(ni(i).terminal());
    ni(i).connect(wires.flit(in), *wires.credit(in), wires.flit(out), wires.credit(out));
  }
}

bool node::step_more(cycle_t now) {
  bool busy = false;
  for (unsigned i = 0; i < more_count_; ++i) {
    const arrival_mask shown = more_[i].reader.arrivals(now);
    if (more_[i].ni.has_work(shown)) busy |= more_[i].ni.step(now, shown);
  }
  return busy;
}

model_node::model_node(const sc_core::sc_module_name& name, const node_context& context)
    : node(name, context, &router_),
      router_(context.id, context.wiring.port_count(context.id), context.network, context.kind(),
              context.wiring.local_ports(context.id)) {}

void model_node::connect(const node_context& context) {
  node::connect(context);
  wire_table& wires = context.wires;
  for (port_id p = 0; p < context.wiring.port_count(id()); ++p) {
    if (const wire_id in = wire_into(context.wiring, id(), p); in != no_wire)
      router_.connect_input(p, wires.flit(in), *wires.credit(in));
    const wire_id out = wire_out_of(context.wiring, id(), p);
    if (out == no_wire) continue;
    const wire_place place = wire_at(context.wiring, out);
    router_.connect_output(p, wires.flit(out), wires.credit(out), place.flit_cycles,
                           context.kinds.of(place.to).config.depth);
  }
}

bool model_node::step(cycle_t now) {
  const arrival_mask shown = arrivals(now);
  const bool interface_busy = ni().has_work(shown) && ni().step(now, shown);
  const bool router_busy = router_.has_work(shown) && router_.step(now, shown);
  return interface_busy || router_busy;
}

}  // namespace toriscope
