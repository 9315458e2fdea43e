// SPDX-License-Identifier: Apache-2.0
// One router on a bench of its own, without SystemC: what it does in which cycle (docs/model.md).
#include "router/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/error_of_test.h"
#include "router/network_archive.h"
#include "router/router_bench.h"

namespace toriscope::router_test {
namespace {

using bench = router_bench;

TEST(router, sends_a_flit_that_meets_nobody_after_its_stages) {
  for (const pipeline p : {pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009}) {
    bench b(config_of(p));
    b.run_to(9);
    b.show(10, 0, b.head(1, 1, true));
    b.run_to(20);
    ASSERT_EQ(b.sent[1].size(), 1u) << to_string(p);
    const auto [cycle, f] = *b.sent[1].begin();
    EXPECT_EQ(cycle, 10 + b.network.timing.router_cycles()) << to_string(p);
    EXPECT_EQ(f.vc(), 0u) << "the first free VC at or after pointer 0";
    EXPECT_EQ(b.network.layout.state(f), 1u) << "the head carries the route state of its option";
    const cycle_t freed = p == pipeline::four_stage ? 12 : 10;  // SA, or SW
    EXPECT_EQ(b.credits_sent_back[0], (std::map<cycle_t, std::uint16_t>{{freed, 2}})) << to_string(p);
    EXPECT_EQ(b.core.flits(), 0u);
    EXPECT_EQ(b.core.credits(0, 0), config_of(p).depth);
    EXPECT_EQ(b.core.credits(2, 0), 0u) << "a local port's are not counted";
  }
}

TEST(router, body_flits_follow_at_full_rate) {
  bench b(config_of(pipeline::four_stage));
  b.run_to(9);
  for (cycle_t t = 10; t < 14; ++t) {
    b.show(t, 0, t == 10 ? b.head(1, 0) : b.body(static_cast<unsigned>(t - 10), 0, t == 13));
    b.run_to(t);
  }
  b.run_to(30);
  std::vector<cycle_t> cycles;
  for (const auto& [t, f] : b.sent[1]) cycles.push_back(t);
  EXPECT_EQ(cycles, (std::vector<cycle_t>{13, 14, 15, 16}));
}

TEST(router, stops_without_credit_and_goes_on_in_the_cycle_of_the_credit) {
  bench b(config_of(pipeline::single_cycle, vc_reallocation::non_atomic, 2));
  b.run_to(9);
  for (cycle_t t = 10; t < 13; ++t) {
    b.show(t, 0, t == 10 ? b.head(1, 0) : b.body(static_cast<unsigned>(t - 10), 0, t == 12));
    b.run_to(t);
  }
  b.run_to(20);
  EXPECT_EQ(b.sent[1].size(), 2u) << "two slots downstream";
  EXPECT_EQ(b.core.credits(1, 0), 0u);
  EXPECT_EQ(b.core.occupancy(0, 0), 1u);
  b.credits_in[1]->send(20, {1});  // shown in 21
  b.run_to(30);
  EXPECT_EQ(b.sent[1].rbegin()->first, 21u);
  EXPECT_TRUE(b.sent[1].rbegin()->second.tail());
}

/// Two packets of one flit, one behind the other in one VC, both for output VC 0: when does the second one
/// leave?
cycle_t second_leaves(vc_reallocation r) {
  bench b(config_of(pipeline::single_cycle, r), 1);
  b.run_to(9);
  b.show(10, 0, b.head(1, 0, true));
  b.run_to(10);
  b.show(11, 0, b.head(1, 0, true));
  b.run_to(15);
  b.credits_in[1]->send(15, {1});  // shown in 16
  b.run_to(30);
  return b.sent[1].rbegin()->first;
}

TEST(router, grants_an_output_vc_again_after_the_tail_or_after_the_last_credit) {
  EXPECT_EQ(second_leaves(vc_reallocation::non_atomic), 11u);
  EXPECT_EQ(second_leaves(vc_reallocation::atomic), 17u) << "in the cycle after the credit was shown";
}

/// A packet of four flits from cycle `first` on: how many cycles later they are sent over a link of F = 3.
std::vector<cycle_t> sent_over_narrow_link(pipeline stages, cycle_t first = 10) {
  bench b(config_of(stages), 0xffff, 3);
  b.now = first - 10;
  b.run_to(first - 1);
  for (unsigned i = 0; i < 4; ++i) {
    b.show(first + i, 0, i == 0 ? b.head(1, 0) : b.body(i, 0, i == 3));
    b.run_to(first + i);
  }
  std::vector<cycle_t> cycles;
  b.run_to(first + 50);
  for (const auto& [t, f] : b.sent[1]) cycles.push_back(t - first);
  EXPECT_FALSE(b.core.step(first + 50, 0)) << "nothing is left to do";
  return cycles;
}

TEST(router, sends_a_flit_every_f_cycles_over_a_narrow_link) {
  EXPECT_EQ(sent_over_narrow_link(pipeline::single_cycle), (std::vector<cycle_t>{0, 3, 6, 9}));
  EXPECT_EQ(sent_over_narrow_link(pipeline::four_stage), (std::vector<cycle_t>{3, 6, 9, 12}));
}

// Routers keep the low bits of a cycle: 16, or 32.
TEST(router, sends_over_a_narrow_link_in_late_cycles_as_in_early_ones) {
  for (const cycle_t turn : {cycle_t{1} << 15, cycle_t{1} << 16, cycle_t{1} << 32})
    for (cycle_t first = turn - 12; first < turn + 2; ++first)
      for (const pipeline stages : {pipeline::single_cycle, pipeline::four_stage})
        EXPECT_EQ(sent_over_narrow_link(stages, first), sent_over_narrow_link(stages)) << first;
}

TEST(router, lets_others_pass_while_a_port_is_sending) {
  // Two packets of one flit from one input port, the first for the narrow link, and behind it another one.
  bench b(config_of(pipeline::single_cycle), 0xffff, 5);
  b.run_to(9);
  b.show(10, 2, b.head(1, 0, true));
  b.show(10, 0, b.head(1, 0, true));
  b.run_to(10);
  b.show(11, 2, b.head(2, 1, true));
  b.run_to(30);
  ASSERT_EQ(b.sent[1].size(), 2u);
  EXPECT_EQ(b.sent[1].begin()->first, 10u);
  EXPECT_EQ(b.sent[1].rbegin()->first, 15u) << "port 1 sends nothing else for five cycles";
  ASSERT_EQ(b.sent[2].size(), 1u);
  EXPECT_EQ(b.sent[2].begin()->first, 11u) << "the local port is free, and so is the input port";
}

TEST(router, takes_turns_between_input_ports) {
  bench b(config_of(pipeline::single_cycle, vc_reallocation::non_atomic, 64));
  b.run_to(9);
  for (cycle_t t = 10; t < 20; ++t) {  // a packet from port 0 and one from the local port, for the same link
    b.show(t, 0, t == 10 ? b.head(1, 0) : b.body(static_cast<unsigned>(t - 10), 0, false));
    b.show(t, 2, t == 10 ? b.head(1, 0) : b.body(static_cast<unsigned>(t - 10), 0, false));
    b.run_to(t);
  }
  b.run_to(26);
  std::vector<unsigned> vcs;
  for (const auto& [t, f] : b.sent[1]) vcs.push_back(f.vc());
  EXPECT_EQ(vcs, (std::vector<unsigned>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}))
      << "VC 0 is granted to port 0 in cycle 10, VC 1 to the local port in 11; from then on they alternate";
}

TEST(router, observers_tell_the_state) {
  bench b(config_of(pipeline::four_stage));
  b.run_to(9);
  b.show(10, 0, b.head(1, 1));
  const vc_state expected[] = {vc_state::waiting_vc, vc_state::active, vc_state::active};
  EXPECT_EQ(b.core.input_state(0, 1), vc_state::idle);
  for (cycle_t t = 10; t < 13; ++t) {
    b.run_to(t + 1);
    EXPECT_EQ(b.core.input_state(0, 1), expected[t - 10]) << "after cycle " << t;
  }
  EXPECT_TRUE(b.core.output_register(1).valid());
  EXPECT_EQ(b.core.output_owner(1, 0), 1);
  EXPECT_EQ(b.core.credits(1, 0), 3u);
  ASSERT_TRUE(b.core.assigned(0, 1));
  EXPECT_EQ(b.core.assigned(0, 1)->port, 1);
  EXPECT_EQ(b.core.occupancy(0, 1), 0u);
  EXPECT_EQ(b.core.output_owner(1, 1), -1);
}

TEST(router, notices_what_must_never_happen) {
  const auto says = [](const char* what) { return testing::HasSubstr(what); };
  {
    bench b(config_of(pipeline::four_stage));
    b.run_to(9);
    b.show(10, 0, b.body(1, 0, false));
    EXPECT_THAT(error_of([&] { b.run_to(12); }), says("a body flit arrived without its head"));
  }
  {
    bench b(config_of(pipeline::four_stage, vc_reallocation::non_atomic, 1));
    b.run_to(9);
    b.show(10, 0, b.head(1, 0));
    b.run_to(10);
    b.show(11, 0, b.body(1, 0, false));
    EXPECT_THAT(error_of([&] { b.run_to(13); }), says("a flit arrived for a full VC buffer"));
  }
  {
    bench b(config_of(pipeline::four_stage));
    b.run_to(9);
    b.credits_in[0]->send(9, {1});
    EXPECT_THROW(b.run_to(13), invariant_violation) << "a credit too many";
  }
  {
    bench b(config_of(pipeline::single_cycle));
    b.run_to(9);
    b.show(10, 0, b.head(1, 0));
    b.run_to(11);
    b.show(12, 0, b.head(1, 0));
    EXPECT_THAT(error_of([&] { b.run_to(13); }), says("a head arrived within another packet of its VC"));
  }
}

router_config with_three_vcs() {
  router_config c = config_of(pipeline::single_cycle);
  c.vcs = 3;
  return c;
}

/// What is said of the state of a router at rest.
std::string verdict_of(const std::string& bytes) {
  bench b(with_three_vcs());
  b.run_to(10);
  state_archive a{std::string_view(bytes)};
  network_archive s(a, b.network, 8, 10);
  return error_of<damaged_state>([&] { b.core.archive(s); });
}

TEST(router, takes_no_pointer_beyond_its_input_vcs) {
  bench b(with_three_vcs());
  b.run_to(10);
  state_archive saved;
  network_archive s(saved, b.network, 8, 10);
  b.core.archive(s);
  const std::string bytes = saved.bytes();
  EXPECT_EQ(verdict_of(bytes), "none");
  unsigned pointers = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != 63) continue;  // the last of 64
    ++pointers;
    std::string other = bytes;
    other[i] = 64;
    EXPECT_EQ(verdict_of(other), "a number is out of its range") << "byte " << i;
    other[i] = 62;
    EXPECT_EQ(verdict_of(other), "none") << "byte " << i;
  }
  EXPECT_EQ(pointers, unsigned{bench::ports});
}

