// SPDX-License-Identifier: Apache-2.0
// Sources that are one server each (M/D/1): below its capacity a queue does not grow, above it does.
#include "testbenches/simulation/statistics/source_backlogs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error_of_test.h"
#include "testbenches/simulation/statistics/confidence_interval.h"
#include "testbenches/simulation/traffic/random.h"

namespace toriscope::source_backlogs_test {
namespace {

constexpr unsigned flits = 4;  // of a packet

/// Packets come at `load` flits per cycle and are sent at one flit per `service` quarters of a cycle, from
/// cycle 0 on; the window begins at 2000.
void serve(source_backlogs& b, node_id node, double load, unsigned service, cycle_t window,
           std::uint64_t seed) {
  random_stream random(seed, node);
  const auto threshold = static_cast<std::uint64_t>(load / flits * (1 << 24));
  cycle_t free = 0;  // quarters
  for (cycle_t t = 0; t < 2000 + window; ++t) {
    if (random.below(1 << 24) >= threshold) continue;
    packet_record p;
    p.source = node;
    p.flits = flits;
    p.created = t;
    b.created(p);
    free = std::max(free, 4 * t);
    p.head_sent = free / 4;
    free += cycle_t{flits} * service;
    b.sent(p);  // also beyond the window: in the drain
  }
}

source_load known(double load) { return {source_load::kind::known, load}; }

packet_record packet_of(node_id source, std::uint32_t length, cycle_t created, cycle_t head_sent) {
  packet_record p;
  p.source = source;
  p.flits = length;
  p.created = created;
  p.head_sent = head_sent;
  return p;
}

std::vector<std::uint64_t> words_of(const source_backlogs& b) {
  std::vector<std::uint64_t> all;
  b.append_to(all);
  return all;
}

unsigned growing_of(unsigned nodes, double load, cycle_t window, unsigned runs = 40) {
  unsigned growing = 0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    source_backlogs b(nodes, 1, known(load), 2000, window);
    for (node_id n = 0; n < nodes; ++n) serve(b, n, load, /* .5 flits/cycle */ 8, window, seed);
    if (b.growth().growing) ++growing;
  }
  return growing;
}

TEST(source_backlogs, one_server_below_and_above_its_capacity) {
  for (const cycle_t window : {10000, 160000}) {
    EXPECT_EQ(growing_of(1, .25, window), 0u) << window;
    EXPECT_LE(growing_of(1, .46, window), 2u) << window;
    EXPECT_GE(growing_of(1, .56, window), 38u) << window;
  }
  EXPECT_EQ(growing_of(1, .49, 160000), 0u);
  EXPECT_GE(growing_of(1, .51, 160000), 38u);
}

TEST(source_backlogs, many_servers_below_and_above_their_capacity) {
  EXPECT_LE(growing_of(64, .47, 10000, 10), 1u);
  EXPECT_EQ(growing_of(64, .53, 10000, 10), 10u);
}

TEST(source_backlogs, one_source_of_many_is_found_and_named) {
  source_backlogs b(64, 1, known(.4), 2000, 10000);
  for (node_id n = 0; n < 64; ++n) serve(b, n, .4, n == 17 ? 12 : 8, 10000, 1);  // 17 sends 1/3
  const backlog_growth g = b.growth();
  EXPECT_TRUE(g.growing);
  EXPECT_EQ(g.sources, 1u);
  EXPECT_EQ(g.worst, 17u);
  EXPECT_NEAR(g.worst_growth, .4 - 1. / 3, .001);
  EXPECT_NEAR(g.growth, .4 - 1. / 3, .001);
}

/// Offered 50 flits in each of 16 bins; 30 and 50 of them are sent in turn: 160 more in 1600 cycles.
TEST(source_backlogs, the_error_of_growth_is_that_of_what_bins_lack) {
  source_backlogs b(1, 1, known(.5), 0, 1600);
  packet_record p;
  p.flits = 10;
  p.created = 0;
  for (cycle_t bin = 0; bin < 16; ++bin)
    for (cycle_t i = 0; i < (bin % 2 ? 5 : 3); ++i) {
      p.head_sent = 100 * bin + i + 1;
      b.sent(p);
    }
  b.waits(p);
  EXPECT_DOUBLE_EQ(b.growth().growth, .1);
  // 8 * 20^2 - 160^2 / 16 = 1600: the variance of the sum is 16 / 15 of that.
  EXPECT_DOUBLE_EQ(b.growth().standard_error, std::sqrt(1600 * 16 / 15.) / 1600);
}

/// Offered 50 flits in each of 16 bins. Source 0 lacks a packet of 50 in the last one, which may be chance: the
/// variance of the sum is (2500 - 50^2 / 16) * 16 / 15 = 50^2. Source 1 sends nothing.
TEST(source_backlogs, a_packet_less_is_chance) {
  source_backlogs b(2, 1, known(.5), 0, 1600);
  packet_record p;
  p.flits = 50;
  p.created = 0;
  for (cycle_t bin = 0; bin < 15; ++bin) {
    p.head_sent = 100 * bin + 1;
    b.sent(p);
  }
  b.waits(p);
  p.source = 1;
  b.waits(p);
  EXPECT_TRUE(b.growth().growing);
  EXPECT_EQ(b.growth().sources, 1u);
  EXPECT_EQ(b.growth().worst, 1u);
}

TEST(source_backlogs, in_a_cycle_nothing_is_seen_of_a_queue_that_was_empty_before) {
  source_backlogs b(1, 1, known(1), 0, /*window*/ 1);
  b.sent(packet_of(0, 1, 0, 0));
  b.waits(packet_of(0, 1, 0, 0));
  EXPECT_EQ(b.growth().growth, 0);
  EXPECT_EQ(b.growth().standard_error, 0);
}

TEST(source_backlogs, a_queue_grows_from_the_first_part_that_begins_after_it_was_empty) {
  source_backlogs b(1, 1, known(1), 0, /*window*/ 17);  // parts begin at 0, 2, 3, 4 ...
  b.sent(packet_of(0, 4, 1, 1));
  b.sent(packet_of(0, 4, 1, 2));
  b.waits(packet_of(0, 4, 3, 0));
  EXPECT_DOUBLE_EQ(b.growth().growth, (15. - 4) / 15);
}

TEST(source_backlogs, a_queue_that_was_empty_in_the_second_half_does_not_grow) {
  for (const cycle_t empty : {799u, 800u}) {  // the last cycle in which it was
    source_backlogs b(1, 1, known(.1), 0, 1600);
    packet_record p;
    p.created = p.head_sent = empty;
    b.sent(p);
    p.created = 805;
    b.waits(p);
    EXPECT_EQ(b.growth().growing, empty == 799);
  }
}

TEST(source_backlogs, classes_of_a_node_are_queues_of_their_own) {
  source_backlogs b(2, 2, known(.1), 0, 1600);
  packet_record p;
  p.source = 1;
  for (cycle_t t = 0; t < 1600; ++t) {
    p.created = t;
    p.head_sent = t;  // class 0: never waits
    p.message_class = 0;
    b.sent(p);
  }
  p.message_class = 1;
  p.created = 1;
  b.waits(p);  // class 1: sends nothing
  EXPECT_TRUE(b.growth().growing);
  EXPECT_EQ(b.growth().worst, 1u);
  EXPECT_DOUBLE_EQ(b.growth().worst_growth, .1);
}

TEST(source_backlogs, a_load_that_is_not_known_is_counted) {
  for (const bool more : {false, true}) {
    source_backlogs b(1, 1, {source_load::kind::counted, 0}, 0, 1600);
    packet_record p;
    p.flits = 1;
    for (cycle_t t = 0; t < 1600; ++t) {
      p.created = t < 2 ? 0 : t - 2;
      p.head_sent = t;
      b.created(p);
      b.sent(p);
      if (!more || t % 4) continue;
      p.head_sent = 0;
      b.created(p);
      b.waits(p);
    }
    b.waits(p);
    EXPECT_EQ(b.growth().growing, more);
  }
}

TEST(source_backlogs, limited_sources_cannot_grow) {
  source_backlogs b(1, 1, {source_load::kind::limited, 0}, 0, 1600);
  packet_record p;
  p.created = 1000;
  for (int i = 0; i < 100; ++i) {
    b.created(p);
    b.waits(p);
  }
  p.head_sent = 1100;
  b.sent(p);
  EXPECT_FALSE(b.growth().growing);
  EXPECT_EQ(b.growth().growth, 0);
  EXPECT_EQ(b.growth().in_all, 0);
}

/// A window from 100 to 1699; what is created or sent just before or after it does not count in it.
TEST(source_backlogs, a_window_has_its_first_cycle_and_not_the_one_after_its_last) {
  source_backlogs b(1, 1, {source_load::kind::counted, 0}, 100, 1600);
  for (const cycle_t created : {99, 100, 1699, 1700}) b.created(packet_of(0, 3, created, 0));
  for (const cycle_t sent : {99, 100, 1699, 1700}) b.sent(packet_of(0, 5, 98, sent));
  b.waits(packet_of(0, 7, 1699, 0));
  b.waits(packet_of(0, 9, 1700, 0));
  std::vector<std::uint64_t> expected(16);
  expected[0] = expected[15] = 5;  // flits sent, by sixteenths of the window
  expected.insert(expected.end(), {0, 98, 2, 7});  // never empty, the oldest packet, two that wait, the longest
  std::vector<std::uint64_t> created(16);
  created[0] = created[15] = 3;
  for (int i = 0; i < 2; ++i) expected.insert(expected.end(), created.begin(), created.end());  // of all, of the queue
  EXPECT_EQ(words_of(b), expected);
  b.sent(packet_of(0, 1, 300, 300));
  b.sent(packet_of(0, 1, 200, 200));
  EXPECT_EQ(words_of(b)[16], 201u) << "empty until the last packet that was sent at once";
}

/// Each is offered 100 flits in each of 16 bins. The first source sends `a` and `c` less than that by turns. The second
/// sends as many more as the first sends less: together they do not grow.
TEST(source_backlogs, one_source_grows_for_sure_beyond_three_errors_and_what_chance_makes_of_as_many_sources) {
  const auto growth = [](int a, int c, unsigned sources) {
    source_backlogs b(sources, 1, known(1), 0, 1600);
    const auto send = [&](node_id source, int bin, int more) {
      b.sent(packet_of(source, 1, 0, static_cast<cycle_t>(100 * bin + 1)));
      for (int i = 1; i < 100 - more; ++i)
        b.sent(packet_of(source, 1, 0, static_cast<cycle_t>(100 * bin + 1 + i % 99)));
    };
    for (int bin = 0; bin < 16; ++bin) {
      send(0, bin, bin % 2 ? a : c);
      send(1, bin, -(a + c) / 2);
    }
    for (const node_id source : {0u, 1u}) b.waits(packet_of(source, 1, 0, 0));
    return b.growth();
  };
  // 8 (a + c) over the error |a - c| sqrt(64 / 15). Of two sources it has to be 3, of 100 the t quantile 4.07.
  const auto ratio = [](double a, double c) { return 8 * (a + c) / std::abs(a - c) / std::sqrt(64 / 15.); };
  EXPECT_NEAR(student_t(15, .0005), 4.073, .001);
  struct {
    int a, c;
    double errors;
    bool of_two, of_hundred;
  } const cases[] = {{35, -5, 2.90, false, false}, {36, -4, 3.10, true, false}, {38, -2, 3.49, true, false},
                     {53, 1, 4.02, true, false},   {43, 1, 4.06, true, false},  {44, 4, 4.65, true, true}};
  for (const auto& c : cases) {
    EXPECT_NEAR(ratio(c.a, c.c), c.errors, .01);
    for (const unsigned sources : {2u, 100u}) {
      const backlog_growth found = growth(c.a, c.c, sources);
      const bool grows = sources == 2 ? c.of_two : c.of_hundred;
      EXPECT_NEAR(found.growth, 0, 1e-12);
      EXPECT_EQ(found.growing, grows) << c.errors << " errors, " << sources << " sources";
      EXPECT_EQ(found.sources, grows ? 1u : 0u);
      EXPECT_DOUBLE_EQ(found.worst_growth, 8 * (c.a + c.c) / 1600.);
    }
  }
}

/// Nothing is sent: a queue grows by what it is offered, but for a packet.
TEST(source_backlogs, the_first_of_the_fastest_is_the_worst_and_a_node_counts_once) {
  source_backlogs equal(3, 2, known(.1), 0, 1600);
  for (const node_id source : {1u, 2u})
    for (const unsigned message_class : {0u, 1u}) {
      packet_record p = packet_of(source, 4, 0, 0);
      p.message_class = message_class & 15;
      equal.waits(p);
    }
  EXPECT_EQ(equal.growth().sources, 2u);
  EXPECT_EQ(equal.growth().worst, 1u);
  EXPECT_DOUBLE_EQ(equal.growth().worst_growth, .1);
  EXPECT_DOUBLE_EQ(equal.growth().growth, .4);
  EXPECT_DOUBLE_EQ(equal.growth().standard_error, std::sqrt(4.) * 4 / 1600) << "of each queue a packet";

  source_backlogs uneven(3, 1, known(.1), 0, 1600);
  for (const node_id source : {0u, 1u, 2u}) {
    uneven.waits(packet_of(source, 1, 0, 0));
    for (cycle_t bin = 0; bin < 16; ++bin)  // the second sends nothing, the third less than the first
      for (cycle_t i = 0; i < (source == 0 ? 4u : source == 1 ? 0u : 2u); ++i)
        uneven.sent(packet_of(source, 1, 0, 100 * bin + 1 + i));
  }
  EXPECT_EQ(uneven.growth().sources, 3u);
  EXPECT_EQ(uneven.growth().worst, 1u);
  EXPECT_DOUBLE_EQ(uneven.growth().worst_growth, .1);
  EXPECT_DOUBLE_EQ(uneven.growth().standard_error, std::sqrt(3.) / 1600);
}

/// Every queue empties now and then, but all together they hold more and more.
TEST(source_backlogs, growth_of_all_that_is_none_of_one) {
  for (const bool more : {false, true}) {
    source_backlogs b(64, 1, known(.5), 0, 1600);
    packet_record p;
    p.flits = 1;
    for (node_id n = 0; n < 64; ++n)
      for (cycle_t t = 0; t < 1600; t += 2) {
        p.source = n;
        p.created = t;
        p.head_sent = t;
        b.created(p);
        if (more && t > 800 && t % 10 == 0)
          b.waits(p);
        else
          b.sent(p);
      }
    EXPECT_EQ(b.growth().growing, more);
    EXPECT_EQ(b.growth().sources, 0u);
    EXPECT_NEAR(b.growth().in_all, more ? 64 * .1 : 0, .1);
  }
}

/// 64 sources send a packet every two cycles, but that `waiting` of those of the second half stay.
source_backlogs with_some_waiting(std::uint32_t flits, unsigned waiting) {
  source_backlogs b(64, 1, known(flits / 2.), 0, 1600);
  unsigned left = waiting;
  for (node_id n = 0; n < 64; ++n)
    for (cycle_t t = 0; t < 1600; t += 2) {
      const packet_record p = packet_of(n, flits, t, t);
      b.created(p);
      if (t > 800 && t % 100 == 50 && left > 0) {
        b.waits(p);
        --left;
      } else {
        b.sent(p);
      }
    }
  EXPECT_EQ(left, 0u);
  return b;
}

/// 25,600 packets of a flit come in the second half: 160 more or less are chance, and 2.5 times as many still may be.
TEST(source_backlogs, growth_of_all_is_beyond_chance) {
  for (const unsigned more : {390u, 410u}) {
    const source_backlogs b = with_some_waiting(1, more);
    EXPECT_EQ(b.growth().growing, more == 410) << more;
    EXPECT_EQ(b.growth().sources, 0u);
  }
}

/// 25,600 packets of four flits come in the second half: sqrt(102,400 * 4) = 640 flits more or less are chance, and 2.5
/// times as many, 400 packets, still may be.
TEST(source_backlogs, chance_is_of_packets) {
  for (const unsigned more : {390u, 410u}) {
    const source_backlogs b = with_some_waiting(4, more);
    EXPECT_EQ(b.growth().growing, more == 410) << more;
    EXPECT_DOUBLE_EQ(b.growth().in_all, 4 * more / 800.);
  }
  // Packets that are sent are known to be as long as those that wait.
  source_backlogs b(1, 1, known(.1), 0, 1600);
  for (cycle_t t = 0; t < 1600; t += 100) b.sent(packet_of(0, 40, 0, t + 1));
  b.waits(packet_of(0, 1, 0, 0));
  EXPECT_DOUBLE_EQ(b.growth().standard_error, 40 / 1600.);
}

/// A packet now and then that waits long is not evidence.
TEST(source_backlogs, few_packets_prove_nothing) {
  source_backlogs b(4096, 1, known(.0075), 0, 1000);
  packet_record p;
  p.flits = 16;
  for (node_id n = 0; n < 10; ++n) {
    p.source = n;
    p.created = 400;
    b.waits(p);
  }
  EXPECT_FALSE(b.growth().growing);
}

TEST(source_backlogs, words_add_up) {
  const cycle_t window = 10000;
  source_backlogs whole(8, 1, known(.55), 2000, window);
  source_backlogs one(8, 1, known(.55), 2000, window);
  source_backlogs other(8, 1, known(.55), 2000, window);
  for (node_id n = 0; n < 8; ++n) {
    serve(whole, n, .55, 8, window, 1);
    serve(n % 2 ? one : other, n, .55, 8, window, 1);
  }
  const std::vector<std::uint64_t> words = words_of(other);
  word_reader in(words);
  one.add_from(in);
  EXPECT_FALSE(in.more());
  EXPECT_GT(whole.growth().growth, 0);
  EXPECT_EQ(one.growth().growth, whole.growth().growth);
  EXPECT_EQ(one.growth().sources, whole.growth().sources);
  EXPECT_EQ(words_of(one), words_of(whole));
  // Likewise where the load is counted.
  const source_load counted{source_load::kind::counted, 0};
  source_backlogs both(2, 1, counted, 0, 1600), first = both, second = both;
  for (cycle_t t = 0; t < 1600; t += 7) {
    const packet_record p =
        packet_of(static_cast<node_id>(t % 2), static_cast<std::uint32_t>(1 + t % 3), t, t + t % 5);
    for (source_backlogs* b : {&both, t % 3 ? &first : &second}) {
      b->created(p);
      b->sent(p);
    }
  }
  const std::vector<std::uint64_t> of_second = words_of(second);
  word_reader reader(of_second);
  first.add_from(reader);
  EXPECT_FALSE(reader.more());
  EXPECT_EQ(words_of(first), words_of(both));
}

TEST(source_backlogs, packets_of_one_queue_that_wait_here_and_there_add_up) {
  source_backlogs one(1, 1, known(.1), 0, 1600);
  packet_record p;
  p.created = 1;
  one.waits(p);
  const std::vector<std::uint64_t> words = words_of(one);
  word_reader in(words);
  one.add_from(in);
  EXPECT_TRUE(one.growth().growing);
  EXPECT_DOUBLE_EQ(one.growth().growth, .1) << "nothing was sent";
}

TEST(source_backlogs, a_window_that_is_doubled_is_a_longer_window) {
  source_backlogs longer(1, 1, known(.5), 0, 3200);
  source_backlogs doubled(1, 1, known(.5), 0, 1600);
  packet_record p;
  const auto packet_at = [&p](cycle_t t) {
    p.created = 4 * t / 5;
    p.head_sent = t;
    return p;
  };
  for (cycle_t t = 0; t < 4000; t += 3) longer.sent(packet_at(t));
  for (cycle_t t = 0; t < 2000; t += 3) doubled.sent(packet_at(t));  // with its drain
  doubled.double_window();
  for (cycle_t t = 1602; t < 4000; t += 3) doubled.sent(packet_at(t));
  EXPECT_GT(longer.growth().growth, 0);
  EXPECT_EQ(doubled.growth().growth, longer.growth().growth);
  EXPECT_EQ(doubled.growth().standard_error, longer.growth().standard_error);
  const source_load load{source_load::kind::counted, 0};
  source_backlogs of_3200(1, 1, load, 0, 3200), of_1600(1, 1, load, 0, 1600);
  for (cycle_t t = 0; t < 1600; t += 3)
    for (source_backlogs* b : {&of_3200, &of_1600}) b->created(packet_at(t));
  of_1600.double_window();
  EXPECT_EQ(words_of(of_1600), words_of(of_3200));
}

TEST(source_backlogs, what_waits_at_the_end_of_a_window_is_told_again_when_it_is_doubled) {
  source_backlogs b(1, 1, known(.1), 0, 1600);
  packet_record p;
  p.created = 1;
  b.waits(p);
  EXPECT_TRUE(b.growth().growing);
  b.double_window();
  EXPECT_FALSE(b.growth().growing);
  b.waits(p);
  EXPECT_TRUE(b.growth().growing);
}

TEST(source_backlogs, a_state_has_all_that_was_told) {
  const source_load load{source_load::kind::counted, 0};
  source_backlogs before(2, 1, load, 100, 1600), after(2, 1, load, 0, 1);
  packet_record p;
  p.flits = 3;
  p.source = 1;
  for (cycle_t t = 100; t < 1700; t += 10) {
    p.created = p.head_sent = t;
    before.created(p);
    p.head_sent += t < 300 ? 0 : t / 5;
    before.sent(p);
  }
  before.waits(p);
  state_archive saved;
  before.archive(saved);
  state_archive read(saved.bytes());
  after.archive(read);
  read.end();
  EXPECT_EQ(words_of(after), words_of(before));
  EXPECT_GT(before.growth().growth, 0);
  EXPECT_EQ(after.growth().growth, before.growth().growth);
  EXPECT_EQ(after.growth().in_all, before.growth().in_all);
  for (const auto& [window, wrong] : {std::pair<std::uint64_t, bool>{0, true},
                                      {1, false},
                                      {(std::uint64_t{1} << 50) - 1, false},
                                      {std::uint64_t{1} << 50, true}}) {
    source_backlogs b(1, 1, {source_load::kind::limited, 0}, 0, window);
    state_archive a;
    b.archive(a);
    state_archive from(a.bytes());
    EXPECT_EQ(error_of<damaged_state>([&] { b.archive(from); }), wrong ? "a window has no cycles" : "none") << window;
  }
}

}  // namespace
}  // namespace toriscope::source_backlogs_test
