// SPDX-License-Identifier: Apache-2.0
// Drawing ahead against the naive draw of every node in every cycle, on the same streams.
#include "testbenches/simulation/traffic/synthetic_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/error_of_test.h"
#include "testbenches/simulation/traffic/uniform_pattern.h"

namespace toriscope::synthetic_source_test {
namespace {

struct seen {
  cycle_t cycle;
  node_id source, destination;
  std::uint32_t flits;
  bool operator==(const seen& o) const {
    return cycle == o.cycle && source == o.source && destination == o.destination && flits == o.flits;
  }
};

std::vector<seen> run(traffic_source& source, cycle_t cycles, cycle_t from = 0) {
  std::vector<seen> result;
  std::vector<packet_request> requests;
  for (cycle_t t = from; t < cycles; ++t) {
    requests.clear();
    source.packets_at(t, requests);
    for (const packet_request& r : requests) result.push_back({t, r.source, r.destination, r.flits});
  }
  return result;
}

/// In every cycle, for every node: one draw, compared with the probability; then lengths and destinations.
std::vector<seen> naive(node_id nodes, const traffic_pattern& pattern, const synthetic_source::config& c,
                        cycle_t cycles) {
  const std::uint64_t p = synthetic_source::packets_per_cycle(c.rate_flits_per_node_cycle, c.lengths);
  const arrival_process process(c.arrivals, p);
  std::vector<random_stream> random;
  std::vector<std::uint64_t> sum;
  std::vector<bool> on;
  const on_off_chain chain =
      c.arrivals == arrival_kind::on_off ? on_off_chain(p, c.mean_burst_packets) : on_off_chain();
  for (node_id n = 0; n < nodes; ++n) {
    random.emplace_back(c.seed, n);
    if (c.arrivals == arrival_kind::constant) sum.push_back(random.back().next() >> 1);
    if (c.arrivals == arrival_kind::on_off) on.push_back(random.back().next() >> 1 < p);
  }
  std::vector<seen> result;
  for (cycle_t t = 0; t < cycles; ++t)
    for (node_id n = 0; n < nodes; ++n) {
      unsigned packets = 0;
      if (c.arrivals == arrival_kind::constant) {
        sum[n] += p;
        if (sum[n] >= certain) sum[n] -= certain, packets = 1;
      } else if (c.arrivals == arrival_kind::on_off) {
        packets = on[n];
        on[n] = chain.next(on[n], random[n]);
      } else {
        packets = process.count(random[n].next());
      }
      for (; packets > 0; --packets) {
        const std::uint32_t flits = c.lengths.draw(random[n]);
        result.push_back({t, n, pattern.destination(n, random[n]), flits});
      }
    }
  return result;
}

TEST(synthetic_source, drawing_ahead_equals_drawing_every_cycle) {
  const node_id nodes = 23;
  const auto pattern = std::make_shared<uniform_pattern>(nodes, false);
  for (const arrival_kind arrivals : arrival_kinds())
    for (const double rate : {0.0001, 0.003, 0.1, 0.7, 1.0})
      for (const char* lengths : {"1", "16", "4:0.5,16:0.5"}) {
        // Bursts leave gaps: not every cycle can have a packet.
        if (arrivals == arrival_kind::on_off && rate == 1 && lengths == std::string("1")) continue;
        synthetic_source::config c;
        c.rate_flits_per_node_cycle = rate;
        c.lengths = packet_lengths(lengths);
        c.arrivals = arrivals;
        c.seed = 77;
        synthetic_source source(nodes, pattern, c);
        const std::vector<seen> expected = naive(nodes, *pattern, c, 5000);
        EXPECT_EQ(run(source, 5000), expected) << to_string(arrivals) << ' ' << rate << ' ' << lengths;
        EXPECT_FALSE(rate >= 0.1 && expected.empty());
      }
}

TEST(synthetic_source, begins_in_the_cycle_in_which_it_is_first_asked) {
  synthetic_source::config c;
  c.rate_flits_per_node_cycle = 0.1;
  const auto pattern = std::make_shared<uniform_pattern>(64, false);
  synthetic_source early(64, pattern, c), late(64, pattern, c);
  std::vector<seen> expected = run(early, 600);
  for (seen& s : expected) s.cycle += 37;
  EXPECT_EQ(run(late, 637, 37), expected);
}

/// Saved in some cycle, and again where it goes on, before that cycle.
TEST(synthetic_source, goes_on_from_a_state_that_was_read_and_saved_again) {
  synthetic_source::config c;
  c.rate_flits_per_node_cycle = 0.01;  // of 16 flits: most nodes have no packet within the horizon
  const auto pattern = std::make_shared<uniform_pattern>(64, false);
  const auto resumed = [&](const std::string& state, cycle_t now) {
    synthetic_source source(64, pattern, c);
    state_archive a(state);
    source.archive(a, now);
    a.end();
    return source;
  };
  const auto state_of = [](synthetic_source& source, cycle_t now) {
    state_archive a;
    source.archive(a, now);
    return a.bytes();
  };
  synthetic_source source(64, pattern, c);
  for (cycle_t now = 1; now <= 300; ++now) {
    std::vector<packet_request> packets;
    source.packets_at(now - 1, packets);
    if (now < 250) continue;
    synthetic_source first = resumed(state_of(source, now), now);
    synthetic_source second = resumed(state_of(first, now), now);
    EXPECT_EQ(run(second, now + 1000, now), run(first, now + 1000, now)) << now;
  }
}

/// Whether draws are shared out before or after, whatever comes next: a packet within the horizon or none.
TEST(synthetic_source, goes_on_from_a_state_as_if_it_had_not_been_saved) {
  const node_id nodes = 300;
  const auto pattern = std::make_shared<uniform_pattern>(nodes, false);
  for (const arrival_kind arrivals : arrival_kinds()) {
    synthetic_source::config c;
    c.rate_flits_per_node_cycle = 0.03;  // of 16 flits: half of the nodes have no packet within the horizon
    c.arrivals = arrivals;
    c.seed = 5;
    const std::vector<seen> expected = naive(nodes, *pattern, c, 1100);
    for (const cycle_t now : {0u, 1u, 17u, 255u, 256u, 300u})
      for (const unsigned shares : {0u, 2u}) {
        synthetic_source before(nodes, pattern, c), after(nodes, pattern, c);
        if (shares > 0) before.share_draws(shares);
        std::vector<packet_request> packets;
        for (cycle_t t = 0; t < now; ++t) {
          for (unsigned share = 0; t > 0 && share < shares; ++share) before.draw_ahead(share);
          before.packets_at(t, packets);
        }
        for (unsigned share = 0; now > 0 && share < shares; ++share) before.draw_ahead(share);
        state_archive saved;
        before.archive(saved, now);
        state_archive read(saved.bytes());
        after.archive(read, now);
        read.end();
        std::vector<seen> all = expected;
        all.erase(all.begin(), std::find_if(all.begin(), all.end(), [&](const seen& s) { return s.cycle >= now; }));
        EXPECT_EQ(run(after, 1100, now), all) << to_string(arrivals) << ' ' << now << ' ' << shares;
      }
  }
}

TEST(synthetic_source, a_state_is_refused_with_packets_beyond_the_horizon_or_where_there_are_none) {
  synthetic_source::config c;
  const auto pattern = std::make_shared<uniform_pattern>(2, false);
  const auto verdict = [&](bool has_packet, std::uint64_t ahead) {
    state_archive a;
    std::uint64_t begun = 1, random = 7;
    a.number(begun);
    for (int n = 0; n < 2; ++n) {
      a.word(random);
      a.number(has_packet);
      a.number(ahead);
    }
    synthetic_source source(2, pattern, c);
    state_archive read(a.bytes());
    return error_of<damaged_state>([&] { source.archive(read, 1000); });
  };
  const std::string range = "a number is out of its range";
  EXPECT_EQ(verdict(true, 255), "none");
  EXPECT_EQ(verdict(true, 256), range);
  EXPECT_EQ(verdict(false, 256), "none");
  EXPECT_EQ(verdict(false, 257), range);
  c.rate_flits_per_node_cycle = 0;
  EXPECT_EQ(verdict(true, 255), "a source without packets has begun");
}

TEST(synthetic_source, the_rate_is_in_flits_whatever_the_lengths) {
  const node_id nodes = 64;
  const auto pattern = std::make_shared<uniform_pattern>(nodes, false);
  for (const arrival_kind arrivals : arrival_kinds())
    for (const char* lengths : {"1", "16", "4:0.5,16:0.5"}) {
      synthetic_source::config c;
      c.rate_flits_per_node_cycle = 0.2;
      c.lengths = packet_lengths(lengths);
      c.arrivals = arrivals;
      synthetic_source source(nodes, pattern, c);
      const cycle_t cycles = 5000;
      double flits = 0;
      for (const seen& s : run(source, cycles)) flits += s.flits;
      // The variance of a Bernoulli or Poisson sum of packets is at most their number times the mean square
      // length.
      const double slots = static_cast<double>(nodes * cycles);
      const double sigma = std::sqrt(slots * 0.2 / c.lengths.mean() * 16 * 16);
      EXPECT_NEAR(flits, slots * 0.2, 4 * sigma) << to_string(arrivals) << ' ' << lengths;
    }
}

TEST(synthetic_source, constant_arrivals_are_evenly_spaced) {
  synthetic_source::config c;
  c.rate_flits_per_node_cycle = 1.0 / 512;  // one packet of 4 flits every 2048 cycles: beyond the horizon
  c.lengths = packet_lengths(4);
  c.arrivals = arrival_kind::constant;
  synthetic_source source(3, std::make_shared<uniform_pattern>(3, false), c);
  std::vector<std::vector<cycle_t>> times(3);
  for (const seen& s : run(source, 20480)) times[s.source].push_back(s.cycle);
  for (const auto& t : times) {
    ASSERT_EQ(t.size(), 10u);
    for (std::size_t i = 1; i < t.size(); ++i) EXPECT_EQ(t[i] - t[i - 1], 2048u);
  }
}

TEST(synthetic_source, same_seed_same_packets_other_seed_others) {
  const auto packets = [](std::uint64_t seed) {
    synthetic_source::config c;
    c.seed = seed;
    synthetic_source source(16, std::make_shared<uniform_pattern>(16, false), c);
    return run(source, 3000);
  };
  EXPECT_EQ(packets(1), packets(1));
  EXPECT_FALSE(packets(1) == packets(2));
}

TEST(synthetic_source, nothing_at_rate_0) {
  synthetic_source::config c;
  c.rate_flits_per_node_cycle = 0;
  synthetic_source source(1000000, std::make_shared<uniform_pattern>(1000000, false), c);
  EXPECT_TRUE(run(source, 1000).empty());
}

TEST(synthetic_source, one_flit_per_node_and_cycle) {
  synthetic_source::config c;
  c.rate_flits_per_node_cycle = 1;
  c.lengths = packet_lengths(1);
  synthetic_source source(5, std::make_shared<uniform_pattern>(5, false), c);
  EXPECT_EQ(run(source, 100).size(), 500u);
}

}  // namespace
}  // namespace toriscope::synthetic_source_test