// A packet of one flit that comes in cycle 10 is granted the switch in 12, and sent in 13.
TEST(router, counts_a_flit_as_sent_when_it_leaves_the_output_register) {
  for (unsigned to = 0; to < bench::ports; ++to) {
    bench b(config_of(pipeline::four_stage));
    b.run_to(9);
    b.show(10, (to + 1) % 3, b.head(to, 0, true));
    for (cycle_t done = 9; done < 16; ++done) {
      b.run_to(done + 1);
      EXPECT_EQ(b.core.has_flits_in_output_registers(), done == 12) << to << ' ' << done;
      for (port_id p = 0; p < bench::ports; ++p) {
        EXPECT_EQ(b.core.flits_granted(p), p == to && done >= 12) << to << ' ' << done;
        EXPECT_EQ(b.core.flits_sent(p), p == to && done >= 13) << to << ' ' << done;
        EXPECT_EQ(b.core.output_register(p).valid(), p == to && done == 12) << to << ' ' << done;
      }
    }
  }
}

TEST(router, has_work_when_something_comes_for_it_or_is_in_it) {
  bench b(config_of(pipeline::single_cycle), 0xffff, 3);
  b.run_to(9);
  EXPECT_FALSE(b.core.has_work(0));
  for (unsigned p = 0; p < 31; ++p) {
    EXPECT_TRUE(b.core.has_work(arrival_mask{1} << flit_arrival(p))) << p;
    EXPECT_TRUE(b.core.has_work(arrival_mask{1} << credit_arrival(p))) << p;
  }
  EXPECT_FALSE(b.core.has_work(arrival_mask{1} << ejection_arrival)) << "the interface's";
  EXPECT_FALSE(b.core.has_work(arrival_mask{1} << injection_credit_arrival)) << "the interface's";
  EXPECT_EQ(router::ports_with_flits(arrival_mask{5} | arrival_mask{3} << credit_arrival(0)).mask(), 5u);
  b.show(10, 0, b.head(1, 0, true));
  b.run_to(10);
  EXPECT_FALSE(b.core.has_work(0)) << "before it comes";
  for (cycle_t done = 10; done < 15; ++done) {
    b.run_to(done + 1);
    EXPECT_EQ(b.core.has_work(0), done < 13) << "the link is narrow: " << done;
  }
}

