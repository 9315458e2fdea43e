// SPDX-License-Identifier: Apache-2.0
// A measurement in parts, in a state, and with the use of links.
#include <gtest/gtest.h>

#include "base/error_of_test.h"
#include "base/hash.h"
#include "testbenches/simulation/statistics/measurement.h"
#include "topologies/registry.h"

namespace toriscope::measurement_state_test {
namespace {

packet_record packet_of(cycle_t created, cycle_t head_sent, node_id source = 0) {
  packet_record record;
  record.created = created;
  record.head_sent = head_sent;
  record.hops = 1;
  record.flits = 16;
  record.source = source;
  return record;
}

/// A ring of four nodes, and the zero-load model of it.
struct ring {
  topology made = make_topology("torus:4");
  zero_load_model model{made.wiring, made.routing, network_config{}};
  std::size_t wires = wire_count(*made.wiring);

  measurement over(const measurement_config& config) const {
    measurement m(config, 4, &model, {source_load::kind::known, .25});
    m.know_links(*made.wiring);
    return m;
  }
  traffic_counts counts(cycle_t cycle, std::uint64_t all, std::uint64_t on_first_wire = 0) const {
    traffic_counts c{cycle, all, all, all, std::vector<std::uint64_t>(wires)};
    c.wire_flits[0] = on_first_wire;
    return c;
  }
};

void expect_same(const measurement& a, const measurement& b) {
  const statistics first = a.figures(), second = b.figures();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(to_text(first[i].value), to_text(second[i].value)) << first[i].name;
  EXPECT_EQ(a.wire_flits(), b.wire_flits());
  EXPECT_EQ(a.outstanding(), b.outstanding());
  EXPECT_EQ(a.last_ended(), b.last_ended());
  EXPECT_EQ(a.growth().in_all, b.growth().in_all);
  EXPECT_EQ(a.window_begin(), b.window_begin());
  EXPECT_EQ(a.window_end(), b.window_end());
  EXPECT_EQ(a.begun(), b.begun());
  EXPECT_EQ(a.ended(), b.ended());
}

/// Packets created in cycle t by node t % 4; one in 50 meets a dead link.
void end_packet(measurement& m, cycle_t t) {
  const packet_record record = packet_of(t, t + t % 3, static_cast<node_id>(t % 4));
  if (t % 50 == 7)
    m.packet_discarded(t, record, 0, 0, t + 20), m.packet_gone(t, record, t + 25);
  else
    m.packet_received(t, record, t + 20 + t % 7);
}

TEST(measurement, parts_add_up_to_the_whole) {
  const ring r;
  measurement whole = r.over({100, 400, 1000}), even = whole, odd = whole;
  whole.begin(r.counts(100, 30, 11));
  even.begin(r.counts(100, 10, 8));
  odd.begin(r.counts(100, 20, 3));
  for (cycle_t t = 90; t < 520; ++t) {
    end_packet(whole, t);
    end_packet(t % 2 ? odd : even, t);
  }
  whole.end(r.counts(500, 430, 111));
  even.end(r.counts(500, 250, 58));
  odd.end(r.counts(500, 180, 53));
  packet_table of_even, of_odd;  // packets on their way are partly in the one part, partly in the other
  for (cycle_t t = 101; t < 500; t += 8) {
    const packet_id id = of_even.create({1, 0, 4}, t);
    if (t >= 400) {
      of_odd.skip();
      continue;
    }
    of_odd.create({1, 0, 4}, t);
    of_even[id].head_sent = of_odd[id].head_sent = t + 9;
  }
  whole.run_over(of_even);
  even.run_over(of_even, /*part*/ true);
  odd.run_over(of_odd, /*part*/ true);
  ASSERT_TRUE(whole.complete());
  ASSERT_TRUE(whole.interval());
  EXPECT_FALSE(even.complete());
  const auto add = [](measurement& m, const measurement& more) {
    const std::vector<std::uint64_t> words = more.words();
    word_reader reader(words);
    m.add(reader);
    EXPECT_FALSE(reader.more());
  };
  measurement other_way = odd;
  add(other_way, even);
  other_way.all_parts_added();
  expect_same(other_way, whole);
  add(even, odd);
  even.all_parts_added();
  expect_same(even, whole);
  EXPECT_TRUE(even.complete());
  even.forget();
  EXPECT_EQ(even.outstanding(), 0);
  EXPECT_EQ(even.latencies().count(), 0u);
  add(even, whole);
  expect_same(even, whole);
}

/// Ten packets of eight flits more wait than at half time: chance, where they come four at a time.
TEST(measurement, packets_that_come_in_bursts_may_wait) {
  for (const double burst : {1., 4.}) {
    measurement m({0, 1600, 1000}, 1, nullptr, {source_load::kind::counted, 0, burst});
    packet_table packets;
    for (cycle_t t = 0; t < 10; ++t) packets.create({0, 0, 8}, 900 + t);
    m.begin({});
    m.end({1600, 0, 0, 0, {}});
    m.run_over(packets);
    EXPECT_EQ(m.growth().in_all, 80 / 800.);
    EXPECT_EQ(m.growth().growing, burst == 1) << burst;
  }
}

TEST(measurement, what_was_forgotten_does_not_count_later) {
  const ring r;
  measurement m = r.over({100, 400, 1000});
  m.begin(r.counts(100, 30, 11));
  m.end(r.counts(500, 40, 12));
  m.forget();
  m.end(r.counts(500, 7, 5));
  EXPECT_EQ(m.window_cycles(), 400u);
  EXPECT_EQ(m.outstanding(), 7);
  EXPECT_EQ(m.wire_flits()[0], 5u);
  const statistics figures = m.figures();
  EXPECT_DOUBLE_EQ(std::get<double>(figures[0].value), 7. / 4 / 400) << "offered";
  EXPECT_DOUBLE_EQ(std::get<double>(figures[1].value), 7. / 4 / 400) << "accepted";
}

TEST(measurement, goes_on_from_a_state) {
  const ring r;
  measurement_config config{100, 200, 1000};
  config.precision = .01;
  measurement before = r.over(config), after = before;
  const auto resume = [&] {
    state_archive saved;
    before.archive(saved, 1, 900);
    after = r.over(config);
    state_archive read(saved.bytes());
    after.archive(read, 1, 900);
    read.end();
    expect_same(after, before);
  };
  EXPECT_FALSE(before.begun());
  resume();
  before.begin_late(r.counts(120, 30, 11), 300, false);
  EXPECT_TRUE(before.begun());
  for (cycle_t t = 100; t < 390; ++t) end_packet(before, t);
  resume();
  EXPECT_FALSE(after.warmed_up());
  EXPECT_FALSE(after.ended());
  before.end(r.counts(420, 340, 100));
  for (cycle_t t = 390; t < 500; ++t) end_packet(before, t);
  resume();
  EXPECT_TRUE(after.ended());
  for (measurement* m : {&before, &after}) {
    m->extend();
    for (cycle_t t = 500; t < 750; ++t) end_packet(*m, t);
    m->end(r.counts(720, 630, 205));
  }
  EXPECT_EQ(before.latencies().count(), 600u - 12) << "those of 120 to 719, but for the discarded ones";
  EXPECT_TRUE(before.complete());
  expect_same(after, before);
}

TEST(measurement, a_state_is_refused_that_is_of_another_network_or_of_a_later_cycle) {
  const ring r;
  const auto verdict = [&](measurement& m, cycle_t now) {
    state_archive saved;
    m.archive(saved, 1, now);
    state_archive read(saved.bytes());
    measurement other = r.over({100, 200, 1000, .01});
    return error_of<damaged_state>([&] { other.archive(read, 1, now); });
  };
  const std::string wires = "flits are counted on other wires";
  measurement m = r.over({100, 200, 1000, .01});
  EXPECT_EQ(verdict(m, 500), "none");
  m.begin({100, 0, 0, 0, std::vector<std::uint64_t>(r.wires - 1)});
  EXPECT_EQ(verdict(m, 500), wires);
  m.begin({100, 0, 0, 0, {}});
  EXPECT_EQ(verdict(m, 500), wires);
  m.begin(r.counts(100, 0));
  EXPECT_EQ(verdict(m, 500), "none");
  m.end({300, 0, 0, 0, {}});
  EXPECT_EQ(verdict(m, 500), wires);
  m.end(r.counts(300, 1));
  m.packet_received(0, packet_of(310, 310), 499);
  EXPECT_EQ(verdict(m, 500), "none");
  EXPECT_EQ(verdict(m, 499), "a number is out of its range");
  for (const auto& [created, sent] : {std::pair(310, 309), {310, 450}}) {
    measurement wrong = m;
    wrong.packet_received(1, packet_of(created, sent), 449);
    EXPECT_EQ(verdict(wrong, 500), "a packet has ended before it was created or sent");
  }
  packet_record of_class_1 = packet_of(310, 310);
  of_class_1.message_class = 1;
  m.packet_received(1, of_class_1, 490);
  EXPECT_EQ(verdict(m, 500), "a number is out of its range") << "there is one message class";

}

/// A run would go on to its end, 2^50 cycles away.
TEST(measurement, a_state_is_refused_whose_window_the_run_cannot_have) {
  const ring r;
  measurement_config own{100, 200, 1000};
  const auto verdict = [&](const measurement& m, cycle_t now) {
    state_archive saved;
    measurement(m).archive(saved, 1, now);
    state_archive read(saved.bytes());
    measurement other = r.over(own);
    return error_of<damaged_state>([&] { other.archive(read, 1, now); });
  };
  const std::string another = "the window is another one", too_long = "a window is too long";
  EXPECT_EQ(verdict(r.over({100, 200, 1000}), 500), "none");
  EXPECT_EQ(verdict(r.over({101, 200, 1000}), 500), another);
  EXPECT_EQ(verdict(r.over({100, 201, 1000}), 500), another);
  own.precision = .01;
  own.max_cycles = 4000;
  own.warmup_cycles = cycle_t{1} << 48;  // what a simulation gives it until it knows better
  EXPECT_EQ(verdict(r.over(own), 4000), "none");
  EXPECT_EQ(verdict(r.over(own), 4001), another) << "a warm-up without an end";
  const auto begun = [&](cycle_t begin, cycle_t window) {
    measurement m = r.over(own);
    m.begin_late(r.counts(begin, 0), window, true);
    return m;
  };
  EXPECT_EQ(verdict(begun(500, 4000), 500), "none");
  EXPECT_EQ(verdict(begun(500, 4001), 500), too_long);
  EXPECT_EQ(verdict(begun(501, 4000), 500), too_long) << "it begins later";

  state_archive saved;
  begun(500, 4000).archive(saved, 1, 500);
  std::string bytes = saved.bytes();
  ASSERT_EQ(bytes.substr(0, 4), "\xf4\x03\xa0\x1f") << "500, then 4000 in groups of seven bits";
  bytes[2] = '\x9f';
  state_archive damaged(bytes);
  measurement other = r.over(own);
  EXPECT_EQ(error_of<damaged_state>([&] { other.archive(damaged, 1, 500); }), "a window has two lengths");
}

/// Every second packet of a node waits for three cycles at its source. One wire is busy for three quarters of the
/// window, and three quarters of the flits pass it.
TEST(measurement, an_interval_is_that_of_the_load_in_the_window) {
  const ring r;
  for (const double burst : {1., 2., 8.}) {
    const source_load load =
        burst == 1 ? source_load{} : source_load{source_load::kind::known, .25, burst};  // by default without bursts
    measurement m({100, 1024, 1000}, 4, &r.model, load);
    m.know_links(*r.made.wiring);
    m.begin(r.counts(100, 50, 7));
    time_batches latencies(1024);
    double all = 0, in_network = 0;
    for (cycle_t t = 100; t < 1124; ++t) {
      const cycle_t latency = 30 + t % 5, waits = t / 4 % 2 ? 3 : 0;
      m.packet_received(t, packet_of(t, t + waits, static_cast<node_id>(t % 4)), t + latency);
      latencies.add(t - 100, latency);
      all += static_cast<double>(latency) / 1024;
      in_network += static_cast<double>(latency - waits) / 1024;
    }
    m.end(r.counts(1124, 50 + 1024, 7 + 768));
    window_load expected;
    expected.zero_load = expected.least = 24;  // 4 h + 20
    expected.waiting = (burst > 1 ? in_network : all) - 24;
    expected.dispersion = 2 * burst - 1;
    expected.busy = .75;
    expected.share = .75;
    const auto right = interval_95(latencies, expected), found = m.interval();
    ASSERT_TRUE(right && found) << burst;
    EXPECT_DOUBLE_EQ(found->low, right->low) << burst;
    EXPECT_DOUBLE_EQ(found->high, right->high) << burst;
    EXPECT_EQ(found->batches, right->batches) << burst;
  }
}

/// Latencies whose mean is that of the model, known to about 1.25 cycles: by chance 1024 packets may be below
/// it by 1/32. Where packets have several routes, the first of them need not be the fastest.
TEST(measurement, an_interval_reaches_below_zero_load_where_there_are_other_routes) {
  topology_options options;
  options.routing = "adaptive";
  const topology adaptive = make_topology("mesh:4x4", options), plain = make_topology("mesh:4x4");
  for (const topology* t : {&adaptive, &plain}) {
    const zero_load_model model(t->wiring, t->routing, network_config{});
    ASSERT_EQ(model.one_route(), t == &plain);
    measurement m({0, 1024, 1000}, 16, &model);
    m.begin({0, 0, 0, 0, {}});
    double sum = 0;
    for (cycle_t c = 0; c < 1024; ++c) {
      packet_record p = packet_of(c, c);
      p.destination = 1;
      const cycle_t latency = mix(c) % 2 ? 4 : 44;
      m.packet_received(c, p, c + latency);
      sum += static_cast<double>(latency);
    }
    m.end({1024, 0, 0, 1024, {}});
    ASSERT_TRUE(m.interval());
    const double least = 24 * (1 - 1 / 32.);  // 4 h + 20
    ASSERT_GT(sum / 1024, least);
    if (t == &plain)
      EXPECT_DOUBLE_EQ(m.interval()->low, least);
    else
      EXPECT_LT(m.interval()->low, least);
  }
}

/// Packets that hardly wait; the load is off by 2 / sqrt(1024) = 1/16.
TEST(measurement, an_interval_knows_how_near_to_full_the_busiest_link_is) {
  const ring r;
  const auto given = [&](std::uint64_t on_first_wire, std::uint64_t ejected) {
    measurement m = r.over({100, 1024, 1000});
    m.begin(r.counts(100, 0));
    for (cycle_t t = 100; t < 1124; ++t)
      m.packet_received(t, packet_of(t, t, static_cast<node_id>(t % 4)), t + 26 + t % 2);
    traffic_counts end = r.counts(1124, 1024, on_first_wire);
    end.flits_ejected = ejected;
    m.end(end);
    return m.interval().has_value();
  };
  EXPECT_TRUE(given(0, 1024));
  EXPECT_TRUE(given(512, 512)) << "1/16 of the way from half busy to full";
  EXPECT_FALSE(given(973, 973)) << "95 % busy, and full at 5 % more";
  EXPECT_TRUE(given(512, 512 * 100)) << "a hundredth of the packets: off by 10/16";
  EXPECT_FALSE(given(512, 512 * 256)) << "off by as much as there is left";
}

TEST(measurement, a_window_that_ends_early_is_a_whole_one) {
  measurement m({100, 200, 1000}, 4, nullptr);
  m.begin({100, 0, 0, 0, {}});
  m.end_early({250, 0, 0, 0, {}});
  EXPECT_EQ(m.measured_cycles(), 150u);
  EXPECT_EQ(m.window_end(), 250u);
  EXPECT_TRUE(m.stable());
}

}  // namespace
}  // namespace toriscope::measurement_state_test
