// SPDX-License-Identifier: Apache-2.0
// Packets told by hand, figures worked out on paper.
#include "testbenches/simulation/statistics/measurement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testbenches/simulation/statistics/zero_load_model.h"
#include "topologies/registry.h"

namespace toriscope::measurement_test {
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
  EXPECT_TRUE(std::isnan(number(m, "latency.standard_error"))) << "four packets are too few to say";
  EXPECT_TRUE(std::get<std::vector<double>>(value(m, "latency.interval_95")).empty());
  EXPECT_EQ(count(m, "hops.max"), 4u);
  EXPECT_TRUE(std::isnan(number(m, "latency.zero_load_model"))) << "there is no model";
  EXPECT_EQ(m.wire_flits(), (std::vector<std::uint64_t>{100, 50, 0}));
  EXPECT_EQ(m.window_cycles(), 200u);
  EXPECT_EQ(m.last_ended(), 354u);
}

TEST(measurement, percentiles_are_values_that_so_many_packets_do_not_exceed) {
  measurement m = of_the_window();
  for (cycle_t latency = 1; latency <= 200; ++latency) m.packet_received(latency, packet(100, 100, 1), 100 + latency);
  EXPECT_EQ(count(m, "latency.min"), 1u);
  EXPECT_EQ(count(m, "latency.p50"), 100u);
  EXPECT_EQ(count(m, "latency.p90"), 180u);
  EXPECT_EQ(count(m, "latency.p99"), 198u);
  EXPECT_EQ(count(m, "latency.max"), 200u);
}

TEST(measurement, a_packet_that_met_a_dead_link_has_left_its_source) {
  measurement m({0, 1600, 1000}, 1, nullptr, {source_load::kind::known, .1});
  m.begin(counts(0, 0, 0, 0));
  m.packet_discarded(0, packet(1200, 1200, 1), 0, 0, 1300);
  m.end(counts(1600, 1, 0, 1));
  EXPECT_EQ(m.growth().in_all, 0);
}

TEST(measurement, a_packet_that_met_a_dead_link_has_no_latency) {
  measurement m = of_the_window();
  m.begin(counts(100, 0, 0, 0));
  m.packet_discarded(0, packet(150, 150, 1), 0, 0, 160);
  m.packet_received(1, packet(150, 150, 1), 155);
  m.packet_discarded(2, packet(180, 180, 1), 0, 0, 190);
  m.packet_discarded(3, packet(99, 99, 1), 0, 0, 195);  // created before the window
  EXPECT_EQ(m.last_ended(), 190u);
  m.end(counts(300, 3, 1, 3));
  EXPECT_TRUE(m.complete());
  EXPECT_EQ(count(m, "packets_arrived"), 1u);
  EXPECT_EQ(count(m, "latency.max"), 5u);
}

TEST(measurement, a_packet_that_arrives_in_cycle_1_has_arrived) {
  measurement m({0, 200, 1000}, 4, nullptr);
  EXPECT_EQ(m.last_ended(), 0u);
  m.begin(counts(0, 0, 0, 0));
  m.packet_received(0, packet(0, 0, 1), 1);
  m.end(counts(200, 1, 1, 1));
  EXPECT_TRUE(m.complete());
  EXPECT_EQ(count(m, "packets_arrived"), 1u);
  EXPECT_EQ(count(m, "latency.max"), 1u);
}

TEST(measurement, a_window_that_never_began_counts_from_nothing) {
  measurement m = of_the_window();
  m.end(counts(50, 7, 6, 5, {4}));
  EXPECT_EQ(m.window_cycles(), 50u);
  EXPECT_DOUBLE_EQ(number(m, "offered"), 7. / 4 / 50);
  EXPECT_DOUBLE_EQ(number(m, "accepted"), 6. / 4 / 50);
  EXPECT_EQ(count(m, "packets"), 5u);
  EXPECT_EQ(m.wire_flits(), std::vector<std::uint64_t>{4});
}

/// four_stage, 16 flits: 4 h + 20.
TEST(measurement, zero_load_latency_is_that_of_the_packets_received) {
  const topology ring = make_topology("torus:4");
  const zero_load_model model(ring.wiring, ring.routing, network_config{});
  measurement m({100, 1024, 1000}, 4, &model);
  m.begin(counts(100, 0, 0, 0));
  for (cycle_t t = 100; t < 1124; ++t) {
    packet_record p = packet(t, t, t % 2 ? 1 : 2);
    p.flits = 16;
    m.packet_received(t, p, t + 200 + t % 3);
  }
  m.end(counts(1124, 0, 0, 1024));
  EXPECT_EQ(number(m, "latency.zero_load_model"), 26);
  // Saturation would be 26 / (10 * 175) = 1.5 % of the load away, and the load is off by 2 / sqrt(1024) = 6 %.
  EXPECT_FALSE(m.interval());
}

