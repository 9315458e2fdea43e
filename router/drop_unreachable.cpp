// SPDX-License-Identifier: Apache-2.0
#include "router/drop_unreachable.h"

#include "router/router_state.h"

namespace toriscope {
namespace {

/// The packet at the front of input VC (p, v) goes nowhere. Its VC is active, so that its flits are taken as
/// those of any packet under way, but owns no output VC and never has a credit.
void drop_packet(router_state& r, unsigned i, port_id wanted, cycle_t now) {
  const router_shape n = r.shape;
  input_sets& sets = r.in_sets[n.group(i)];
  sets.to_allocate -= n.only(i);
  sets.active |= n.only(i);
  r.dropped->vcs[n.port(i)].add(n.vc(i));
  r.dropped->busy.add(n.port(i));

  network_state& network = r.network;
  const packet_id packet = network.packet_of(r.front(i));
  ++network.counters.packets_discarded;
  network.end({packet, packet_end::kind::discarded, wanted, r.node}, now);
}

}  // namespace

void drop_dead_options(router_state& r, cycle_t now) {
  for (unsigned g = 0; g < r.shape.groups; ++g) {
    for (const unsigned place : r.in_sets[g].to_allocate) {
      const unsigned i = g * 64 + place;
      input_vc& vc = r.in_vcs[i];
      route_option* const options = r.options(i);
      const port_id wanted = options[0].out_port;
      unsigned left = 0;
      for (unsigned k = 0; k < vc.option_count; ++k)
        if (!r.dropped->dead.has(options[k].out_port)) options[left++] = options[k];
      vc.option_count = static_cast<std::uint8_t>(left);
      if (left == 0) drop_packet(r, i, wanted, now);
    }
  }
}

void drop_flits(router_state& r, cycle_t now) {
  dropped_packets& unit = *r.dropped;
  for (const unsigned p : unit.busy) {
    for (const unsigned v : unit.vcs[p] & r.in_port(&input_sets::occupied, p)) {
      const unsigned i = r.shape.number(p, v);
      const flit_word f = r.pop(r.shape, i, now);
      --r.flits;
      ++r.network.counters.flits_discarded;
      unit.freed[p].add(v);
      unit.freed_ports.add(p);
      if (!f.tail()) continue;
      r.end_packet(i);
      unit.vcs[p].remove(v);
      r.network.end({r.network.packet_of(f), packet_end::kind::gone}, now);
    }
    if (!unit.vcs[p]) unit.busy.remove(p);
  }
}

void return_credits(router_state& r, cycle_t now) {
  for (const unsigned p : r.dropped->freed_ports)
    r.in[p].credits_back->send(now, {r.dropped->take_freed(p).mask()});
}

}  // namespace toriscope