/// Packets of two VCs that cannot leave: the age of what is at the front, and when the last flit came.
TEST(router, knows_since_when_a_flit_is_at_the_front_and_when_the_last_one_came) {
  bench b(config_of(pipeline::single_cycle, vc_reallocation::non_atomic, 4));
  b.run_to(9);
  // Four credits: of a packet of seven flits the fifth stays at the front from cycle 14 on.
  for (unsigned i = 0; i < 7; ++i) {
    b.show(10 + i, 0, i == 0 ? b.head(1, 0) : b.body(i, 0, i == 6));
    b.run_to(10 + i);
  }
  b.run_to(40);
  EXPECT_EQ(b.core.occupancy(0, 0), 3u);
  EXPECT_EQ(b.core.front_age(0, 0, 39), 39u - 14);
  EXPECT_EQ(b.core.last_taken(0, 0, 39), 16u);
  b.credits_in[1]->send(40, {1});  // shown in 41: the fifth leaves, and the next is at the front
  b.run_to(60);
  EXPECT_EQ(b.core.front_age(0, 0, 59), 59u - 41);
  EXPECT_EQ(b.core.last_taken(0, 0, 59), 16u) << "before that";
}

TEST(router_shape, numbers_the_vcs_of_each_port_in_a_slice_of_a_power_of_two) {
  for (unsigned ports = 1; ports <= 31; ++ports)
    for (unsigned vcs = 1; vcs <= 16; ++vcs) {
      const router_shape n = router_shape::of(ports, vcs);
      unsigned slice = 1;
      while (slice < vcs) slice *= 2;
      ASSERT_EQ(n.slice(), slice);
      ASSERT_EQ(n.groups, (ports * slice + 63) / 64);
      ASSERT_FALSE(n.near);
      ASSERT_TRUE(router_shape::of(ports, vcs, true).near);
      for (unsigned i = 0; i < ports * slice; ++i) {
        ASSERT_EQ(n.port(i), i / slice);
        ASSERT_EQ(n.vc(i), i % slice);
        ASSERT_EQ(n.number(i / slice, i % slice), i);
        ASSERT_EQ(n.group(i), i / 64);
        ASSERT_EQ(router_shape::only(i).mask(), std::uint64_t{1} << i % 64);
        std::uint64_t slice_of_i = 0, behind_i = 0;
        for (unsigned k = 0; k < 64; ++k) {
          if (k / slice == i % 64 / slice) slice_of_i |= std::uint64_t{1} << k;
          if (k / slice == i % 64 / slice && k > i % 64) behind_i |= std::uint64_t{1} << k;
        }
        ASSERT_EQ(n.masks().others[i % 64], ~slice_of_i);
        ASSERT_EQ(n.masks().behind[i % 64], behind_i);
        ASSERT_EQ(n.of_port(vc_numbers(slice_of_i), n.port(i)).mask(), (1u << slice) - 1);
        ASSERT_EQ(n.of_port(vc_numbers(~slice_of_i), n.port(i)).mask(), 0u);
        ASSERT_EQ(n.masks().tops >> i % 64 & 1u, i % slice == slice - 1);
      }
    }
}

