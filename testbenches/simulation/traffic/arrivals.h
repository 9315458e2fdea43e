// SPDX-License-Identifier: Apache-2.0
// When packets come: Bernoulli, Poisson, constant rate or on-off, in integers.
//
//   bernoulli  in each cycle one packet with probability p, or none
//   poisson    in each cycle k packets with probability e^-p p^k / k!
//   constant   one packet every 1/p cycles, in the first cycle at or after the exact time; each node has a
//              random phase
//   on_off     bursts with a packet (not a flit) in every cycle, and gaps (on_off.h)
//
// Each random arrival draws one number per node and cycle and compares it with a table of P(more than k), so
// that an arrival can be drawn ahead: the next cycle with a packet is the next draw below the table's first
// entry.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbenches/simulation/traffic/random.h"

namespace toriscope {

enum class arrival_kind { bernoulli, poisson, constant, on_off };

const char* to_string(arrival_kind kind);
/// All kinds, in the order of the enumeration.
const std::vector<arrival_kind>& arrival_kinds();
/// One line.
const char* summary(arrival_kind kind);
/// Several lines, where one does not say it all; else empty.
const char* description(arrival_kind kind);
/// @throws std::invalid_argument that names the nearest kind
arrival_kind arrival_kind_named(const std::string& name);

class arrival_process {
 public:
  /// @param packets  mean number of packets per node and cycle, 0 .. 1, as an integer p / 2^63
  arrival_process(arrival_kind kind, std::uint64_t packets);

  arrival_kind kind() const { return kind_; }
  /// p / 2^63.
  std::uint64_t packets() const { return packets_; }
  /// Whether there are no packets at all.
  bool none() const { return more_than_.front() == 0; }

  /// Random arrivals: a draw means at least one packet when its upper 63 bits are below this.
  std::uint64_t more_than_none() const { return more_than_.front(); }
  /// Random arrivals: how many packets a draw means.
  unsigned count(std::uint64_t draw) const {
    unsigned k = 0;
    while (k < more_than_.size() && draw >> 1 < more_than_[k]) ++k;
    return k;
  }

 private:
  arrival_kind kind_;
  std::uint64_t packets_;
  std::vector<std::uint64_t> more_than_;  ///< P(more than k packets) / 2^63
};

}  // namespace toriscope
