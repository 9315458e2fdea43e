// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/lost_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace toriscope {

void lost_packets::packet_refused(packet_id id, const packet_record& record) {
  ++refused_;
  last_refused_.push_back({record.created, {record.source, record.destination}});
  while (last_refused_.front().first + remembered <= record.created) last_refused_.pop_front();
  refusals& pair = pairs_[{record.source, record.destination}];
  if (pair.packets++ > 0) return;
  pair.first = id;
  pair.first_cycle = record.created;
}

void lost_packets::packet_discarded(packet_id id, const packet_record& record, node_id where, port_id wanted,
                                    cycle_t discarded) {
  discarded_.push_back({id, record.source, record.destination, where, wanted, record.created, discarded});
}

statistics lost_packets::figures(std::uint64_t flits_discarded) const {
  return {
      {"lost.packets_refused", "", "had no way over live links when they were created; not offered",
       refused_},
      {"lost.pairs_refused", "", "sources and destinations of these", std::uint64_t{pairs_.size()}},
      {"lost.packets_discarded", "", "found no way on over live links", std::uint64_t{discarded_.size()}},
      {"lost.flits_discarded", "flits", "given up by routers", flits_discarded},
  };
}

nlohmann::ordered_json lost_packets::as_tree(const netlist& wiring) const {
  using json = nlohmann::ordered_json;
  json tree;
  tree["refused_pairs"] = json::array();
  tree["discarded_packets"] = json::array();
  for (const auto& [pair, r] : pairs_)
    tree["refused_pairs"].push_back({{"source", wiring.terminal_address(pair.first)},
                                     {"destination", wiring.terminal_address(pair.second)},
                                     {"packets", r.packets},
                                     {"first_packet", r.first},
                                     {"first_cycle", r.first_cycle}});
  for (const discarded_packet& p : discarded_)
    tree["discarded_packets"].push_back({{"packet", p.id},
                                         {"source", wiring.terminal_address(p.source)},
                                         {"destination", wiring.terminal_address(p.destination)},
                                         {"created", p.created},
                                         {"node", wiring.address(p.where)},
                                         {"port", wiring.port_name(p.where, p.wanted)},
                                         {"cycle", p.cycle}});
  return tree;
}

std::string lost_packets::as_text(const netlist& wiring) const {
  constexpr std::size_t shown = 20;
  std::string text;
  std::size_t count = 0;
  for (const auto& [pair, r] : pairs_) {
    if (count++ == 0) text += "\nRefused, no way over live links (pair, packets, since cycle):\n";
    if (count > shown) break;
    text += fmt::format("  {} -> {}  {}  {}\n", wiring.terminal_address(pair.first),
                        wiring.terminal_address(pair.second), r.packets, r.first_cycle);
  }
  if (pairs_.size() > shown) text += fmt::format("  and {} more pairs (--json)\n", pairs_.size() - shown);
  count = 0;
  for (const discarded_packet& p : discarded_) {
    if (count++ == 0) text += "\nDiscarded at a failed link (packet, pair, where, cycle):\n";
    if (count > shown) break;
    text += fmt::format("  {}  {} -> {}  {} {}  {}\n", p.id, wiring.terminal_address(p.source),
                        wiring.terminal_address(p.destination), wiring.address(p.where),
                        wiring.port_name(p.where, p.wanted), p.cycle);
  }
  if (discarded_.size() > shown)
    text += fmt::format("  and {} more packets (--json)\n", discarded_.size() - shown);
  return text;
}

std::vector<std::uint64_t> lost_packets::words() const {
  std::vector<std::uint64_t> all{refused_, pairs_.size()};
  for (const auto& [pair, r] : pairs_)
    all.insert(all.end(), {pair.first, pair.second, r.packets, r.first, r.first_cycle});
  all.push_back(discarded_.size());
  for (const discarded_packet& p : discarded_)
    all.insert(all.end(), {p.id, p.source, p.destination, p.where, p.wanted, p.created, p.cycle});
  return all;
}

void lost_packets::add(word_reader& words) {
  refused_ += words.next();
  for (std::uint64_t left = words.next(); left > 0; --left) {
    std::pair<node_id, node_id> pair;
    pair.first = static_cast<node_id>(words.next());
    pair.second = static_cast<node_id>(words.next());
    refusals more;
    for (std::uint64_t* value : {&more.packets, &more.first, &more.first_cycle}) *value = words.next();
    refusals& known = pairs_[pair];
    const bool is_first = known.packets == 0 || more.first < known.first;
    more.packets += known.packets;
    known = is_first ? more : refusals{more.packets, known.first, known.first_cycle};
  }
  for (std::uint64_t left = words.next(); left > 0; --left) {
    discarded_packet p{};
    p.id = words.next();
    for (node_id* node : {&p.source, &p.destination, &p.where}) *node = static_cast<node_id>(words.next());
    p.wanted = static_cast<port_id>(words.next());
    p.created = words.next();
    p.cycle = words.next();
    discarded_.push_back(p);
  }
  std::stable_sort(discarded_.begin(), discarded_.end(), [](const discarded_packet& a, const discarded_packet& b) {
    return std::tie(a.cycle, a.where) < std::tie(b.cycle, b.where);
  });
}

void lost_packets::forget() {
  refused_ = 0;
  pairs_.clear();
  discarded_.clear();
  last_refused_.clear();
}

void lost_packets::forget_from(cycle_t cycle) {
  while (!discarded_.empty() && discarded_.back().cycle >= cycle) discarded_.pop_back();
  for (; !last_refused_.empty() && last_refused_.back().first >= cycle; last_refused_.pop_back()) {
    --refused_;
    const auto pair = pairs_.find(last_refused_.back().second);
    if (--pair->second.packets == 0) pairs_.erase(pair);
  }
}

void lost_packets::archive(state_archive& a, const netlist& wiring) {
  a.below(refused_, std::uint64_t{1} << 60);
  auto pair = pairs_.begin();
  for (std::size_t left = a.size(pairs_.size()); left > 0; --left) {
    std::pair<node_id, node_id> who;
    refusals lost;
    if (!a.reads()) std::tie(who, lost) = *pair++;
    a.below(who.first, wiring.terminal_count());
    a.below(who.second, wiring.terminal_count());
    for (std::uint64_t* value : {&lost.packets, &lost.first, &lost.first_cycle}) a.number(*value);
    a.require(lost.packets > 0 && lost.packets <= refused_, "a pair of terminals had no packets refused");
    if (a.reads()) pairs_[who] = lost;
  }
  discarded_.resize(a.size(discarded_.size()));
  for (discarded_packet& p : discarded_) {
    a.number(p.id);
    a.below(p.source, wiring.terminal_count());
    a.below(p.destination, wiring.terminal_count());
    a.below(p.where, wiring.node_count());
    a.below(p.wanted, wiring.port_count(p.where));
    a.number(p.created);
    a.number(p.cycle);
  }
}

}  // namespace toriscope
