// SPDX-License-Identifier: Apache-2.0
#include "router/router_state.h"

#include <algorithm>

namespace toriscope {

router_state::router_state(node_id node_, unsigned ports_, network_state& network_, const router_kind& kind_,
                           unsigned local_ports, unsigned inputs)
    : shape(router_shape::of(ports_, network_.config.vcs, network_.near_wires)),
      network(network_),
      kind(kind_),
      in_sets(make_array<input_sets>(network_.memory, shape.groups)),
      out_sets(make_array<output_sets>(network_.memory, shape.groups)),
      in(make_array<input_unit>(network_.memory, ports_)),
      out(make_array<output_unit>(network_.memory, ports_)),
      owners(make_array<vc_numbers>(network_.memory, ports_ * shape.groups)),
      credits(make_array<std::uint16_t>(network_.memory, ports_ * shape.slice())),
      out_vcs(make_array<output_vc>(network_.memory, ports_ * shape.slice())),
      in_vcs(make_array<input_vc>(network_.memory, ports_ * shape.slice())),
      slots(make_array<flit_word>(network_.memory,
                                  inputs * network_.config.vcs * vc_buffer::slots_for(kind_.config.depth))),
      depth(static_cast<std::uint16_t>(kind_.config.depth)),
      slot_mask(static_cast<std::uint16_t>(vc_buffer::slots_for(depth) - 1)),
      ports(static_cast<std::uint16_t>(ports_)),
      first_local(static_cast<std::uint16_t>(ports_ - local_ports)),
      node(node_),
      vcs(network_.config.vcs),
      all_options(
          make_array<route_option>(network_.memory, ports_ * shape.slice() * network_.options_per_vc)) {
  for (unsigned g = 0; g < shape.groups; ++g) in_sets[g].behind_pointer = vc_numbers(~std::uint64_t{0});
  for (unsigned o = 0; o < ports; ++o) out[o].sa_last = static_cast<std::uint16_t>(shape.groups * 64 - 1);
  if (kind.config.has_output_buffers())
    out_buffers = make_array<flit_word>(network_.memory, ports_ * shape.slice());
}

void router_state::connect_input(port_id p, flit_wire& flits_in, credit_wire& credits_back) {
  in[p] = {&flits_in, &credits_back};
  for (unsigned v = 0; v < vcs; ++v)
    in_vcs[shape.number(p, v)].first_slot =
        static_cast<std::uint16_t>((inputs_wired * vcs + v) * (slot_mask + 1u));
  ++inputs_wired;
}

void router_state::connect_output(port_id p, flit_wire& flits_out, credit_wire* credits_in,
                                  unsigned flit_cycles, unsigned depth_behind) {
  output_unit& unit = out[p];
  unit.flit_cycles = static_cast<std::uint8_t>(flit_cycles);
  if (flit_cycles > 1) plain = false;
  unit.out = &flits_out;
  unit.credits_in = credits_in;
  unit.depth_behind = static_cast<std::uint8_t>(depth_behind ? depth_behind : kind.config.depth);
  unit.plain_credits = unit.depth_behind;
  if (kind.config.vc_reallocation == vc_reallocation::atomic) --unit.plain_credits;
  for (unsigned v = 0; v < vcs; ++v) {
    const unsigned j = shape.number(p, v);
    out_sets[shape.group(j)].free |= shape.only(j);
    credits[j] = unit.depth_behind;
  }
}

port_set router_state::occupied_ports() const {
  port_set found;
  for (unsigned g = 0; g < shape.groups; ++g)
    for (const unsigned place : in_sets[g].occupied) found.add(shape.port(g * 64 + place));
  return found;
}

void router_state::count_hop(flit_word head) {
  const packet_id packet = network.packet_of(head);
  if (dropped && !network.packets.has(packet))  // of a state that was altered
    throw invariant_violation(node, "the head of a packet arrived that has been given up");
  packet_record& record = network.packets[packet];
  if (++record.hops > network.hop_limit)
    throw invariant_violation(node, "a packet from node " + std::to_string(record.source) + " to node " +
                                        std::to_string(record.destination) + " has crossed " +
                                        std::to_string(record.hops) +
                                        " links: the routing goes round in circles");
}

void router_state::take_end(router_shape n, unsigned i, flit_word f) {
  input_sets& sets = in_sets[n.group(i)];
  if (f.tail())
    sets.open -= n.only(i);
  else
    sets.open |= n.only(i);
  if (!f.head()) return;
  if (in_vcs[i].buffer.size() == 1) sets.to_route |= n.only(i);
  if (n.port(i) < first_local) count_hop(f);
}

void router_state::take_last_credit(unsigned j) {
  if (credits[j] > out[shape.port(j)].depth_behind)
    throw invariant_violation(node, "an output VC got more credits than there are slots downstream");
  output_sets& sets = out_sets[shape.group(j)];
  if (!((sets.draining - sets.full) & shape.only(j))) return;
  sets.drained |= shape.only(j);
  has_drained = true;
}

void router_state::reject(unsigned i, flit_word f) const {
  if (in_vcs[i].buffer.size() == depth)
    throw invariant_violation(node, "a flit arrived for a full VC buffer");
  throw invariant_violation(node, f.head() ? "a head arrived within another packet of its VC"
                                           : "a body flit arrived without its head");
}

void router_state::compute_routes_of(unsigned group) {
  input_sets& sets = in_sets[group];
  for (const unsigned place : sets.to_route) {
    const unsigned i = group * 64 + place;
    const flit_word head = front(i);
    const route_request request{node, static_cast<port_id>(shape.port(i)),
                                static_cast<std::uint8_t>(shape.vc(i)), network.layout.destination(head),
                                network.layout.state(head)};
    const unsigned count = network.routing.route(request, options(i));
    in_vcs[i].option_count = static_cast<std::uint8_t>(count);
    if (network.compares_queues && count > 1) choose_by_queues(request, i);
  }
  sets.routed |= sets.to_route;
  sets.to_route = {};
}

void router_state::choose_by_queues(const route_request& request, unsigned i) {
  route_option* const all = options(i);
  input_vc& unit = in_vcs[i];
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
    const unsigned o = all[k].out_port;
    unsigned queue = 0;
    for (unsigned v = 0; v < vcs && out[o].credits_in; ++v) queue += out[o].depth_behind - credits_of(o, v);
    if (queue * weights[k] < least) least = queue * weights[k], kept = k;
  }
  all[0] = all[kept];
  unit.option_count = 1;
}

