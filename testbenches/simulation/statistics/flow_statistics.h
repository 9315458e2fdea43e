// SPDX-License-Identifier: Apache-2.0
// Figures of each flow (docs/flows.md): of the packets that were created in the measured cycles; accepted: of
// those that were received in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/word_reader.h"
#include "router/packet_sink.h"
#include "testbenches/simulation/statistics/integer_histogram.h"
#include "testbenches/simulation/statistics/statistic.h"
#include "testbenches/simulation/traffic/flow_source.h"

namespace toriscope {

class flow_statistics final : public packet_sink {
 public:
  /// @param flows, source  outlive this; the window is that of the source
  flow_statistics(const std::vector<flow>& flows, flow_source& source, cycle_t first, cycle_t cycles);

  void packet_received(packet_id id, const packet_record& record, cycle_t received) override;
  void packet_refused(packet_id id, const packet_record&) override { source_.take(id); }
  /// Until then it is under way, and a state has its flow.
  void packet_gone(packet_id id, const packet_record&, cycle_t) override { source_.take(id); }

  const std::vector<flow>& flows() const { return flows_; }

  /// What was counted, as words, and those of another part of the network added.
  std::vector<std::uint64_t> words() const;
  void add(word_reader& words);
  void forget() { counts_.assign(flows_.size(), {}); }

  /// Reading: nothing has been counted.
  void archive(state_archive& a);

  /// Of all flows together: how many there are, how many have a bound, and how many miss it.
  statistics figures() const;
  /// A list of objects, a flow each. @param cycles  of the run
  /// @param limits  by flow: the busiest link or port on its routes, by name
  nlohmann::ordered_json as_tree(cycle_t cycles, const std::vector<std::string>& limits) const;

 private:
  struct counts {
    std::uint64_t accepted_flits = 0;
    std::uint64_t late = 0;  ///< packets above the bound
    integer_histogram latency;
  };
  bool all_arrived(std::size_t f) const { return counts_[f].latency.count() == offered(f).packets; }
  /// It has a bound, and packets to judge it by.
  bool is_judged(std::size_t f) const { return flows_[f].latency_bound > 0 && offered(f).packets > 0; }
  bool is_met(std::size_t f) const { return all_arrived(f) && counts_[f].late == 0; }
  const flow_source::offered_load& offered(std::size_t f) const {
    return source_.offered(static_cast<flow_source::flow_number>(f));
  }

  const std::vector<flow>& flows_;
  flow_source& source_;
  const cycle_t first_;
  const cycle_t cycles_;
  std::vector<counts> counts_;
};

/// The list as a table for people: a line for each flow.
std::string flow_table(const nlohmann::ordered_json& list);

}  // namespace toriscope
