// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/text_hash.h"

namespace toriscope {
namespace {

report example() {
  report r;
  r.config = {{"router", {{"vcs", 4}, {"note", "a,\"b\""}}}, {"traffic", {{"rate", 0.1}}}};
  r.results = {{"offered", "flits/node/cycle", "what is offered", 0.1},
               {"stable", "", "whether it is", true},
               {"latency.mean", "cycles", "the mean", std::numeric_limits<double>::quiet_NaN()},
               {"packet_hash", "", "the hash", hex_text(0xabc)},
               {"latency.interval_95", "cycles", "known", std::vector<double>{1.5, 2}},
               {"hops.interval_95", "", "not known", std::vector<double>{}}};
  r.performance = {{"router_steps", "", "steps", std::uint64_t{7}}};
  r.latency_histogram = {8, 4, {1, 0, 2}};
  return r;
}

TEST(report, json) {
  const auto all = nlohmann::json::parse(as_json(example()));
  EXPECT_EQ(all["config"]["router"]["vcs"], 4);
  EXPECT_EQ(all["results"]["offered"], 0.1);
  EXPECT_EQ(all["results"]["stable"], true);
  EXPECT_TRUE(all["results"]["latency"]["mean"].is_null());
  EXPECT_EQ(all["results"]["packet_hash"], "0000000000000abc");
  EXPECT_EQ(all["results"]["latency"]["interval_95"], nlohmann::json({1.5, 2}));
  EXPECT_TRUE(all["results"]["hops"]["interval_95"].is_null());
  EXPECT_EQ(all["results"]["latency"]["histogram"]["first"], 8);
  EXPECT_EQ(all["results"]["latency"]["histogram"]["bin_width"], 4);
  EXPECT_EQ(all["results"]["latency"]["histogram"]["counts"], nlohmann::json({1, 0, 2}));
  EXPECT_EQ(all["performance"]["router_steps"], 7);
  EXPECT_EQ(all["units"]["results.latency.mean"], "cycles");
  for (const char* absent : {"lost", "failure", "observation"}) EXPECT_FALSE(all.contains(absent)) << absent;
}

TEST(report, json_of_what_not_every_run_has) {
  report r = example();
  r.wires = {{"lengths", {1, 2}}};
  r.lost = {{"packets", 3}};
  r.failure = {{"kind", "deadlock"}};
  r.observation = {{"stalls", {{"no_credit", 4}}}};
  const auto all = nlohmann::json::parse(as_json(r));
  EXPECT_EQ(all["lengths"], nlohmann::json({1.0, 2.0}));
  EXPECT_EQ(all["lost"]["packets"], 3);
  EXPECT_EQ(all["failure"]["kind"], "deadlock");
  EXPECT_EQ(all["observation"]["stalls"]["no_credit"], 4);
}

TEST(report, csv) {
  EXPECT_EQ(as_csv(example()),
            "config.router.vcs,config.router.note,config.traffic.rate,results.offered,results.stable,"
            "results.latency.mean,results.packet_hash,results.latency.interval_95,results.hops.interval_95,"
            "performance.router_steps\n"
            "4,\"a,\"\"b\"\"\",0.1,0.1,true,,0000000000000abc,\"[1.5,2.0]\",,7\n");
}

TEST(report, table) {
  const std::string text = as_table(example());
  EXPECT_THAT(text, testing::HasSubstr(
                        "\n  offered                           0.1  flits/node/cycle  what is offered\n"));
  EXPECT_THAT(text, testing::HasSubstr("\n  latency.mean                        -  cycles "));
  EXPECT_THAT(text, testing::HasSubstr("  1.5 .. 2  cycles "));
  EXPECT_THAT(text, testing::HasSubstr("  unknown  "));
  report long_texts;
  long_texts.results = {{"a", "", "short", std::string("x")},
                        {"b", "", "24 characters", std::string(24, 'y')},
                        {"c", "", "more", std::string(25, 'z')}};
  EXPECT_THAT(as_table(long_texts), testing::HasSubstr("\n  a  " + std::string(23, ' ') + "x    short\n"));
  EXPECT_THAT(text, testing::EndsWith("\nperformance\n  router_steps  7    steps\n"))
      << "each as wide as its own entries";
}

}  // namespace
}  // namespace toriscope