void router_state::end_packet(unsigned i) {
  input_sets& sets = in_sets[shape.group(i)];
  sets.active -= shape.only(i);
  sets.with_credit -= shape.only(i);
  if (!in_vcs[i].buffer.empty()) sets.to_route |= shape.only(i);  // take_flit() lets only a head follow
}

/// The owner of an output VC has sent its tail.
void router_state::release_output_vc(unsigned j) {
  output_sets& sets = out_sets[shape.group(j)];
  if (kind.config.vc_reallocation == vc_reallocation::non_atomic || !out[shape.port(j)].credits_in) {
    sets.free |= shape.only(j);
    va_worthwhile = true;
  } else {
    sets.draining |= shape.only(j);
  }
}

/// What more a head and a tail have to do.
flit_word router_state::read_out_end(unsigned i, flit_word f) {
  if (f.tail()) {
    const unsigned j = in_vcs[i].output;
    owners[shape.port(j) * shape.groups + shape.group(i)] -= shape.only(i);
    release_output_vc(j);
    end_packet(i);
  }
  return f.head() ? network.layout.with_state(f, options(i)->state) : f;
}

vc_set router_state::forward_beside(unsigned p, unsigned o, cycle_t now) {
  occupy(o, now);
  return dropped ? dropped->take_freed(p) : vc_set{};
}

void router_state::occupy(unsigned out_port, cycle_t now) {
  output_unit& unit = out[out_port];
  if (unit.flit_cycles == 1) return;
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
  for (unsigned g = 0; g < shape.groups; ++g) {
    output_sets& sets = out_sets[g];
    sets.free |= sets.drained;
    sets.draining -= sets.drained;
    sets.drained = {};
  }
  va_worthwhile = true;
  has_drained = false;
}

}  // namespace toriscope
