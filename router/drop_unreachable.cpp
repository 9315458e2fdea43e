// SPDX-License-Identifier: Apache-2.0
#include "router/drop_unreachable.h"

#include "router/router_state.h"

namespace toriscope {
namespace {

/// The packet at the front of input VC (p, v) goes nowhere. Its VC is active, so that its flits are taken as
/// those of any packet under way, but owns no output VC and never has a credit.
void drop_packet(router_state& r, unsigned p, unsigned v, port_id wanted, cycle_t now) {
  input_unit& in = r.in[p];
  in.to_allocate.remove(v);
  if (!in.to_allocate) r.to_allocate.remove(p);
  in.active.add(v);
  r.dropped->vcs[p].add(v);
  r.dropped->busy.add(p);

  network_state& network = r.network;
  const packet_id packet = network.packet_of(in.front(v));
  ++network.counters.packets_discarded;
  for (packet_sink* sink : network.sinks)
    sink->packet_discarded(packet, network.packets[packet], r.node, wanted, now);
}

}  // namespace

void drop_dead_options(router_state& r, cycle_t now) {
  for (const unsigned p : r.to_allocate) {
    for (const unsigned v : r.in[p].to_allocate) {
      input_vc& vc = r.in[p].vcs[v];
      route_option* const options = r.options(p, v);
      const port_id wanted = options[0].out_port;
      unsigned left = 0;
      for (unsigned k = 0; k < vc.option_count; ++k)
        if (!r.dropped->dead.has(options[k].out_port)) options[left++] = options[k];
      vc.option_count = static_cast<std::uint8_t>(left);
      if (left == 0) drop_packet(r, p, v, wanted, now);
    }
  }
}

void drop_flits(router_state& r, cycle_t now) {
  dropped_packets& unit = *r.dropped;
  for (const unsigned p : unit.busy) {
    input_unit& in = r.in[p];
    for (const unsigned v : unit.vcs[p] & in.occupied) {
      const flit_word f = in.pop(v, static_cast<std::uint32_t>(now));
      --r.flits;
      ++r.network.counters.flits_discarded;
      unit.freed[p].add(v);
      unit.freed_ports.add(p);
      if (!f.tail()) continue;
      unit.vcs[p].remove(v);
      if (in.to_route) r.to_route.add(p);
      r.network.packets.retire(r.network.packet_of(f));
    }
    if (!in.occupied) r.occupied.remove(p);
    if (!unit.vcs[p]) unit.busy.remove(p);
  }
}

void return_credits(router_state& r, cycle_t now) {
  for (const unsigned p : r.dropped->freed_ports) r.in[p].credits_back->send(now, {r.dropped->take_freed(p).mask()});
}

}  // namespace toriscope
