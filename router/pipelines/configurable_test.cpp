// SPDX-License-Identifier: Apache-2.0
// One router with stage counts of its own, look-ahead, adaptive headers and speculation: what it does in
// which cycle, worked out by hand from docs/model.md.
#include "router/pipelines/configurable.h"

#include <gtest/gtest.h>

#include "router/router_bench.h"

namespace toriscope::configurable_test {
namespace {

using bench = router_bench;

router_config staged(stage_counts counts) {
  router_config c = config_of(pipeline::custom, vc_reallocation::non_atomic, 8);
  c.custom_stages = counts;
  return c;
}

/// The cycle in which a lone head shown in cycle 10 is sent; all cycles are counted from `begin` on.
cycle_t head_leaves(const router_config& config, unsigned options = 1, cycle_t begin = 0) {
  EXPECT_EQ(config.validate(), std::vector<std::string>{});
  bench b(config);
  b.routing.count = options;
  b.now = begin;
  b.run_to(begin + 9);
  b.show(begin + 10, 0, b.head(1, 1, true));
  b.run_to(begin + 60);
  EXPECT_EQ(b.sent[1].size(), 1u);
  EXPECT_EQ(b.core.flits(), 0u);
  return b.sent[1].empty() ? 0 : b.sent[1].begin()->first - begin;
}

/// A router with these stages sends six flits that come in a row.
void expect_stages(const stage_counts& s, allocator_kind by, arbiter_kind arbiter) {
  router_config config = staged(s);
  config.va_allocator = config.sa_allocator = by;
  config.arbiter = arbiter;
  bench b(config);
  b.run_to(9);
  for (cycle_t t = 10; t < 16; ++t) {
    b.show(t, 0, t == 10 ? b.head(1, 1) : b.body(static_cast<unsigned>(t - 10), 1, t == 15));
    b.run_to(t);
  }
  b.run_to(80);
  const cycle_t granted = 10 + s.rc + s.va, sent = granted + s.sa + s.st - 1;
  std::vector<cycle_t> sent_in, credits_in, expected_sent, expected_credits;
  for (const auto& [t, f] : b.sent[1]) sent_in.push_back(t);
  for (const auto& [t, c] : b.credits_sent_back[0]) credits_in.push_back(t);
  for (cycle_t i = 0; i < 6; ++i) {
    expected_sent.push_back(sent + i);
    expected_credits.push_back(granted + i);
  }
  EXPECT_EQ(sent_in, expected_sent) << s.rc << s.va << s.sa << s.st << to_string(by) << to_string(arbiter);
  EXPECT_EQ(credits_in, expected_credits) << "the slot is free when SA has granted it";
  EXPECT_EQ(sent, 10 + b.network.timing.router_cycles());
}

TEST(configurable_pipeline, counts_the_cycles_of_its_stages_whatever_allocates) {
  for (const stage_counts& s :
       {stage_counts{1, 1, 1, 1}, stage_counts{0, 0, 0, 1}, stage_counts{0, 0, 1, 0},
        stage_counts{2, 0, 1, 1}, stage_counts{0, 3, 1, 2}, stage_counts{7, 7, 7, 7}})
    for (const allocator_kind by : {allocator_kind::input_first, allocator_kind::output_first, allocator_kind::islip})
      for (const arbiter_kind arbiter : {arbiter_kind::round_robin, arbiter_kind::matrix, arbiter_kind::age})
        expect_stages(s, by, arbiter);
}

TEST(configurable_pipeline, takes_longer_for_heads_with_several_options_only) {
  router_config c = staged({1, 1, 1, 1});
  const pipeline_timing plain(c);
  c.adaptive_delay_cycles = 5;
  const pipeline_timing adaptive(c);
  EXPECT_EQ(adaptive.router_cycles(), plain.router_cycles());
  EXPECT_EQ(adaptive.router_cycles(1), plain.router_cycles());
  EXPECT_EQ(adaptive.router_cycles(2), plain.router_cycles() + 5);
}

TEST(configurable_pipeline, shows_what_is_between_the_switch_and_the_link) {
  bench b(staged({1, 1, 2, 2}));  // x = 3
  b.run_to(9);
  for (cycle_t t = 10; t < 13; ++t) {
    b.show(t, 0, t == 10 ? b.head(1, 1) : b.body(static_cast<unsigned>(t - 10), 1, t == 12));
    b.run_to(t);
  }
  b.run_to(14);  // cycle 13 is done: the head was granted in 12, the next flit in 13
  EXPECT_FALSE(b.core.output_register(1, 1).valid());
  EXPECT_TRUE(b.core.output_register(1, 2).head());
  EXPECT_TRUE(b.core.output_register(1, 3).valid());
  EXPECT_FALSE(b.core.output_register(1, 3).head());
  EXPECT_FALSE(b.core.output_register(0, 2).valid());
}

TEST(configurable_pipeline, adaptive_headers_take_longer_where_they_have_a_choice) {
  router_config c = staged({1, 1, 1, 1});
  c.adaptive_delay_cycles = 4;
  EXPECT_EQ(head_leaves(c, 1), 13u);
  EXPECT_EQ(head_leaves(c, 2), 17u);
}

// It keeps the low 32 bits of a cycle.
TEST(configurable_pipeline, counts_the_cycles_of_its_stages_in_late_cycles_as_in_early_ones) {
  const router_config config = staged({3, 4, 2, 1});
  for (cycle_t before = 0; before < 20; ++before)
    EXPECT_EQ(head_leaves(config, 1, (cycle_t{1} << 32) - before), 10u + 3 + 4 + 2) << before;
}

TEST(configurable_pipeline, look_ahead_hides_rc_behind_the_other_stages) {
  router_config c = staged({5, 1, 2, 1});
  EXPECT_EQ(head_leaves(c), 18u);
  c.lookahead = true;
  EXPECT_EQ(head_leaves(c), 14u) << "one cycle of rc is left of five: 10 + 1 + 1 + 2";
  c.custom_stages.rc = 3;
  EXPECT_EQ(head_leaves(c), 13u) << "none is left of three";
  c.adaptive_delay_cycles = 2;
  EXPECT_EQ(head_leaves(c, 2), 14u) << "one is left of three and two";
}

TEST(configurable_pipeline, speculation_saves_the_cycle_of_va) {
  router_config c = config_of(pipeline::four_stage);
  EXPECT_EQ(head_leaves(c), 13u);
  c.speculative = true;
  EXPECT_EQ(head_leaves(c), 12u);
  c.lookahead = true;
  EXPECT_EQ(head_leaves(c), 11u);
  for (const allocator_kind a : {allocator_kind::output_first, allocator_kind::islip}) {
    c.va_allocator = c.sa_allocator = a;
    EXPECT_EQ(head_leaves(c), 11u) << to_string(a);
  }
}

/// A stream from port 0 to port 1 in cycles 10, 11 ..., and a head from the local port, shown in 14, that
/// wants there, too. When does it leave?
/// @param pause  the stream has no flits in 14 and 15
cycle_t second_leaves(bool pause) {
  router_config c = config_of(pipeline::four_stage, vc_reallocation::non_atomic, 32);
  c.speculative = true;
  bench b(c);
  b.run_to(9);
  unsigned flits = 0;
  for (cycle_t t = 10; t < 20; ++t) {
    if (t == 14) b.show(t, 2, b.head(1, 0, true));
    if (!pause || t < 14 || t > 15) {
      b.show(t, 0, flits == 0 ? b.head(1, 0) : b.body(flits, 0, false));
      ++flits;
    }
    b.run_to(t);
  }
  b.run_to(40);
  for (const auto& [t, f] : b.sent[1])
    if (f.tail()) return t;
  return 0;
}

TEST(configurable_pipeline, speculation_never_takes_the_switch_from_others) {
  EXPECT_EQ(second_leaves(false), 17u) << "VA in 15, where the stream has the switch; SA in 16: its turn";
  EXPECT_EQ(second_leaves(true), 16u) << "the stream's last flit goes in 14: the switch is free in 15";
}

TEST(configurable_pipeline, a_narrow_link_keeps_speculation_away) {
  router_config c = config_of(pipeline::four_stage, vc_reallocation::non_atomic, 8);
  c.speculative = true;
  const auto leaves = [&](unsigned flit_cycles) {
    bench b(c, 0xffff, flit_cycles);
    b.run_to(9);
    b.show(10, 0, b.head(1, 0, true));  // granted in 11, by speculation
    b.run_to(10);
    b.show(11, 2, b.head(1, 0, true));  // asks in 12
    b.run_to(40);
    return b.sent[1].rbegin()->first;
  };
  EXPECT_EQ(leaves(1), 13u);
  EXPECT_EQ(leaves(2), 14u) << "the port is busy in 12; SA in 13";
  EXPECT_EQ(leaves(3), 15u);
}

TEST(configurable_pipeline, says_what_is_wrong_with_its_configuration) {
  const auto errors = [](const router_config& c) {
    std::string text;
    for (const std::string& e : c.validate()) text += e.substr(0, e.find(':')) + ";";
    return text;
  };
  router_config c = staged({8, 8, 8, 8});
  EXPECT_EQ(errors(c), "stages;stages;stages;stages;");
  c = staged({1, 1, 0, 0});
  EXPECT_EQ(errors(c), "stages;");
  c.pipeline = pipeline::four_stage;
  EXPECT_EQ(errors(c), "stages;") << "counts are for the staged pipeline";
  c = staged({1, 0, 1, 1});
  c.speculative = true;
  c.islip_iterations = 2;
  c.adaptive_delay_cycles = 16;
  EXPECT_EQ(errors(c), "islip_iterations;adaptive_delay_cycles;speculative;");
  c = staged({1, 1, 1, 1});
  c.va_allocator = allocator_kind::islip;
  c.islip_iterations = 9;
  EXPECT_EQ(errors(c), "islip_iterations;");
  c.islip_iterations = 8;
  c.speculative = c.lookahead = true;
  c.arbiter = arbiter_kind::age;
  EXPECT_EQ(errors(c), "");
  c.pipeline = pipeline::paper2009;
  c.sa_allocator = allocator_kind::output_first;
  c.depth = 1;
  c.adaptive_delay_cycles = 1;
  EXPECT_EQ(errors(c), "va_allocator;sa_allocator;arbiter;lookahead;speculative;adaptive_delay_cycles;");
}

}  // namespace
}  // namespace toriscope::configurable_test
