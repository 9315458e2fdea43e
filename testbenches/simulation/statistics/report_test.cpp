// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/text_hash.h"

namespace toriscope::report_test {
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

TEST(report, of_a_run_that_stopped_judges_only_what_is_sure) {
  report r = example();
  r.results.push_back({"flows.missed", "", "missed", std::uint64_t{1}});
  r.flows = {{{"late", nullptr}, {"met", nullptr}, {"slack", nullptr}},
             {{"late", 0}, {"met", true}, {"slack", 3}},
             {{"late", 2}, {"met", false}, {"slack", -1}}};
  judge_stopped_run(r, false, "deadlock");
  const auto all = nlohmann::json::parse(as_json(r));
  EXPECT_EQ(all["results"]["stable"], false);
  EXPECT_TRUE(all["results"]["flows"]["missed"].is_null());
  EXPECT_EQ(all["results"]["failure"], "deadlock");
  EXPECT_EQ(all["flows"], nlohmann::json::parse(R"([{"late": null, "met": null, "slack": null},
      {"late": 0, "met": null, "slack": null}, {"late": 2, "met": false, "slack": -1}])"));
}

report small_with_all_there_is() {
  report r;
  r.config = {{"a", {{"b", 1}}}};
  r.results = {{"mean", "cycles", "the mean", 1.5}, {"hops", "", "of a packet", std::uint64_t{2}}};
  r.performance = {{"time", "s", "of it", 2.5}, {"steps", "", "of it", std::uint64_t{7}}};
  r.wires = {{"links", {0.5}}};
  r.flows = nlohmann::ordered_json::array({1});
  r.lost = {{"packets", 3}};
  r.failure = {{"kind", "deadlock"}};
  r.observation = {{"stalls", {{"no_credit", 4}}}, {"level", "full"}};
  return r;
}

TEST(report, json_to_the_letter) {
  EXPECT_EQ(as_json(small_with_all_there_is()), R"({
  "config": {
    "a": {
      "b": 1
    }
  },
  "results": {
    "mean": 1.5,
    "hops": 2,
    "latency": {
      "histogram": {
        "first": 0,
        "bin_width": 1,
        "counts": []
      }
    }
  },
  "links": [
    0.5
  ],
  "flows": [
    1
  ],
  "lost": {
    "packets": 3
  },
  "failure": {
    "kind": "deadlock"
  },
  "observation": {
    "stalls": {
      "no_credit": 4
    },
    "level": "full"
  },
  "performance": {
    "time": 2.5,
    "steps": 7
  },
  "units": {
    "results.mean": "cycles",
    "performance.time": "s"
  }
}
)");
}

TEST(report, csv_has_the_counts_of_an_observation) {
  EXPECT_EQ(as_csv(small_with_all_there_is()),
            "config.a.b,results.mean,results.hops,observation.stalls.no_credit,performance.time,performance.steps\n"
            "1,1.5,2,4,2.5,7\n");
}

TEST(report, fields_of_csv_are_quoted_where_they_have_to_be) {
  EXPECT_EQ(csv_value("plain text"), "plain text");
  EXPECT_EQ(csv_value("null"), "null");
  EXPECT_EQ(csv_value(nullptr), "");
  EXPECT_EQ(csv_value(0.25), "0.25");
  EXPECT_EQ(csv_value("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_value("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_value("\""), "\"\"\"\"");
  EXPECT_EQ(csv_value(nlohmann::ordered_json::array({1, 2})), "\"[1,2]\"");
}

TEST(report, csv) {
  EXPECT_EQ(as_csv(example()),
            "config.router.vcs,config.router.note,config.traffic.rate,results.offered,results.stable,"
            "results.latency.mean,results.packet_hash,results.latency.interval_95,results.hops.interval_95,"
            "performance.router_steps\n"
            "4,\"a,\"\"b\"\"\",0.1,0.1,true,,0000000000000abc,\"[1.5,2.0]\",,7\n");
}

TEST(report, table_to_the_letter) {
  report r = small_with_all_there_is();
  r.flows = nullptr;
  EXPECT_EQ(as_table(r),
            "results\n"
            "  mean  1.5  cycles  the mean\n"
            "  hops    2          of a packet\n"
            "performance\n"
            "  time   2.5  s  of it\n"
            "  steps    7     of it\n");
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
}  // namespace toriscope::report_test