/// Latencies have a standard deviation of 50, and 1024 of them a mean that is known to 2 * 50 / sqrt(1024) = 3.
TEST(measurement, precision_is_a_share_of_the_mean) {
  for (const double precision : {.015, .06}) {  // 1.5 and 6 cycles
    measurement_config config{100, 1024, 1000};
    config.precision = precision;
    measurement m(config, 4, nullptr);
    m.begin(counts(100, 0, 0, 0));
    for (cycle_t t = 100; t < 1124; ++t)
      m.packet_received(t, packet(t, t, 1), t + (t * t * t / 7 % 2 ? 50 : 150));
    m.end(counts(1124, 0, 0, 1024));
    ASSERT_TRUE(m.interval());
    const confidence_interval known = *m.interval();
    EXPECT_NEAR(known.half_width(), 3, 1.4);
    EXPECT_EQ(m.precise(), precision > .03);
    EXPECT_EQ(std::get<std::vector<double>>(value(m, "latency.interval_95")),
              (std::vector<double>{known.low, known.high}));
    EXPECT_DOUBLE_EQ(number(m, "latency.standard_error"), (known.high - known.low) / 2 / 1.96);
    const statistics told = m.precision_figures();
    ASSERT_EQ(told.size(), 4u);
    EXPECT_EQ(std::get<bool>(told[0].value), precision > .03);
    EXPECT_DOUBLE_EQ(std::get<double>(told[1].value), (known.high - known.low) / 2 / known.mean);
    EXPECT_EQ(std::get<std::uint64_t>(told[2].value), 100u);
    EXPECT_EQ(std::get<std::uint64_t>(told[3].value), 1024u);
    m.end(counts(1124, 0, 0, 1025));
    EXPECT_FALSE(m.precise()) << "a packet is missing";
  }
}

TEST(measurement, tells_the_window_that_there_was) {
  const auto told = [](cycle_t end) {
    measurement_config config{100, 1024, 1000};
    config.precision = .01;
    measurement m(config, 4, nullptr);
    m.begin_late(counts(130, 0, 0, 0), 512, true);
    m.end(counts(end, 0, 0, 0));
    const statistics all = m.precision_figures();
    return std::pair(to_text(all.at(2).value), to_text(all.at(3).value));
  };
  EXPECT_EQ(told(642), std::pair(std::string("130"), std::string("512")));
  EXPECT_EQ(told(200), std::pair(std::string("130"), std::string("70")));
  EXPECT_EQ(told(130).second, "0");
  EXPECT_NE(told(130).first, "130") << "the warm-up was not over";
}

TEST(measurement, latencies_that_are_all_alike_are_precise) {
  measurement m({100, 1024, 1000}, 4, nullptr);
  m.begin(counts(100, 0, 0, 0));
  EXPECT_FALSE(m.precise());
  EXPECT_TRUE(std::isnan(std::get<double>(m.precision_figures()[1].value))) << "nothing is known";
  for (cycle_t t = 100; t < 1124; ++t) m.packet_received(t, packet(t, t, 1), t + 50);
  m.end(counts(1124, 0, 0, 1024));
  EXPECT_TRUE(m.precise());
}

/// Offered .1 flits per cycle; the only packet under way at the end was sent in the cycle of its creation, or never.
TEST(measurement, packets_under_way_at_the_end_wait_at_their_source_until_they_are_sent) {
  for (const bool is_sent : {true, false}) {
    measurement m({100, 1600, 1000}, 1, nullptr, {source_load::kind::known, .1});
    packet_table packets;
    const packet_id id = packets.create({0, 0, 1}, 101);
    if (is_sent) packets[id].head_sent = 101;
    m.begin(counts(100, 0, 0, 0));
    m.end(counts(1700, 0, 0, 0));
    m.run_over(packets);
    EXPECT_EQ(m.growth().growing, !is_sent);
  }
}

