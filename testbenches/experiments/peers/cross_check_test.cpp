// SPDX-License-Identifier: Apache-2.0
// The cross-check without BookSim 2: its words, the search for a pair that differs, brackets and verdicts, and
// a stand-in that prints what the formula says.
#include "testbenches/experiments/peers/cross_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "testbenches/program/program_process.h"

namespace toriscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(cross_check, reads_latencies_of_pairs_from_booksim) {
  const std::vector<double> mean = booksim::parse_pairs(
      "pair_sent(1,:) = [ 9 9 9 9 ];\nTime taken is 5 cycles\n"
      "pair_sent(1,:) = [ 2 0 4 1 ];\npair_plat(1,:) = [ 7 -nan 12.25 22 ];\npair_nlat(1,:) = [ 7 nan 12 22 "
      "];\n");
  ASSERT_EQ(mean.size(), 4u);
  EXPECT_EQ(mean[0], 7);
  EXPECT_TRUE(std::isinf(mean[1])) << "nothing was sent";
  EXPECT_EQ(mean[2], 12.25);
  const std::vector<lone_packet> packets = lone_packets_of(mean, 2);
  ASSERT_EQ(packets.size(), 2u) << "whole numbers only: the others were disturbed";
  EXPECT_EQ(packets[1].source, 1u);
  EXPECT_EQ(packets[1].destination, 1u);
  EXPECT_EQ(packets[1].latency, 22u);
  EXPECT_THROW(booksim::parse_pairs("pair_sent(1,:) = [ 1 ];"), std::runtime_error);
  EXPECT_THROW(booksim::parse_pairs("pair_sent(1,:) = [ 1 ];pair_plat(1,:) = [ 1 2 ];"), std::runtime_error);
}

TEST(cross_check, asks_booksim_for_pairs_and_patterns) {
  workload w;
  w.traffic = "bit_reversal";
  w.packet_flits = 1;
  EXPECT_THAT(booksim::configuration(w, true),
              testing::AllOf(HasSubstr("traffic = bitrev;"), HasSubstr("packet_size = 1;"),
                             HasSubstr("pair_stats = 1;"), HasSubstr("stats_out = -;")));
  w.traffic = "tornado";
  EXPECT_THAT(booksim::configuration(w),
              testing::AllOf(HasSubstr("traffic = tornado;"), testing::Not(HasSubstr("pair_stats"))));
}

TEST(cross_check, finds_the_first_pair_that_differs) {
  std::vector<lone_packet> packets;
  for (unsigned i = 0; i < 100; ++i) packets.push_back({i / 10, i % 10, 5});
  for (const std::set<unsigned>& wrong :
       {std::set<unsigned>{}, {0}, {99}, {41}, {41, 42, 77}, {0, 99}, {50, 51}}) {
    unsigned asked = 0;
    const std::size_t equal =
        agreeing_before_first_difference(packets, [&](const std::vector<lone_packet>& some) {
          ++asked;
          for (const lone_packet& p : some)
            if (wrong.count(10 * p.source + p.destination)) return false;
          return true;
        });
    EXPECT_EQ(equal, wrong.empty() ? 100 : *wrong.begin());
    EXPECT_LE(asked, 8u);
  }
}

TEST(cross_check, brackets) {
  const auto up_to = [](double limit) { return [limit](double load) { return load <= limit; }; };
  const load_bracket some = bracket_saturation(up_to(.375), 100, .3);
  EXPECT_DOUBLE_EQ(some.stable, .37);
  EXPECT_DOUBLE_EQ(some.saturated, .38);
  EXPECT_DOUBLE_EQ(bracket_saturation(up_to(0), 100, .3).saturated, .01);
  const load_bracket never = bracket_saturation(up_to(1), 100, .3);
  EXPECT_DOUBLE_EQ(never.stable, 1);
  EXPECT_DOUBLE_EQ(never.saturated, 1.01);

  for (int limit = 0; limit <= 100; limit += 5)
    for (const double near : {0., .01, .37, .5, 1.}) {
      const load_bracket found = bracket_saturation(up_to(limit / 100. + .001), 100, near);
      EXPECT_NEAR(found.stable, limit / 100., 1e-9) << near;
      EXPECT_NEAR(found.saturated, (limit + 1) / 100., 1e-9) << near;
    }
  unsigned asked = 0;
  bracket_saturation([&](double load) { return ++asked, load <= .375; }, 100, .37);
  EXPECT_EQ(asked, 2u) << "a good guess";

  EXPECT_TRUE(brackets_agree(some, some, 100));
  EXPECT_TRUE(brackets_agree(some, {.39, .40}, 100)) << "one step between";
  EXPECT_TRUE(brackets_agree({.39, .40}, some, 100));
  EXPECT_FALSE(brackets_agree(some, {.40, .41}, 100));
  EXPECT_FALSE(brackets_agree({.40, .41}, some, 100));
}

