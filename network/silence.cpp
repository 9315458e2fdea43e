// SPDX-License-Identifier: Apache-2.0
#include "network/silence.h"

#include <string>

namespace toriscope {
namespace {

constexpr std::size_t max_detail_lines = 16;

std::uint64_t moves_of(const std::vector<node*>& nodes, const netlist& wiring, const network_counters& c) {
  std::uint64_t moves = c.flits_injected + c.flits_ejected + c.flits_discarded;
  for (const node* n : nodes)
    for (unsigned p = 0; p < wiring.port_count(n->id()); ++p) moves += n->flits_sent(static_cast<port_id>(p));
  return moves;
}

/// A packet waits for time to pass, not for another one.
bool waits_for_its_time(const std::vector<node*>& nodes, const network_state& network) {
  if (!network.limited_reception || !network.gate) return false;
  for (const node* n : nodes)
    for (unsigned i = 0; i < n->ni_count(); ++i)
      for (unsigned v = 0; v < network.config.vcs; ++v) {
        const reception_buffer& buffer = *n->ni(i).reception();
        if (buffer.occupancy(v) == 0) continue;
        const packet_id packet = buffer.packet_at(v);
        if (buffer.admitted(v) || network.gate->waits_for_queues(packet, network.packets[packet]) == 0)
          return true;
      }
  return false;
}

std::string packet_text(packet_id packet, const netlist& wiring, const network_state& network) {
  const packet_record& record = network.packets[packet];
  return "packet " + std::to_string(packet) + ", " + wiring.terminal_address(record.source) + " -> " +
         wiring.terminal_address(record.destination);
}

}  // namespace

foreign_contents contents_of_foreign_routers(const std::vector<node*>& nodes) {
  foreign_contents sum;
  for (const node* n : nodes) {
    if (!n || !n->account()) continue;
    const node_contents here = n->account()->contents();
    sum.all.flits += here.flits;
    sum.all.packets += here.packets;
    if (here.packets == 0 || (sum.all.oldest != no_packet && here.since >= sum.all.since)) continue;
    sum.all.oldest = here.oldest;
    sum.all.since = here.since;
    sum.node = n->id();
  }
  return sum;
}

std::optional<network_failure> silence_watch::look(const netlist& wiring, const std::vector<node*>& nodes,
                                                   const network_state& network, const network_counters& c,
                                                   cycle_t done, cycle_t cycles) {
  const std::uint64_t under_way = c.flits_injected - c.flits_ejected - c.flits_discarded;
  const std::uint64_t moves = moves_of(nodes, wiring, c);
  if (moves != moves_ || under_way == 0 || waits_for_its_time(nodes, network)) {
    moves_ = moves;
    since_ = done;
    return std::nullopt;
  }
  if (done - since_ < cycles) return std::nullopt;

  const foreign_contents rtl = contents_of_foreign_routers(nodes);
  network_failure failure;
  failure.what = network_failure::kind::deadlock;
  failure.cycle = done;
  failure.message = "nothing moves: up to cycle " + std::to_string(done) + " no flit has moved in " +
                    std::to_string(done - since_) + " cycles, and " + std::to_string(under_way) +
                    " flits are under way, " + std::to_string(rtl.all.flits) + " of them in RTL routers";
  if (rtl.all.packets > 0)
    failure.message += "; the oldest packet there is in node " + wiring.address(rtl.node) +
                       " since cycle " + std::to_string(rtl.all.since);
  failure.message += ": a deadlock, or a router that does not forward";
  std::size_t left_out = 0;
  for (const node* n : nodes) {
    const std::string where =
        wiring.address(n->id()) + " (" + wiring.name() + "." + wiring.path(n->id()) + ")";
    std::string line;
    if (n->account()) {
      const node_contents here = n->account()->contents();
      if (here.packets == 0) continue;
      line = where + ": " + std::to_string(here.packets) + " packets in its RTL, the oldest since cycle " +
             std::to_string(here.since) + ": " + packet_text(here.oldest, wiring, network);
    } else if (n->core() && n->core()->flits() > 0) {
      line = where + ": " + std::to_string(n->core()->flits()) + " flits in the model's router";
    } else {
      continue;
    }
    failure.nodes.push_back(n->id());
    if (failure.detail.size() < max_detail_lines)
      failure.detail.push_back(line);
    else
      ++left_out;
  }
  if (left_out > 0) failure.detail.push_back("and in " + std::to_string(left_out) + " other nodes");
  return failure;
}

}  // namespace toriscope
