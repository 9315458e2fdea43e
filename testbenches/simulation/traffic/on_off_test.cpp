// SPDX-License-Identifier: Apache-2.0
// On-off arrivals against their definition: the load, geometric bursts and gaps; and a batch.
#include "testbenches/simulation/traffic/on_off.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "testbenches/simulation/traffic/batch_source.h"
#include "testbenches/simulation/traffic/synthetic_source.h"
#include "testbenches/simulation/traffic/uniform_pattern.h"

namespace toriscope::on_off_test {
namespace {

constexpr node_id nodes = 64;
constexpr cycle_t cycles = 20'000;

/// By node: the cycles of its packets.
std::vector<std::vector<cycle_t>> arrivals_of(double rate, std::uint32_t flits, double burst) {
  synthetic_source::config settings;
  settings.rate_flits_per_node_cycle = rate;
  settings.lengths = packet_lengths(flits);
  settings.arrivals = arrival_kind::on_off;
  settings.mean_burst_packets = burst;
  synthetic_source source(nodes, std::make_shared<uniform_pattern>(nodes, false), settings);
  std::vector<std::vector<cycle_t>> by_node(nodes);
  std::vector<packet_request> out;
  for (cycle_t t = 0; t < cycles; ++t) {
    out.clear();
    source.packets_at(t, out);
    for (const packet_request& r : out) by_node[r.source].push_back(t);
  }
  return by_node;
}

TEST(on_off, bursts_and_gaps_are_geometric_and_the_load_is_kept) {
  const double burst = 5;
  const double p = 0.25;  // packets per cycle
  std::map<cycle_t, double> bursts, gaps;
  double packets = 0, early = 0, count_bursts = 0, count_gaps = 0, sum_gaps = 0;
  for (const std::vector<cycle_t>& at : arrivals_of(0.5, 2, burst)) {
    packets += static_cast<double>(at.size());
    for (const cycle_t t : at) early += t < 100;
    cycle_t length = 0;  // the first burst may have begun before cycle 0, the last may go on: left out
    bool first = true;
    for (std::size_t i = 1; i < at.size(); ++i) {
      ++length;
      if (at[i] == at[i - 1] + 1) continue;
      if (!first) ++bursts[length], ++count_bursts;
      first = false;
      length = 0;
      const cycle_t gap = at[i] - at[i - 1] - 1;
      ++gaps[gap], ++count_gaps, sum_gaps += static_cast<double>(gap);
    }
  }
  EXPECT_NEAR(packets / (nodes * cycles), p, 0.01);
  EXPECT_NEAR(early / (nodes * 100), p, 0.06) << "the load is right from the start";
  EXPECT_NEAR(sum_gaps / count_gaps, burst * (1 - p) / p, 0.4);
  // Chi-square of burst lengths 1 .. 14 and longer: 14 degrees of freedom, 36.1 is the 0.1 % point.
  double chi2 = 0, rest_seen = count_bursts, rest_expected = count_bursts;
  for (cycle_t k = 1; k <= 14; ++k) {
    const double expected = count_bursts * std::pow(1 - 1 / burst, static_cast<double>(k - 1)) / burst;
    chi2 += (bursts[k] - expected) * (bursts[k] - expected) / expected;
    rest_seen -= bursts[k];
    rest_expected -= expected;
  }
  chi2 += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
  EXPECT_LT(chi2, 36.1);
  EXPECT_EQ(gaps.count(0), 0u);
}

TEST(on_off, bursts_of_one_packet_have_gaps) {
  double packets = 0;
  for (const std::vector<cycle_t>& at : arrivals_of(0.5, 1, 1)) {
    packets += static_cast<double>(at.size());
    for (std::size_t i = 1; i < at.size(); ++i) ASSERT_EQ(at[i], at[i - 1] + 2) << "on and off by turns";
  }
  EXPECT_NEAR(packets / (nodes * cycles), 0.5, 1e-3);
}

TEST(on_off, refuses_what_cannot_be) {
  EXPECT_THROW(on_off_chain(probability(0.6), 1), std::invalid_argument);
  EXPECT_THROW(on_off_chain(certain, 100), std::invalid_argument);
  EXPECT_THROW(on_off_chain(probability(0.1), 0.5), std::invalid_argument);
  EXPECT_NO_THROW(on_off_chain(probability(0.5), 1));
  EXPECT_NO_THROW(on_off_chain(0, 8));
}

TEST(batch, every_node_sends_its_packets_in_cycle_0_and_no_more) {
  batch_source::config settings;
  settings.packets_per_node = 7;
  batch_source source(5, std::make_shared<uniform_pattern>(5, false), settings);
  std::vector<packet_request> out;
  source.packets_at(0, out);
  EXPECT_EQ(out.size(), 35u);
  EXPECT_EQ(source.packets(), 35u);
  std::map<node_id, unsigned> sent;
  for (const packet_request& r : out) {
    ++sent[r.source];
    EXPECT_NE(r.source, r.destination);
  }
  for (node_id n = 0; n < 5; ++n) EXPECT_EQ(sent[n], 7u);
  // Round by round, node by node; each draws from a stream of its own.
  const uniform_pattern pattern(5, false);
  for (node_id n = 0; n < 5; ++n) {
    random_stream random(settings.seed, n);
    for (std::size_t round = 0; round < 7; ++round) {
      EXPECT_EQ(out[round * 5 + n].source, n);
      EXPECT_EQ(out[round * 5 + n].destination, pattern.destination(n, random)) << round << ' ' << n;
    }
  }
  EXPECT_EQ(source.next_packet_cycle(0), 0u);
  for (cycle_t t = 1; t < 100; ++t) source.packets_at(t, out);
  EXPECT_EQ(out.size(), 35u);
}

TEST(message_classes_drawn, all_come_equally_often_and_others_stay_as_they_are) {
  synthetic_source::config settings;
  settings.rate_flits_per_node_cycle = 1;
  settings.lengths = packet_lengths(2);
  for (const unsigned classes : {2u, 3u}) {
    settings.message_classes = classes;
    synthetic_source source(nodes, std::make_shared<uniform_pattern>(nodes, false), settings);
    std::vector<packet_request> out;
    for (cycle_t t = 0; t < 300; ++t) source.packets_at(t, out);
    std::map<unsigned, double> seen;
    for (const packet_request& r : out) ++seen[r.message_class];
    ASSERT_EQ(seen.size(), classes);
    for (const auto& [message_class, count] : seen)
      EXPECT_NEAR(count * classes / static_cast<double>(out.size()), 1, 0.06) << message_class;
  }
}

}  // namespace
}  // namespace toriscope::on_off_test
