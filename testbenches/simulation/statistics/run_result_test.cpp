// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/run_result.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "testbenches/simulation/statistics/report.h"

namespace toriscope {
namespace {

report some_figures() {
  report r;
  r.config = {{"traffic", {{"rate", 0.1}}}};
  r.results = {{"offered", "", "", 0.1},
               {"stable", "", "", true},
               {"latency.mean", "", "", 21.5},
               {"latency.max", "", "", std::nan("")},
               {"latency.interval_95", "", "", std::vector<double>{20, 23}},
               {"hops.interval_95", "", "", std::vector<double>{}}};
  return r;
}

TEST(run_result, reads_what_a_report_says) {
  const run_result result = from_json(as_json(some_figures()));
  EXPECT_EQ(result.config()["traffic"]["rate"], 0.1);
  EXPECT_TRUE(result.stable());
  EXPECT_FALSE(result.failed());
  EXPECT_EQ(result.figure("latency.mean"), 21.5);
  EXPECT_TRUE(std::isnan(result.figure("latency.max")));
  EXPECT_TRUE(std::isnan(result.figure("nothing.of_the_kind")));
  ASSERT_TRUE(result.interval("latency.interval_95"));
  EXPECT_EQ(result.interval("latency.interval_95")->high, 23);
  EXPECT_FALSE(result.interval("hops.interval_95"));
  EXPECT_EQ(result.figures(), (std::map<std::string, double>{{"offered", 0.1}, {"latency.mean", 21.5}}));
}

TEST(run_result, knows_why_a_run_stopped) {
  report r = some_figures();
  r.results.push_back({"failure", "", "", std::string("deadlock since cycle 7")});
  EXPECT_EQ(from_json(as_json(r)).failure()->message, "deadlock since cycle 7") << "of an older version";
  r.failure = {{"kind", "deadlock"}, {"since", 7}, {"detail", {"a waits for b", "b waits for a"}}};
  const run_result result = from_json(as_json(r));
  EXPECT_FALSE(result.stable());
  ASSERT_TRUE(result.failed());
  EXPECT_TRUE(result.failure()->deadlock);
  EXPECT_EQ(result.failure()->message, "deadlock since cycle 7");
  EXPECT_EQ(result.failure()->detail, (std::vector<std::string>{"a waits for b", "b waits for a"}));
}

TEST(run_result, refuses_what_is_none) {
  for (const char* text : {"", "nonsense", "[]", R"({"results": {}})", R"({"config": {}})"})
    EXPECT_THROW(from_json(std::string(text)), std::invalid_argument) << text;
}

}  // namespace
}  // namespace toriscope
