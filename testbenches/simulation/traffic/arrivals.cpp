// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/arrivals.h"

#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"

namespace toriscope {
namespace {

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(uint128{a} * b >> 63);
}

/// e^-x for 0 <= x <= 1, both / 2^63, by the series; off by less than 2^-57.
std::uint64_t exp_of_minus(std::uint64_t x) {
  std::uint64_t plus = certain;
  std::uint64_t minus = 0;
  std::uint64_t term = certain;
  for (unsigned k = 1; term != 0; ++k) {
    term = times(term, x) / k;
    (k % 2 ? minus : plus) += term;
  }
  return plus - minus;
}

/// P(more than k) of the Poisson distribution with mean x, k = 0, 1, 2 ...
std::vector<std::uint64_t> poisson_table(std::uint64_t x) {
  std::vector<std::uint64_t> more_than;
  std::uint64_t exactly = exp_of_minus(x);
  std::uint64_t rest = certain;
  for (unsigned k = 1; exactly > 0; ++k) {
    rest -= std::min(rest, exactly);
    more_than.push_back(rest);
    exactly = times(exactly, x) / k;
  }
  return more_than;
}

}  // namespace

const char* to_string(arrival_kind kind) {
  switch (kind) {
    case arrival_kind::bernoulli:
      return "bernoulli";
    case arrival_kind::poisson:
      return "poisson";
    case arrival_kind::constant:
      return "constant";
    case arrival_kind::on_off:
      return "on_off";
  }
  return "?";
}

const std::vector<arrival_kind>& arrival_kinds() {
  static const std::vector<arrival_kind> all = {arrival_kind::bernoulli, arrival_kind::poisson,
                                                arrival_kind::constant, arrival_kind::on_off};
  return all;
}

const char* summary(arrival_kind kind) {
  switch (kind) {
    case arrival_kind::bernoulli:
      return "in each cycle a packet with the same probability, or none";
    case arrival_kind::poisson:
      return "in each cycle a Poisson number of packets: several may come at once";
    case arrival_kind::constant:
      return "packets at even distances; the phase of each node is random";
    case arrival_kind::on_off:
      return "bursts of a packet in every cycle, --burst packets in the mean, and gaps in between";
  }
  return "?";
}

const char* description(arrival_kind kind) {
  if (kind != arrival_kind::on_off) return "";
  return "on_off  bursts of a packet in every cycle, and gaps in between\n\n"
         "A node creates one packet, not one flit, in each cycle of a burst: with packets of 16 flits a "
         "burst\n"
         "creates 16 flits per cycle, and an injection link, which passes 1 flit per cycle, needs 16 cycles "
         "for each\n"
         "packet. --burst 8 then puts 128 flits into the source queue within 8 cycles in the mean; the mean "
         "latency\n"
         "contains the wait there. Bursts and gaps are geometric, a gap has at least one cycle; the mean "
         "load is that\n"
         "of --rate.";
}

arrival_kind arrival_kind_named(const std::string& name) {
  std::vector<std::string> known;
  for (const arrival_kind kind : arrival_kinds()) {
    if (name == to_string(kind)) return kind;
    known.emplace_back(to_string(kind));
  }
  throw std::invalid_argument(unknown_name("arrival process", name, known));
}

arrival_process::arrival_process(arrival_kind kind, std::uint64_t packets)
    : kind_(kind), packets_(std::min(packets, certain)) {
  more_than_ = kind == arrival_kind::poisson ? poisson_table(packets_) : std::vector<std::uint64_t>{packets_};
}

}  // namespace toriscope
