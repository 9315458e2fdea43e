// SPDX-License-Identifier: Apache-2.0
// Figures of request-reply traffic: latencies of requests and of replies, and round trips, of what was
// created in the measured cycles.
#pragma once

#include "router/packet_sink.h"
#include "testbenches/simulation/statistics/integer_histogram.h"
#include "testbenches/simulation/statistics/measurement.h"
#include "testbenches/simulation/statistics/statistic.h"
#include "testbenches/simulation/traffic/round_trip_sink.h"

namespace toriscope {

class message_statistics final : public packet_sink, public round_trip_sink {
 public:
  explicit message_statistics(const measurement_config& config) : config_(config) {}

  void packet_received(packet_id, const packet_record& record, cycle_t received) override {
    if (!measured(record.created)) return;
    (record.message_class == 0 ? requests_ : replies_).add(received - record.created);
  }
  void request_created(cycle_t asked) override { unanswered_ += measured(asked); }
  void request_answered(cycle_t asked, cycle_t answered) override {
    if (!measured(asked)) return;
    --unanswered_;
    round_trips_.add(answered - asked);
  }
  void request_lost(cycle_t asked) override { unanswered_ -= measured(asked); }

  /// Reading: nothing has been counted.
  void archive(state_archive& a) {
    for (integer_histogram* h : {&requests_, &replies_, &round_trips_}) h->archive(a);
    a.number(unanswered_);
  }
  /// "requests.arrived", "requests.latency_mean", ..., "round_trip.unanswered".
  statistics figures() const;

 private:
  bool measured(cycle_t created) const {
    return created >= config_.warmup_cycles && created - config_.warmup_cycles < config_.measure_cycles;
  }

  measurement_config config_;
  integer_histogram requests_;
  integer_histogram replies_;
  integer_histogram round_trips_;
  std::uint64_t unanswered_ = 0;
};

}  // namespace toriscope