/// In the second half of the window, 800 cycles, 24 flits are created; those of the packet in the middle, or of all but
/// it, are sent.
TEST(measurement, what_waits_is_created_and_not_sent) {
  for (const bool is_sent : {true, false}) {
    measurement m({100, 1600, 1000}, 1, nullptr, {source_load::kind::known, .1});
    m.begin(counts(100, 0, 0, 0));
    packet_table packets;
    for (const cycle_t created : {1000u, 1100u, 1200u}) {
      const packet_id id = packets.create({0, 0, 8}, created);
      if ((created == 1100) == is_sent) {
        packets[id].head_sent = created + 1;
        const packet_record record = packets[id];
        packets.retire(id);
        m.packet_received(id, record, created + 20);
      }
    }
    m.end(counts(1700, 24, 24, 3));
    m.run_over(packets);
    EXPECT_DOUBLE_EQ(m.growth().in_all, (is_sent ? 16 : 8) / 800.);
  }
}

/// A packet is created every 8 cycles and sent 60 later; the last ones are received, under way, or discarded at a dead
/// link, with flits left or without.
TEST(measurement, packets_on_their_way_at_the_end_were_sent) {
  const auto growth_of = [](auto end_of_the_last) {
    measurement m({0, 1600, 1000}, 1, nullptr, {source_load::kind::known, .125});
    m.begin(counts(0, 0, 0, 0));
    packet_table packets;
    for (cycle_t t = 0; t < 1600; t += 8) {
      const packet_id id = packets.create({0, 0, 1}, t);
      if (t >= 1540) continue;  // never sent
      packets[id].head_sent = t + 60;
      const auto retire = [&] { packets.retire(id); };
      if (t >= 1200)
        end_of_the_last(m, id, packets[id], retire);
      else
        m.packet_received(id, packets[id], t + 70), retire();
    }
    m.end(counts(1600, 0, 0, 0));
    m.run_over(packets);
    return m.growth();
  };
  using record = const packet_record&;
  const auto discard = [](measurement& m, packet_id id, record r) {
    m.packet_discarded(id, r, 0, 0, r.created + 65);
  };
  const backlog_growth received = growth_of([](measurement& m, packet_id id, record r, auto retire) {
    m.packet_received(id, r, r.created + 70);
    retire();
  });
  const backlog_growth others[] = {
      growth_of([](measurement&, packet_id, record, auto) {}),
      growth_of([&](measurement& m, packet_id id, record r, auto) { discard(m, id, r); }),
      growth_of([&](measurement& m, packet_id id, record r, auto retire) {
        discard(m, id, r);
        m.packet_gone(id, r, r.created + 70);
        retire();
      })};
  EXPECT_DOUBLE_EQ(received.growth, 60 / 8 / 1600.);
  EXPECT_DOUBLE_EQ(received.in_all, 0);
  for (const backlog_growth& other : others) {
    EXPECT_EQ(other.growth, received.growth);
    EXPECT_EQ(other.standard_error, received.standard_error);
    EXPECT_EQ(other.in_all, received.in_all);
  }
}

TEST(measurement, a_packet_created_in_cycle_0_may_wait) {
  measurement m({0, 1600, 1000}, 1, nullptr, {source_load::kind::known, .1});
  packet_table packets;
  packets.create({0, 0, 1}, 0);
  m.begin(counts(0, 0, 0, 0));
  m.end(counts(1600, 0, 0, 0));
  m.run_over(packets);
  EXPECT_TRUE(m.growth().growing);
}

TEST(measurement, does_not_keep_up_when_too_little_is_accepted) {
  for (const std::uint64_t ejected : {94u, 95u}) {
    measurement m = of_the_window();
    m.begin(counts(100, 0, 0, 0));
    m.end(counts(300, 100, ejected, 0));
    EXPECT_EQ(std::get<bool>(value(m, "keeps_up_95")), ejected == 95);
    EXPECT_TRUE(std::get<bool>(value(m, "stable"))) << "no queue is known to grow";
  }
}

TEST(measurement, unstable_when_a_packet_is_missing) {
  measurement m = of_the_window();
  m.begin(counts(100, 0, 0, 0));
  m.packet_received(0, packet(100, 100, 1), 110);
  m.end(counts(300, 100, 100, 2));
  EXPECT_FALSE(std::get<bool>(value(m, "stable")));
  EXPECT_FALSE(m.keeps_up_95());
  EXPECT_EQ(count(m, "packets"), 2u);
  EXPECT_EQ(count(m, "packets_arrived"), 1u);
}

