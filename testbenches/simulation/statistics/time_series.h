// SPDX-License-Identifier: Apache-2.0
// Load, backlog and latency over time, a row for each interval of the run, warm-up and drain included.
#pragma once

#include <string>

#include "router/network_state.h"
#include "router/packet_sink.h"

namespace toriscope {

class time_series final : public packet_sink {
 public:
  /// @param interval  cycles of a row, at least 1
  time_series(cycle_t interval, std::uint64_t terminals) : interval_(interval), terminals_(terminals) {}

  /// The number of cycles done at which sample() wants to be called next.
  cycle_t next_sample() const { return begun_ + interval_; }
  /// Ends an interval. @param done  cycles done
  void sample(const network_counters& counters, cycle_t done);
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override;
  /// @param now  the next cycle  @throws damaged_state also where the interval was another one
  void archive(state_archive& a, cycle_t now);

  /// "cycle,cycles,offered,accepted,backlog_flits,packets_received,latency_mean": the first cycle of the interval and
  /// its length; flits created and flits ejected per node and cycle; flits created and not yet ejected or discarded
  /// at its end; packets received in it, and the mean of their latencies in cycles, empty where there are none.
  const std::string& csv() const { return text_; }

 private:
  const cycle_t interval_;
  const std::uint64_t terminals_;
  cycle_t begun_ = 0;
  network_counters before_{};
  std::uint64_t packets_ = 0;
  std::uint64_t latencies_ = 0;  ///< their sum
  std::string text_ = "cycle,cycles,offered,accepted,backlog_flits,packets_received,latency_mean\n";
};

}  // namespace toriscope
