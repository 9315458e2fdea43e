// SPDX-License-Identifier: Apache-2.0
// The packets that dead links cost (docs/model.md, "Dead links"): which pairs were refused, and which packets
// were discarded where.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/word_reader.h"
#include "router/packet_sink.h"
#include "testbenches/simulation/statistics/statistic.h"
#include "topologies/netlist.h"

namespace toriscope {

class lost_packets : public packet_sink {
 public:
  void packet_received(packet_id, const packet_record&, cycle_t) override {}
  void packet_refused(packet_id id, const packet_record& record) override;
  void packet_discarded(packet_id id, const packet_record& record, node_id where, port_id wanted,
                        cycle_t discarded) override;

  void archive(state_archive& a, const netlist& wiring);

  /// All of it as words, and the words of another part of the network added (docs/ranks.md).
  std::vector<std::uint64_t> words() const;
  void add(word_reader& words);
  void forget();
  /// The run has ended before `cycle`, at most `remembered` cycles ago: what was lost since does not count.
  void forget_from(cycle_t cycle);

  /// @param flits_discarded  as the network counted them
  statistics figures(std::uint64_t flits_discarded) const;
  /// {"refused_pairs": [...], "discarded_packets": [...]}: all of them.
  nlohmann::ordered_json as_tree(const netlist& wiring) const;
  /// For people: the first 20 of either; empty when nothing was lost.
  std::string as_text(const netlist& wiring) const;

 private:
  struct refusals {
    std::uint64_t packets = 0;
    packet_id first = 0;
    cycle_t first_cycle = 0;
  };
  struct discarded_packet {
    packet_id id;
    node_id source, destination, where;
    port_id wanted;
    cycle_t created, cycle;
  };

  static constexpr cycle_t remembered = 128;

  std::uint64_t refused_ = 0;
  std::map<std::pair<node_id, node_id>, refusals> pairs_;  ///< source and destination
  std::vector<discarded_packet> discarded_;                 ///< by cycle, then by node
  /// Cycles and pairs of the last refusals.
  std::deque<std::pair<cycle_t, std::pair<node_id, node_id>>> last_refused_;
};

}  // namespace toriscope
