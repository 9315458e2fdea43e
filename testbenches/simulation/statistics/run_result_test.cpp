// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/run_result.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "base/error_of_test.h"
#include "testbenches/simulation/statistics/report.h"

namespace toriscope::run_result_test {
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
  EXPECT_FALSE(result.broken());
  EXPECT_EQ(result.figure("latency.mean"), 21.5);
  EXPECT_TRUE(std::isnan(result.figure("latency.max")));
  EXPECT_TRUE(std::isnan(result.figure("nothing.of_the_kind")));
  ASSERT_TRUE(result.interval("latency.interval_95"));
  EXPECT_EQ(result.interval("latency.interval_95")->low, 20);
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
  EXPECT_FALSE(result.broken());
  EXPECT_EQ(result.failure()->message, "deadlock since cycle 7");
  EXPECT_EQ(result.failure()->detail, (std::vector<std::string>{"a waits for b", "b waits for a"}));
  r.failure["kind"] = "invariant";
  EXPECT_FALSE(from_json(as_json(r)).failure()->deadlock);
  EXPECT_TRUE(from_json(as_json(r)).broken());
}

TEST(run_result, refuses_what_is_none) {
  for (const char* text : {"", "nonsense", "[]", R"({"results": {}})", R"({"config": {}})"})
    EXPECT_EQ(error_of<std::invalid_argument>([&] { from_json(std::string(text)); }), "its output is not a result")
        << text;
}

std::string with_results(const std::string& results) { return R"({"config": {}, "results": )" + results + "}"; }
std::string with_histogram(const std::string& bins) {
  return with_results(R"({"latency": {"histogram": )" + bins + "}}");
}

TEST(run_result, is_stable_where_it_says_so) {
  EXPECT_TRUE(from_json(with_results(R"({"stable": true})")).stable());
  for (const char* results : {R"({"stable": false})", "{}", R"({"stable": 1})", R"({"stable": true, "failure": "x"})"})
    EXPECT_FALSE(from_json(with_results(results)).stable()) << results;
}

TEST(run_result, an_interval_is_a_list_of_two_numbers) {
  const auto interval = [](const std::string& value) {
    return from_json(with_results(R"({"latency": {"interval_95": )" + value + "}}")).interval("latency.interval_95");
  };
  ASSERT_TRUE(interval("[1, 2.5]"));
  EXPECT_EQ(interval("[1, 2.5]")->low, 1);
  EXPECT_EQ(interval("[1, 2.5]")->high, 2.5);
  for (const char* none : {"null", "7", "[1]", "[1, 2, 3]", R"([1, "2"])", R"(["1", 2])", R"({"low": 1, "high": 2})"})
    EXPECT_FALSE(interval(none)) << none;
  EXPECT_FALSE(from_json(with_results("{}")).interval("latency.interval_95"));
}

TEST(run_result, has_the_counts_of_latencies_if_any_packet_was_counted) {
  const auto bins = from_json(with_histogram(R"({"first": 8, "bin_width": 4, "counts": [3, 0, 1]})")).histogram();
  ASSERT_TRUE(bins);
  EXPECT_EQ(bins->first, 8u);
  EXPECT_EQ(bins->bin_width, 4u);
  EXPECT_EQ(bins->counts, (std::vector<std::uint64_t>{3, 0, 1}));
  const auto usual = from_json(with_histogram(R"({"counts": [281474976710656]})")).histogram();
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->first, 0u);
  EXPECT_EQ(usual->bin_width, 1u);
  EXPECT_EQ(usual->counts, (std::vector<std::uint64_t>{std::uint64_t{1} << 48}));
  std::string most = "[0";
  for (unsigned i = 1; i < 1024; ++i) most += ",0";
  EXPECT_EQ(from_json(with_histogram(R"({"counts": )" + most + "]}")).histogram()->counts.size(), 1024u);
  for (const char* none : {"{}", R"({"latency": {}})", R"({"latency": {"histogram": null}})",
                           R"({"latency": {"histogram": {"first": 0, "bin_width": 1, "counts": []}}})"})
    EXPECT_FALSE(from_json(with_results(none)).histogram()) << none;
}

/// A file of results can have been made by anyone.
TEST(run_result, rejects_values_of_another_type_or_size_with_one_line) {
  std::string many = "[0";
  for (unsigned i = 0; i < 1024; ++i) many += ",0";
  for (const std::string& text :
       {with_results("[]"), with_results(R"({"failure": 3})"), with_results(R"({"latency": 3})"),
        with_histogram("3"), with_histogram(R"({"first": 6, "bin_width": 4, "counts": [1]})"),
        with_histogram(R"({"first": 6, "bin_width": 3, "counts": [1]})"),
        with_histogram(R"({"bin_width": 0, "counts": [1]})"), with_histogram(R"({"counts": [-1]})"),
        with_histogram(R"({"counts": 1})"), with_histogram(R"({"first": 1e300, "counts": [1]})"),
        with_histogram(R"({"bin_width": 562949953421312, "counts": [1, 1]})"),
        with_histogram(R"({"counts": )" + many + "]}"),
        std::string(R"({"config": {}, "results": {"failure": "x"}, "failure": {"kind": 1}})"),
        std::string(R"({"config": {}, "results": {"failure": "x"}, "failure": {"kind": "x", "detail": [1]}})")})
    try {
      from_json(text);
      ADD_FAILURE() << text << " is taken";
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).rfind("result: ", 0), 0u) << e.what();
    }
}

}  // namespace
}  // namespace toriscope::run_result_test