struct timing_in_words {
  unsigned rc, adaptive_rc, va, head_va, switch_to_sent, send_ahead;
};

void expect_timing(const router_config& config, const timing_in_words& t) {
  const pipeline_timing timing(config);
  EXPECT_EQ(timing.rc, t.rc);
  EXPECT_EQ(timing.adaptive_rc, t.adaptive_rc);
  EXPECT_EQ(timing.va, t.va);
  EXPECT_EQ(timing.head_va, t.head_va);
  EXPECT_EQ(timing.switch_to_sent, t.switch_to_sent);
  EXPECT_EQ(timing.send_ahead, t.send_ahead);
  EXPECT_EQ(timing.routing_cycles(1), t.rc);
  EXPECT_EQ(timing.routing_cycles(2), t.adaptive_rc);
  EXPECT_EQ(timing.head_cycles(1), t.rc + t.head_va);
  EXPECT_EQ(timing.router_cycles(2), t.adaptive_rc + t.head_va + t.switch_to_sent);
  EXPECT_EQ(timing.credit_loop(3, 4), t.send_ahead + 3 + 3 + 4);
}

TEST(pipeline_timing, by_hand) {
  expect_timing(config_of(pipeline::single_cycle), {0, 0, 0, 0, 0, 0});
  expect_timing(config_of(pipeline::four_stage), {1, 1, 1, 1, 1, 1});
  expect_timing(config_of(pipeline::paper2009), {0, 0, 0, 0, 1, 0});
  router_config c = config_of(pipeline::custom);
  c.custom_stages = {6, 2, 1, 3};
  c.adaptive_delay_cycles = 2;
  expect_timing(c, {6, 8, 2, 2, 3, 3});
  c.lookahead = true;  // 2 + 1 + 3 cycles of the router before
  expect_timing(c, {0, 2, 2, 2, 3, 3});
  c.custom_stages.rc = 7;
  expect_timing(c, {1, 3, 2, 2, 3, 3});
  c.custom_stages = {1, 1, 1, 1};
  c.speculative = true;
  expect_timing(c, {0, 0, 1, 0, 1, 1});
}

}  // namespace
}  // namespace toriscope::router_test
