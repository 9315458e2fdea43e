// SPDX-License-Identifier: Apache-2.0
// Packets told by hand, figures worked out on paper.
#include "testbenches/measure/measurement.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toriscope {
namespace {

packet_record packet(cycle_t created, cycle_t head_sent, std::uint32_t hops) {
  packet_record record;
  record.created = created;
  record.head_sent = head_sent;
  record.hops = hops;
  return record;
}

statistic::value_type value(const measurement& m, const std::string& name) {
  for (const statistic& s : m.figures())
    if (s.name == name) return s.value;
  ADD_FAILURE() << "no figure " << name;
  return 0.0;
}
double number(const measurement& m, const std::string& name) { return std::get<double>(value(m, name)); }
std::uint64_t count(const measurement& m, const std::string& name) {
  return std::get<std::uint64_t>(value(m, name));
}

/// Warm-up 100, 200 cycles measured, 4 nodes.
measurement of_the_window() { return measurement({100, 200, 1000}, 4, nullptr); }

traffic_counts counts(cycle_t cycle, std::uint64_t created, std::uint64_t ejected, std::uint64_t packets,
                      std::vector<std::uint64_t> links = {}) {
  return {cycle, created, ejected, packets, std::move(links)};
}

TEST(measurement, hand_computed_figures) {
  measurement m = of_the_window();
  m.packet_received(0, packet(99, 99, 9), 150);  // created before the window
  m.begin(counts(100, 1000, 900, 50, {10, 0, 7}));
  m.packet_received(1, packet(100, 102, 2), 120);  // 20, in the network 18; batch 0
  m.packet_received(2, packet(109, 109, 4), 139);  // 30, 30; batch 0
  m.packet_received(3, packet(110, 111, 3), 145);  // 35, 34; batch 1
  m.end(counts(300, 1080, 978, 54, {110, 50, 7}));
  EXPECT_FALSE(m.complete());
  m.packet_received(4, packet(299, 310, 1), 354);  // 55, 44; batch 19
  m.packet_received(5, packet(300, 300, 1), 400);  // created after the window
  EXPECT_TRUE(m.complete());

  EXPECT_DOUBLE_EQ(number(m, "offered"), 80.0 / 4 / 200);
  EXPECT_DOUBLE_EQ(number(m, "accepted"), 78.0 / 4 / 200);
  EXPECT_TRUE(std::get<bool>(value(m, "stable")));
  EXPECT_EQ(count(m, "packets"), 4u);
  EXPECT_EQ(count(m, "packets_arrived"), 4u);
  EXPECT_DOUBLE_EQ(number(m, "latency.mean"), 35.0);
  EXPECT_DOUBLE_EQ(number(m, "latency.network_mean"), 31.5);
  EXPECT_EQ(count(m, "latency.min"), 20u);
  EXPECT_EQ(count(m, "latency.p50"), 30u);
  EXPECT_EQ(count(m, "latency.p90"), 55u);
  EXPECT_EQ(count(m, "latency.max"), 55u);
  EXPECT_DOUBLE_EQ(number(m, "hops.mean"), 2.5);
  // batch means 25, 35, 55: mean 38.33, variance (177.8 + 11.1 + 277.8) / 2 = 233.3; sqrt(233.3 / 3)
  EXPECT_NEAR(number(m, "latency.standard_error"), std::sqrt(700.0 / 9), 1e-12);
  EXPECT_EQ(m.wire_flits(), (std::vector<std::uint64_t>{100, 50, 0}));
  EXPECT_EQ(m.window_cycles(), 200u);
}

TEST(measurement, unstable_when_too_little_is_accepted) {
  for (const std::uint64_t ejected : {94u, 95u}) {
    measurement m = of_the_window();
    m.begin(counts(100, 0, 0, 0));
    m.end(counts(300, 100, ejected, 0));
    EXPECT_EQ(std::get<bool>(value(m, "stable")), ejected == 95);
  }
}

TEST(measurement, unstable_when_a_packet_is_missing) {
  measurement m = of_the_window();
  m.begin(counts(100, 0, 0, 0));
  m.packet_received(0, packet(100, 100, 1), 110);
  m.end(counts(300, 100, 100, 2));
  EXPECT_FALSE(std::get<bool>(value(m, "stable")));
  EXPECT_EQ(count(m, "packets"), 2u);
  EXPECT_EQ(count(m, "packets_arrived"), 1u);
}

TEST(measurement, unstable_when_the_window_was_cut_short) {
  measurement m = of_the_window();
  m.begin(counts(100, 0, 0, 0));
  m.end(counts(299, 0, 0, 0));
  EXPECT_FALSE(m.stable());
}

TEST(measurement, tells_when_the_last_measured_packet_has_come) {
  measurement m = of_the_window();
  int told = 0;
  m.when_complete([&] { ++told; });
  m.begin(counts(100, 0, 0, 0));
  m.packet_received(0, packet(150, 150, 1), 160);
  m.end(counts(300, 2, 1, 2));
  m.packet_received(2, packet(300, 300, 1), 305);
  EXPECT_EQ(told, 0);
  m.packet_received(1, packet(299, 299, 1), 310);
  EXPECT_EQ(told, 1);
}

TEST(measurement, without_packets_there_are_no_latencies) {
  measurement m = of_the_window();
  m.begin(counts(100, 0, 0, 0));
  m.end(counts(300, 0, 0, 0));
  EXPECT_TRUE(m.complete());
  EXPECT_TRUE(std::get<bool>(value(m, "stable")));
  EXPECT_EQ(number(m, "offered"), 0.0);
  EXPECT_TRUE(std::isnan(number(m, "latency.mean")));
  EXPECT_TRUE(std::isnan(number(m, "latency.p99")));
}

TEST(measurement_config, what_is_wrong) {
  EXPECT_TRUE(measurement_config{}.validate().empty());
  EXPECT_EQ(measurement_config({0, 0, ~cycle_t{0}}).validate().size(), 2u);
}

}  // namespace
}  // namespace toriscope
