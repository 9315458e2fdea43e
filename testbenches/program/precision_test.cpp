// SPDX-License-Identifier: Apache-2.0
// Steady state and the precision of the mean, as the program reports them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "testbenches/program/program_process.h"

namespace toriscope::precision_test {
namespace {

using json = nlohmann::json;

json results_of(const strings& more) {
  return json_of(program_directory(), with({"run", "--json", "-"}, more))["results"];
}

/// A few sources are over capacity from .21 on: at .22 the mean latency is 174 cycles in a window of 10,000
/// and 1287 in one of 160,000, though 95 % are accepted up to .24.
TEST(steady_state, a_minority_of_sources_over_capacity) {
  const auto at = [](const char* rate, const char* seed) {
    return results_of({"--topology", "torus:8x8", "--vc-rule", "dateline", "--traffic", "transpose",
                       "--packet", "4", "--rate", rate, "--seed", seed});
  };
  for (const char* seed : {"1", "2", "3"}) {
    const json below = at("0.2", seed);
    EXPECT_EQ(below["stable"], true);
    EXPECT_EQ(below["unstable_sources"], 0);
    EXPECT_EQ(below["latency"]["interval_95"].size(), 2u);
    const json above = at("0.22", seed);
    EXPECT_EQ(above["stable"], false);
    EXPECT_EQ(above["keeps_up_95"], true);
    EXPECT_GE(above["unstable_sources"], 3);
    EXPECT_LE(above["unstable_sources"], 10);
    EXPECT_GT(above["worst_source"]["growth"], 0.02);
    EXPECT_TRUE(above["worst_source"]["node"].is_string());
    EXPECT_TRUE(above["latency"]["interval_95"].is_null());
    EXPECT_TRUE(above["latency"]["standard_error"].is_null());
  }
}

TEST(steady_state, closed_loops_are_judged_by_their_drain) {
  for (const strings& mode : {strings{"--traffic-mode", "request_reply", "--rate", "1"},
                              strings{"--traffic-mode", "batch", "--batch", "20"}}) {
    strings more = {"--topology", "torus:4x4", "--cycles", "3000"};
    more.insert(more.end(), mode.begin(), mode.end());
    const json r = results_of(more);
    EXPECT_EQ(r["stable"], true) << mode[1];
    EXPECT_EQ(r["backlog"]["growth"], 0.0);
  }
}

TEST(precision, runs_until_it_is_reached) {
  const strings run = {"--topology", "torus:4x4", "--rate", "0.2", "--precision", "3%"};
  const json r = results_of(run);
  EXPECT_EQ(r["precision"]["reached"], true);
  EXPECT_LE(r["precision"]["half_width"], 0.03);
  const double low = r["latency"]["interval_95"][0], high = r["latency"]["interval_95"][1];
  EXPECT_LE((high - low) / 2, 0.03 * r["latency"]["mean"].get<double>());
  EXPECT_GE(r["precision"]["warmup_cycles"], 2000);
  EXPECT_GE(r["cycles"],
            r["precision"]["warmup_cycles"].get<int>() + r["precision"]["measured_cycles"].get<int>());
  EXPECT_EQ(r, results_of(run)) << "the same run again";
  // A fixed window of these cycles measures the same.
  const json fixed = results_of({"--topology", "torus:4x4", "--rate", "0.2", "--warmup",
                                 r["precision"]["warmup_cycles"].dump(), "--cycles",
                                 r["precision"]["measured_cycles"].dump()});
  for (const char* key : {"latency", "offered", "accepted", "packets", "hops", "backlog", "packet_hash"})
    EXPECT_EQ(r[key], fixed[key]) << key;
}

TEST(precision, says_when_it_is_not_reached) {
  const program_directory dir;
  const process_result few = dir.run(
      {"run", "--topology", "torus:4x4", "--rate", "0.2", "--precision", "0.1%", "--max-cycles", "20000"});
  EXPECT_EQ(few.status, 0);
  EXPECT_THAT(few.out,
              testing::HasSubstr("The mean latency is not known to 0.1 %: --max-cycles is too short"));
  const process_result over =
      dir.run({"run", "--topology", "torus:4x4", "--rate", "1", "--packet", "4", "--precision", "0.01"});
  EXPECT_EQ(over.status, 0);
  EXPECT_THAT(over.out, testing::HasSubstr("there is no steady state"));
  EXPECT_THAT(over.out, testing::HasSubstr("source queues of "));
}

TEST(precision, is_rejected_where_it_means_nothing) {
  const program_directory dir;
  for (const strings& command :
       {strings{"run", "--precision", "70%"}, strings{"run", "--precision", "1%", "--traffic-mode", "batch"},
        strings{"run", "--precision", "1%", "--max-cycles", "100"},
        strings{"run", "--precision", "1%", "--warmup", "1", "--cycles", "9", "--max-cycles", "264"},
        strings{"record", "--precision", "1%", "--output", "recorded.txt"}}) {
    const process_result r = dir.run(with(command, {"--topology", "torus:4x4"}));
    EXPECT_EQ(r.status, 2) << command[2];
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
  // Outputs that count in the window itself; --link-usage is the former name of --observe --link-stats.
  for (const auto& [output, name] :
       std::vector<std::pair<strings, std::string>>{{{"--observe"}, "--observe"},
                                                    {{"--link-usage", "l.json"}, "--link-stats"},
                                                    {{"--stalls", "s.csv"}, "--stalls"},
                                                    {{"--events", "e.csv"}, "--events"}}) {
    const process_result r = dir.run(with({"run", "--topology", "torus:4x4", "--precision", "1%"}, output));
    EXPECT_EQ(r.status, 2) << name;
    EXPECT_EQ(r.err, "toriscope: " + name + " needs a window that is known before the run; use --cycles instead of "
                                            "--precision\n");
  }
}

}  // namespace
}  // namespace toriscope::precision_test
