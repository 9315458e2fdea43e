// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/time_series.h"

#include <fmt/format.h>

namespace toriscope {

void time_series::sample(const network_counters& counters, cycle_t done) {
  if (done == begun_) return;
  const cycle_t cycles = done - begun_;
  const double node_cycles = static_cast<double>(terminals_) * static_cast<double>(cycles);
  text_ += fmt::format(
      "{},{},{},{},{},{},{}\n", begun_, cycles,
      static_cast<double>(counters.flits_created - before_.flits_created) / node_cycles,
      static_cast<double>(counters.flits_ejected - before_.flits_ejected) / node_cycles,
      counters.flits_created - counters.flits_ejected - counters.flits_discarded, packets_,
      packets_ > 0 ? fmt::to_string(static_cast<double>(latencies_) / static_cast<double>(packets_)) : "");
  begun_ = done;
  before_ = counters;
  packets_ = latencies_ = 0;
}

void time_series::packet_received(packet_id, const packet_record& record, cycle_t received) {
  ++packets_;
  latencies_ += received - record.created;
}

void time_series::archive(state_archive& a, cycle_t now) {
  cycle_t interval = interval_;
  a.number(interval);
  if (interval != interval_)
    throw std::invalid_argument("--time-step is not that of the run that saved it, " +
                                std::to_string(interval));
  a.number(begun_);
  a.require(begun_ <= now && now - begun_ < interval_, "a row of --time-series is too long");
  for (std::uint64_t network_counters::*const count : all_counters) a.number(before_.*count);
  a.number(packets_);
  a.number(latencies_);
  a.text(text_);
}

}  // namespace toriscope