/// Packets of one source that wait longer and longer arrive in the drain: the network keeps up, all the same.
TEST(measurement, unstable_when_one_source_queue_grows) {
  for (const unsigned every : {4u, 5u}) {  // cycles between packets sent; one is created in every 4
    measurement m({0, 1600, 1600}, 64, nullptr, {source_load::kind::known, 0.25});
    m.begin(counts(0, 0, 0, 0));
    m.end(counts(1600, 64 * 400, 64 * 400 - 80, 400));
    for (cycle_t n = 0; n < 400; ++n) {
      packet_record p = packet(4 * n, every * n, 1);
      p.source = 3;
      m.packet_received(n, p, every * n + 5);
    }
    EXPECT_TRUE(std::get<bool>(value(m, "keeps_up_95")));
    EXPECT_EQ(std::get<bool>(value(m, "stable")), every == 4);
    EXPECT_EQ(count(m, "unstable_sources"), every == 4 ? 0u : 1u);
    if (every == 4) continue;
    EXPECT_NEAR(number(m, "backlog.growth"), (0.25 - 0.2) / 64, 1e-4);
    EXPECT_DOUBLE_EQ(number(m, "backlog.standard_error"), m.growth().standard_error / 64);
    EXPECT_NEAR(m.growth().worst_growth, 0.05, 0.001);
    const statistics worst = m.worst_source("a3", "some link");
    ASSERT_EQ(worst.size(), 3u);
    EXPECT_EQ(std::get<std::string>(worst[0].value), "a3");
    EXPECT_EQ(std::get<double>(worst[1].value), m.growth().worst_growth);
    EXPECT_EQ(std::get<std::string>(worst[2].value), "some link");
    EXPECT_TRUE(std::isnan(std::get<double>(m.worst_source("a3", "")[2].value)));
    EXPECT_EQ(m.growth().worst, 3u);
    EXPECT_FALSE(m.interval()) << "there is no steady state";
  }
}

/// A window that is extended measures what one of that length would have measured.
TEST(measurement, extended_window) {
  measurement longer({100, 400, 1000}, 4, nullptr, {source_load::kind::known, 0.25});
  measurement_config config{100, 200, 1000};
  config.precision = 0.01;
  measurement extended(config, 4, nullptr, {source_load::kind::known, 0.25});
  const auto packets = [](measurement& m, cycle_t from, cycle_t to) {  // by the cycle of their arrival
    for (cycle_t t = from; t < to; t += 3) m.packet_received(t, packet(t - t / 10, t - t / 20, 1), t);
  };
  longer.begin(counts(100, 0, 0, 0));
  packets(longer, 90, 501);
  longer.end(counts(500, 400, 400, 133));
  packets(longer, 501, 600);
  extended.begin(counts(100, 0, 0, 0));
  packets(extended, 90, 300);
  extended.end(counts(300, 200, 200, 66));
  packets(extended, 300, 342);  // its drain
  extended.extend();
  packets(extended, 342, 501);
  extended.end(counts(500, 400, 400, 133));
  packets(extended, 501, 600);
  const statistics a = longer.figures(), b = extended.figures();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(to_text(a[i].value), to_text(b[i].value)) << a[i].name;
  EXPECT_NE(longer.growth().growth, 0);
  EXPECT_EQ(longer.growth().in_all, extended.growth().in_all);
}

/// Window and drain overlap: what was sent in the drain counts in the window that it belongs to, after one extension or
/// after two.
TEST(measurement, a_window_that_is_extended_twice) {
  const source_load load{source_load::kind::known, 0.5};
  measurement longer({100, 400, 1000}, 4, nullptr, load);
  measurement_config config{100, 100, 1000};
  config.precision = 0.01;
  measurement extended(config, 4, nullptr, load);
  const auto packets = [](measurement& m, cycle_t from, cycle_t to) {  // by the cycle in which they are sent
    for (cycle_t t = from; t < to; t += 4) m.packet_received(t, packet(t - t / 10, t, 1), t + 5);
  };
  longer.begin(counts(100, 0, 0, 0));
  longer.end(counts(500, 0, 0, 111));
  packets(longer, 100, 560);
  extended.begin(counts(100, 0, 0, 0));
  packets(extended, 100, 200);
  extended.end(counts(200, 0, 0, 0));
  packets(extended, 200, 320);  // 300 is the end of the next window
  extended.extend();
  EXPECT_FALSE(extended.ended());
  EXPECT_EQ(extended.window_end(), 300u);
  extended.end(counts(300, 0, 0, 0));
  packets(extended, 320, 560);
  extended.extend();
  extended.end(counts(500, 0, 0, 111));
  EXPECT_TRUE(extended.complete());
  EXPECT_EQ(longer.latencies().count(), extended.latencies().count());
  EXPECT_GT(longer.growth().growth, 0);
  EXPECT_EQ(longer.growth().growth, extended.growth().growth);
  EXPECT_EQ(longer.growth().standard_error, extended.growth().standard_error);
  EXPECT_EQ(longer.growth().in_all, extended.growth().in_all);
}

