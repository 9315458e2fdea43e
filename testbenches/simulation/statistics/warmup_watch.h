// SPDX-License-Identifier: Apache-2.0
// The end of the warm-up, found from the latencies by MSER (White 1997, An effective truncation heuristic for
// bias reduction in simulation output; Franklin and White 2008): of all truncation points the one whose
// remaining values have the smallest standard error. A point in the second half does not count: then the
// series is too short. It is too short, too, when the two halves of what remains have different means (t test of
// batch means, Schruben 1982): MSER alone takes a slow rise among noise for a steady state.
//
//   use   add it to the network as a sink from cycle 0 on; ask ends_by() now and then
//   cost  two additions per packet
#pragma once

#include <algorithm>
#include <optional>

#include "router/packet_sink.h"
#include "testbenches/simulation/statistics/time_batches.h"

namespace toriscope {

/// Of a series of batches: the first one after the warm-up; nothing when the series is too short.
/// @param batches  the first N; those without a value do not count
std::optional<std::size_t> mser_truncation(const time_batches& series, std::size_t batches);

class warmup_watch final : public packet_sink {
 public:
  /// @param first_look  cycles, at least 1
  explicit warmup_watch(cycle_t first_look) : latencies_(first_look) {}

  void packet_received(packet_id, const packet_record& record, cycle_t received) override {
    while (record.created >= latencies_.duration()) latencies_.double_duration();
    latencies_.add(record.created, received - record.created);
  }

  void archive(state_archive& a) { latencies_.archive(a); }

  /// Whether the warm-up was over by cycle `now`, as far as is known then: the last packets have not arrived.
  bool ends_by(cycle_t now) const {
    const cycle_t arrived = now - now / 4;
    return mser_truncation(latencies_, latencies_.index(std::min(arrived, latencies_.duration()))).has_value();
  }

 private:
  time_batches latencies_;
};

}  // namespace toriscope