TEST(cross_check, verdicts) {
  saturation_result r;
  r.theirs = {.49, .50};
  r.ours = {.48, .49};
  EXPECT_EQ(r.verdict(100), "agree");
  r.ours = {.44, .45};
  EXPECT_EQ(r.verdict(100), "differ by 10 %");
  r.variants = {{"ties", {.45, .46}}, {"VC rule", {.5, .51}}};
  EXPECT_EQ(r.verdict(100), "explained: VC rule");
  EXPECT_THAT(variants_for(false, "shuffle"), IsEmpty()) << "a mesh has no ties and no classes";
  EXPECT_THAT(variants_for(false, "uniform"), testing::SizeIs(1));
}

TEST(cross_check, stable_is_the_mean_of_all_seeds) {
  struct noisy final : simulator {
    std::string name() const override { return "noisy"; }
    outcome run(const workload& w) override {
      outcome o;
      o.accepted = std::min(w.rate_flits_per_node_cycle, .3) + (w.seed == 1 ? .1 : -.1);
      return o;
    }
  } s;
  // .95 x .31 = .2945 <= .3 < .95 x .32
  EXPECT_DOUBLE_EQ(bracket_saturation(s, {}, 100, 2, .3).stable, .31);
}

/// Prints the pairs of a 4x4 torus by T0 = 5 H + 2 + (S - 1); one of them may be wrong.
const char* const formula_booksim = R"fake(#!/bin/sh
flits=$(sed -n 's/^packet_size = \(.*\);/\1/p' "$1")
awk -v flits=$flits -v wrong=WRONG 'function ring(a, b) { d = a > b ? a - b : b - a; return d > 2 ? 4 - d : d }
BEGIN {
  for (i = 0; i < 256; ++i) {
    s = int(i / 16); t = i % 16
    h = 1 + ring(s % 4, t % 4) + ring(int(s / 4), int(t / 4))
    sent = sent "4 "; plat = plat (5 * h + 1 + flits + (i == wrong)) " "
  }
  print "Time taken is 1000 cycles"
  print "pair_sent(1,:) = [ " sent "];"
  print "pair_plat(1,:) = [ " plat "];"
}'
exit 255
)fake";

pair_result pairs_with(int wrong) {
  const program_directory dir;
  std::string script = formula_booksim;
  script.replace(script.find("WRONG"), 5, std::to_string(wrong));
  dir.write("booksim", script);
  const std::string path = dir.shell("chmod +x booksim && printf %s \"$PWD\"").out;
  cross_check_settings settings;
  settings.program = dir.shell("printf %s \"$T\"").out;
  settings.directory = path;
  settings.k = 4;
  settings.pair_runs = 1;
  booksim peer(path + "/booksim", path);
  return cross_check(peer, settings, [](const std::string&) {}).pairs(true, 16);
}

TEST(cross_check, pairs_of_a_stand_in_equal_those_of_toriscope) {
  const pair_result r = pairs_with(-1);
  EXPECT_TRUE(r.agrees()) << r.difference;
  EXPECT_EQ(r.equal, 256u);
  ASSERT_EQ(r.by_routers.size(), 5u);
  EXPECT_THAT(r.by_routers.at(5), ElementsAre(std::pair<const std::uint64_t, unsigned>(42, 16)));
}

TEST(cross_check, a_pair_that_differs_is_named) {
  const pair_result r = pairs_with(5 * 16 + 6);
  EXPECT_FALSE(r.agrees());
  EXPECT_EQ(r.equal, 5u * 16 + 6);
  EXPECT_EQ(r.difference, "5 to 6: BookSim2 28, toriscope 27 cycles");
}

}  // namespace
}  // namespace toriscope
