// SPDX-License-Identifier: Apache-2.0
#include "network/silence.h"

#include <map>
#include <string>
#include <utility>

namespace toriscope {
namespace {

constexpr std::size_t max_detail_lines = 16;

std::uint64_t moves_of(const std::vector<node*>& nodes, const netlist& wiring, const network_counters& c) {
  std::uint64_t moves = c.flits_injected + c.flits_ejected + c.flits_discarded;
  for (const node* n : nodes)
    for (unsigned p = 0; n && p < wiring.port_count(n->id()); ++p) moves += n->flits_sent(static_cast<port_id>(p));
  return moves;
}

/// A packet waits for time to pass, not for another one.
bool waits_for_its_time(const std::vector<node*>& nodes, const network_state& network) {
  if (!network.limited_reception || !network.gate) return false;
  for (const node* n : nodes)
    for (unsigned i = 0; n && i < n->ni_count(); ++i)
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

/// Where packets wait in node `n`; empty: nowhere.
std::string waiting_in(const node& n, const netlist& wiring, const network_state& network) {
  const std::string where = wiring.address(n.id()) + " (" + wiring.name() + "." + wiring.path(n.id()) + "): ";
  if (n.account()) {
    const node_contents here = n.account()->contents();
    if (here.packets == 0) return {};
    return where + std::to_string(here.packets) + " packets in its RTL, the oldest since cycle " +
           std::to_string(here.since) + ": " + packet_text(here.oldest, wiring, network);
  }
  if (!n.core() || n.core()->flits() == 0) return {};
  return where + std::to_string(n.core()->flits()) + " flits in the model's router";
}

}  // namespace

void foreign_contents::add(const foreign_contents& more) {
  all.flits += more.all.flits;
  all.packets += more.all.packets;
  if (more.all.packets == 0) return;
  if (all.oldest != no_packet && std::pair(all.since, node) < std::pair(more.all.since, more.node)) return;
  all.oldest = more.all.oldest;
  all.since = more.all.since;
  node = more.node;
}

void foreign_contents::append_to(std::vector<std::uint64_t>& words) const {
  words.insert(words.end(), {all.flits, all.packets, all.oldest, all.since, node});
}

foreign_contents foreign_contents::from(word_reader& words) {
  foreign_contents c;
  for (std::uint64_t* value : {&c.all.flits, &c.all.packets, &c.all.oldest, &c.all.since}) *value = words.next();
  c.node = static_cast<node_id>(words.next());
  return c;
}

foreign_contents contents_of_foreign_routers(const std::vector<node*>& nodes) {
  foreign_contents sum;
  for (const node* n : nodes)
    if (n && n->account()) sum.add({n->account()->contents(), n->id()});
  return sum;
}

std::optional<network_failure> silence_watch::look(const netlist& wiring, const std::vector<node*>& nodes,
                                                   const network_state& network, const network_counters& c,
                                                   cycle_t done, cycle_t cycles, const part_sharer& share) {
  using words_of_parts = std::vector<std::vector<std::uint64_t>>;
  const auto of_all = [&](std::vector<std::uint64_t> own) {
    return share ? share(std::move(own)) : words_of_parts{std::move(own)};
  };
  std::uint64_t under_way = 0, moves = 0;
  bool waits = false;
  for (const std::vector<std::uint64_t>& words :
       of_all({c.flits_injected - c.flits_ejected - c.flits_discarded, moves_of(nodes, wiring, c),
               waits_for_its_time(nodes, network)})) {
    under_way += words[0];
    moves += words[1];
    waits = waits || words[2] != 0;
  }
  if (moves != moves_ || under_way == 0 || waits) {
    moves_ = moves;
    since_ = done;
    return std::nullopt;
  }
  if (done - since_ < cycles) return std::nullopt;

  std::vector<std::uint64_t> own;
  contents_of_foreign_routers(nodes).append_to(own);
  for (const node* n : nodes) {
    const std::string line = n ? waiting_in(*n, wiring, network) : "";
    if (line.empty()) continue;
    own.push_back(n->id());
    append_text(own, line);
  }
  foreign_contents rtl;
  std::map<node_id, std::string> lines;
  for (const std::vector<std::uint64_t>& words : of_all(std::move(own))) {
    word_reader reader(words);
    rtl.add(foreign_contents::from(reader));
    while (reader.more()) {
      const auto n = static_cast<node_id>(reader.next());
      lines[n] = reader.text();
    }
  }
  network_failure failure;
  failure.what = network_failure::kind::deadlock;
  failure.cycle = done;
  failure.since = since_;
  failure.message = "nothing moves: up to cycle " + std::to_string(done) + " no flit has moved in " +
                    std::to_string(done - since_) + " cycles, and " + std::to_string(under_way) +
                    " flits are under way, " + std::to_string(rtl.all.flits) + " of them in RTL routers";
  if (rtl.all.packets > 0)
    failure.message += "; the oldest packet there is in node " + wiring.address(rtl.node) +
                       " since cycle " + std::to_string(rtl.all.since);
  failure.message += ": a deadlock, or a router that does not forward";
  for (const auto& [n, line] : lines) {
    failure.nodes.push_back(n);
    if (failure.detail.size() < max_detail_lines) failure.detail.push_back(line);
  }
  if (lines.size() > max_detail_lines)
    failure.detail.push_back("and in " + std::to_string(lines.size() - max_detail_lines) + " other nodes");
  return failure;
}

}  // namespace toriscope
