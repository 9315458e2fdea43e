// SPDX-License-Identifier: Apache-2.0
// How many cycles a run has: its window, its drain, and the windows of a precision.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "base/json.h"
#include "base/scratch_directory.h"
#include "testbenches/simulation/simulate.h"
#include "testbenches/simulation/simulation.h"

namespace toriscope::run_length_test {
namespace {

using nlohmann::json;

class run_length : public testing::Test {
 protected:
  /// One packet of a flit from the first to the second node of two.
  run_length() { std::ofstream(scratch_.file("packets")) << "3 0 1 1\n"; }

  std::unique_ptr<simulation> made(const std::string& measurement, const std::string& topology = "",
                                   const std::string& traffic = "",
                                   const std::string& spec = "mesh:2x1") const {
    const named_config named =
        config_from_text(R"({"topology": {"spec": ")" + spec + '"' + topology + R"(}, "traffic": {)" +
                             (traffic.empty() ? R"("file": ")" + scratch_.file("packets") + '"' : traffic) +
                             R"(}, "measurement": {)" + measurement + "}}",
                         "test.json");
    auto run = std::make_unique<simulation>(named.config, named.given);
    run->leave_kernel();
    run->elaborate();
    return run;
  }
  static json figures(simulation& run) {
    run.run();
    return json::parse(as_json(run.results()))["results"];
  }
  /// Of a precision that is never reached.
  json of_precision(const std::string& rate, unsigned cycles, unsigned most, const std::string& topology = "") const {
    const auto run = made(R"("warmup_cycles": 256, "precision": 0.0001, "measure_cycles": )" + std::to_string(cycles) +
                              R"(, "max_cycles": )" + std::to_string(most),
                          topology, R"("packet_flits": "2", "rate_flits_per_node_cycle": )" + rate);
    return figures(*run)["precision"];
  }

  scratch_directory scratch_;
};

TEST_F(run_length, a_window_without_packets_under_way_has_no_drain) {
  EXPECT_EQ(figures(*made(R"("measure_cycles": 80)"))["cycles"], 80);
}

/// The link takes longer than the run.
TEST_F(run_length, a_drain_is_as_long_as_asked_for_at_most) {
  const json results = figures(*made(R"("measure_cycles": 20, "drain_cycles": 30)", R"(, "link_delay_cycles": [900])"));
  EXPECT_EQ(results["cycles"], 20 + 30);
  EXPECT_EQ(results["stable"], false);
}

TEST_F(run_length, a_run_that_is_told_to_stop_ends_after_the_cycles_of_its_first_step) {
  const auto run = made(R"("measure_cycles": 1000)", R"(, "link_delay_cycles": [900])");
  progress none(false);
  run->run(none, [] { return false; });
  EXPECT_EQ(run->cycles(), 64u);
}

TEST_F(run_length, a_run_that_is_told_to_stop_in_its_warm_up_has_no_figures_of_a_window) {
  const auto run = made(R"("warmup_cycles": 1000, "measure_cycles": 1000)");
  progress none(false);
  run->run(none, [] { return false; });
  const json results = json::parse(as_json(run->results()))["results"];
  EXPECT_EQ(results["cycles"], 64);
  for (const char* name : {"links", "bottleneck", "fairness"}) EXPECT_FALSE(results.contains(name)) << name;
  EXPECT_EQ(run->advice(), "");
}

/// A window of a cycle, in which the only packet is created.
TEST_F(run_length, a_window_of_one_cycle_is_judged) {
  std::ofstream(scratch_.file("packets")) << "0 0 1 1\n";
  const auto run = made(R"("measure_cycles": 1, "drain_cycles": 0)");
  EXPECT_EQ(figures(*run)["stable"], false);
  EXPECT_THAT(run->advice(),
              testing::StartsWith("\nNot stable: 1 measured packet had not arrived at the end of the drain.\n"));
}

/// Every packet goes to one node, which takes a flit a cycle.
TEST_F(run_length, queues_that_grow_in_a_window_of_one_cycle_are_told_with_a_number) {
  const auto run = made(R"("warmup_cycles": 100, "measure_cycles": 1, "drain_cycles": 0)", "",
                        R"("rate_flits_per_node_cycle": 0.9, "packet_flits": "1", "pattern": "hotspot",
                           "hot_probability": 1, "hot_nodes": ["3"])",
                        "mesh:4x4");
  const double growth = figures(*run)["backlog"]["growth"];
  ASSERT_GT(growth, 0);
  EXPECT_THAT(run->advice(), testing::HasSubstr(fmt::format(
                                 "the source queues grow by {:.3g} flits/cycle in all", 16 * growth)));
}

TEST_F(run_length, a_precision_is_missed_where_the_drain_is_too_short) {
  const auto run =
      made(R"("warmup_cycles": 256, "measure_cycles": 500, "drain_cycles": 0, "precision": 0.0001)", "",
           R"("rate_flits_per_node_cycle": 0.5)");
  EXPECT_EQ(figures(*run)["stable"], false);
  EXPECT_THAT(
      run->advice(),
      testing::EndsWith("\n\nThe mean latency is not known to 0.01 %: --drain is too short for that.\n"));
}

/// Latencies rise until cycle 2000: a window that has to begin before knows its mean, but not that of the steady state.
TEST_F(run_length, a_precision_is_missed_where_the_warm_up_has_not_ended) {
  const auto run =
      made(R"("warmup_cycles": 256, "measure_cycles": 400, "max_cycles": 1600, "precision": 0.2)", "",
           R"("rate_flits_per_node_cycle": 0.38, "packet_flits": "4")", "mesh:8x8");
  const json precision = figures(*run)["precision"];
  EXPECT_EQ(precision["reached"], false);
  EXPECT_EQ(precision["warmup_cycles"], 512);
  EXPECT_LT(precision["half_width"], 0.2);
  EXPECT_EQ(run->advice(),
            "\nThe mean latency is not known to 20 %: --max-cycles is too short to see the warm-up end.\n");
}

/// Queues grow without end: no warm-up is long enough. One is doubled while the next takes a quarter of what is allowed
/// at most.
TEST_F(run_length, a_warm_up_takes_half_of_the_cycles_allowed_at_most) {
  const auto warmup = [&](unsigned most) {
    return of_precision("0.9", 64, most, R"(, "link_width_bits": [16])")["warmup_cycles"].get<unsigned>();
  };
  EXPECT_EQ(warmup(1023), 256u);
  EXPECT_EQ(warmup(1024), 512u);
  EXPECT_EQ(warmup(2047), 512u);
  EXPECT_EQ(warmup(4096), 2048u);
}

/// Or twice as many, and so on, however few were asked for.
TEST_F(run_length, a_warm_up_has_256_cycles_at_least) {
  const json precision = figures(*made(R"("warmup_cycles": 10, "precision": 0.5, "measure_cycles": 400,
      "max_cycles": 10000)",
                                       "", R"("packet_flits": "2", "arrivals": "constant",
      "rate_flits_per_node_cycle": 0.02)"))["precision"];
  EXPECT_EQ(precision["reached"], true);
  EXPECT_THAT(precision["warmup_cycles"], testing::AnyOf(256, 512, 1024, 2048, 4096));
}

/// Queues that grow say that a longer window is not more precise.
TEST_F(run_length, a_window_without_a_steady_state_is_not_doubled) {
  const json precision = of_precision("0.9", 64, 4096, R"(, "link_width_bits": [16])");
  EXPECT_EQ(precision["reached"], false);
  EXPECT_EQ(precision["measured_cycles"], 64);
}

}  // namespace
}  // namespace toriscope::run_length_test
