// SPDX-License-Identifier: Apache-2.0
// On-off arrivals: a two-state Markov chain for each node. While it is on, a packet comes in every cycle;
// after each of them the burst ends with probability 1/L; while it is off, it turns on with the probability
// that makes the mean load what it should be.
//
//   bursts   geometric, L packets in the mean; gaps geometric, at least one cycle
//   load     p packets per cycle: turning on has the probability p / (L (1 - p)), which is at most 1 as long
//            as p <= L / (L + 1)
//   start    on with probability p, so that the load is right from cycle 0 on
//
// In integers, as all arrivals are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "testbenches/simulation/traffic/random.h"

namespace toriscope {

class on_off_chain {
 public:
  on_off_chain() = default;
  /// @param packets     mean number of packets per cycle p, / 2^63
  /// @param mean_burst  packets of a burst in the mean, at least 1
  /// @throws std::invalid_argument with one line, when that load cannot be had with such bursts
  on_off_chain(std::uint64_t packets, double mean_burst) : start_(packets) {
    if (!(mean_burst >= 1)) throw std::invalid_argument("burst: a burst has at least 1 packet in the mean");
    turns_off_ = std::max<std::uint64_t>(1, probability(1 / mean_burst));
    const uint128 on = packets < certain ? uint128{turns_off_} * packets / (certain - packets) : certain + 1;
    if (on > certain)
      throw std::invalid_argument(
          "burst: bursts of " + std::to_string(mean_burst) +
          " packets with gaps of at least one cycle cannot make so high a load; lower "
          "the rate, or take longer bursts or packets");
    turns_on_ = static_cast<std::uint64_t>(on);
  }

  /// The state in the first cycle.
  bool starts_on(random_stream& random) const { return random.chance(start_); }
  /// The state in the next cycle.
  bool next(bool on, random_stream& random) const {
    return on ? !random.chance(turns_off_) : random.chance(turns_on_);
  }

 private:
  std::uint64_t start_ = 0;
  std::uint64_t turns_off_ = certain;
  std::uint64_t turns_on_ = 0;
};

}  // namespace toriscope