TEST(measurement, a_window_that_begins_late_is_one_of_its_length) {
  const source_load load{source_load::kind::known, 0.25};
  measurement late({100, 200, 1000}, 4, nullptr, load), right({120, 300, 1000}, 4, nullptr, load);
  late.begin_late(counts(120, 9, 8, 7), 300, true);
  right.begin(counts(120, 9, 8, 7));
  for (measurement* m : {&late, &right}) {
    for (cycle_t t = 90; t < 500; t += 3) m->packet_received(t, packet(t - t / 10, t - t / 20, 1), t);
    m->end(counts(420, 400, 400, 130));
  }
  EXPECT_NE(right.growth().growth, 0);
  EXPECT_EQ(late.growth().growth, right.growth().growth);
  EXPECT_EQ(late.growth().in_all, right.growth().in_all);
  EXPECT_EQ(late.window_begin(), 120u);
  EXPECT_EQ(late.window_end(), 420u);
  EXPECT_EQ(to_text(value(late, "latency.mean")), to_text(value(right, "latency.mean")));
}

TEST(measurement, extended_window_has_the_packets_that_met_a_dead_link_before_it_was) {
  measurement_config config{100, 200, 1000};
  config.precision = 0.01;
  measurement m(config, 4, nullptr);
  m.begin(counts(100, 0, 0, 0));
  m.packet_received(0, packet(150, 150, 1), 160);
  m.end(counts(300, 1, 1, 1));
  m.packet_discarded(1, packet(310, 312, 1), 0, 0, 320);  // in the drain
  m.extend();
  m.end(counts(500, 2, 1, 2));
  EXPECT_TRUE(m.complete());
  EXPECT_EQ(count(m, "packets"), 2u);
  EXPECT_EQ(count(m, "packets_arrived"), 1u);
  EXPECT_EQ(count(m, "latency.max"), 10u);
}

TEST(measurement, unstable_when_the_window_was_cut_short) {
  measurement m = of_the_window();
  m.begin(counts(100, 0, 0, 0));
  m.end(counts(299, 0, 0, 0));
  EXPECT_FALSE(m.stable());
  EXPECT_FALSE(m.keeps_up_95());
  EXPECT_TRUE(std::isnan(number(m, "backlog.growth")));
  EXPECT_TRUE(std::isnan(number(m, "backlog.standard_error")));
  EXPECT_TRUE(std::isnan(number(m, "unstable_sources")));
  EXPECT_EQ(m.growth().in_all, 0);
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
  EXPECT_TRUE(measurement_config({1000, 1000, 0, 0, 1999}).validate().empty()) << "no precision, no limit";
  EXPECT_TRUE(measurement_config({0, 1, 0, .5, 257}).validate().empty());
  EXPECT_EQ(measurement_config({0, 1, 0, -.01}).validate(),
            std::vector<std::string>{"precision: it must be from 0 to 50 % of the mean"});
  constexpr cycle_t most = cycle_t{1} << 48;
  EXPECT_TRUE(measurement_config({most, most, most}).validate().empty());
  EXPECT_EQ(measurement_config({most, most + 1, most}).validate(),
            std::vector<std::string>{"cycles: 281474976710657 cycles are too many, at most 2^48 are possible"});
  EXPECT_EQ(measurement_config({0, 0, ~cycle_t{0}}).validate().size(), 2u);
  EXPECT_EQ(measurement_config({1000, 1000, 0, .6, 3000}).validate().size(), 1u);
  EXPECT_EQ(measurement_config({1000, 1000, 0, .01, 1999}).validate().size(), 1u);
  EXPECT_TRUE(measurement_config({0, 1000, 0, .01, 1256}).validate().empty());
  EXPECT_EQ(measurement_config({0, 1000, 0, .01, 1255}).validate(),
            std::vector<std::string>{"max-cycles: with --precision it must be at least --warmup (256 or more) and "
                                     "--cycles together, 1256"});
}

}  // namespace
}  // namespace toriscope::measurement_test
