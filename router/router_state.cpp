// SPDX-License-Identifier: Apache-2.0
#include "router/router_state.h"

#include <algorithm>

namespace toriscope {

router_state::router_state(node_id node_, unsigned ports_, network_state& network_, const router_kind& kind_,
                           unsigned local_ports)
    : network(network_),
      kind(kind_),
      in(make_array<input_unit>(network_.memory, ports_)),
      out(make_array<output_unit>(network_.memory, ports_)),
      ports(static_cast<std::uint16_t>(ports_)),
      first_local(static_cast<std::uint16_t>(ports_ - local_ports)),
      vcs(network_.config.vcs),
      node(node_) {}

void router_state::connect_input(port_id p, flit_wire& flits_in, credit_wire& credits_back) {
  input_unit& unit = in[p];
  unit.in = &flits_in;
  unit.credits_back = &credits_back;
  unit.depth = static_cast<std::uint8_t>(kind.config.depth);
  unit.vcs = make_array<input_vc>(network.memory, vcs);
  unit.options = make_array<route_option>(network.memory, vcs * network.options_per_vc);
  unit.slots = make_array<flit_word>(network.memory, vcs * kind.config.depth);
}

void router_state::connect_output(port_id p, flit_wire& flits_out, credit_wire* credits_in,
                                  unsigned flit_cycles, unsigned depth_behind) {
  output_unit& unit = out[p];
  unit.flit_cycles = static_cast<std::uint8_t>(flit_cycles);
  unit.out = &flits_out;
  unit.credits_in = credits_in;
  unit.make_vcs(network.memory, vcs, kind.config.has_output_buffers());
  unit.free = vc_set::below(vcs);
  unit.depth_behind = static_cast<std::uint8_t>(depth_behind ? depth_behind : kind.config.depth);
  for (unsigned v = 0; v < vcs; ++v) unit.credits[v] = unit.depth_behind;
}

void router_state::too_many_credits() const {
  throw invariant_violation(node, "an output VC got more credits than there are slots downstream");
}

void router_state::count_hop(flit_word head) {
  packet_record& record = network.packets[network.packet_of(head)];
  if (++record.hops > network.hop_limit)
    throw invariant_violation(node, "a packet from node " + std::to_string(record.source) + " to node " +
                                        std::to_string(record.destination) + " has crossed " +
                                        std::to_string(record.hops) +
                                        " links: the routing goes round in circles");
}

void router_state::compute_routes() {
  for (const unsigned p : to_route) {
    input_unit& unit = in[p];
    for (const unsigned v : unit.to_route) {
      const flit_word head = unit.front(v);
      const route_request request{node, static_cast<port_id>(p), static_cast<std::uint8_t>(v),
                                  network.layout.destination(head), network.layout.state(head)};
      const unsigned count = network.routing.route(request, options(p, v));
      unit.vcs[v].option_count = static_cast<std::uint8_t>(count);
      if (network.compares_queues && count > 1) choose_by_queues(request);
    }
    unit.routed |= unit.to_route;
    unit.to_route = {};
  }
  to_latch |= to_route;
  to_route = {};
}

void router_state::choose_by_queues(const route_request& request) {
  route_option* const all = options(request.in_port, request.in_vc);
  input_vc& unit = in[request.in_port].vcs[request.in_vc];
  if (dropped) {
    const unsigned live = static_cast<unsigned>(
        std::remove_if(all, all + unit.option_count,
                       [this](const route_option& o) { return dropped->dead.has(o.out_port); }) -
        all);
    unit.option_count = static_cast<std::uint8_t>(std::max(live, 1u));  // VA discards a head without any
    if (live < 2) return;
  }
  unsigned weights[routing_function::max_options];
  network.routing.weigh(request, unit.option_count, weights);
  unsigned kept = 0, least = ~0u;
  for (unsigned k = 0; k < unit.option_count; ++k) {
    const output_unit& port = out[all[k].out_port];
    unsigned queue = 0;
    for (unsigned v = 0; v < vcs && port.credits_in; ++v) queue += port.depth_behind - port.credits[v];
    if (queue * weights[k] < least) least = queue * weights[k], kept = k;
  }
  all[0] = all[kept];
  unit.option_count = 1;
}

void router_state::latch() {
  for (const unsigned p : to_latch) {
    in[p].latch();
    if (!in[p].to_allocate) continue;
    to_allocate.add(p);
    va_worthwhile = true;
  }
  to_latch = {};
}

void router_state::grant_vc(unsigned p, unsigned v, unsigned o, unsigned w, unsigned option) {
  input_unit& from = in[p];
  output_unit& to = out[o];
  from.to_allocate.remove(v);
  if (!from.to_allocate) to_allocate.remove(p);
  from.granted.add(v);
  to_latch.add(p);
  if (to.credits[w] > 0) from.with_credit.add(v);
  route_option* const all = options(p, v);
  all[0] = all[option];
  from.vcs[v].out_port = static_cast<std::uint8_t>(o);
  from.vcs[v].out_vc = static_cast<std::uint8_t>(w);

  to.free.remove(w);
  to.vcs[w].owner_port = static_cast<std::uint8_t>(p);
  to.vcs[w].owner_vc = static_cast<std::uint8_t>(v);
}

void router_state::occupy(unsigned out_port, cycle_t now) {
  output_unit& unit = out[out_port];
  busy_outputs.add(out_port);
  unit.free_from = static_cast<std::uint16_t>(now + unit.flit_cycles);
}

port_set router_state::busy_at(cycle_t now) const {
  port_set busy = busy_outputs;
  for (const unsigned p : busy_outputs) {
    const auto beyond = static_cast<std::int16_t>(static_cast<std::uint16_t>(now) - out[p].free_from);
    if (beyond >= 0) busy.remove(p);
  }
  return busy;
}

void router_state::free_drained() {
  for (const unsigned p : drained) {
    output_unit& unit = out[p];
    unit.free |= unit.drained;
    unit.draining -= unit.drained;
    unit.drained = {};
    va_worthwhile = true;
  }
  drained = {};
}

}  // namespace toriscope
