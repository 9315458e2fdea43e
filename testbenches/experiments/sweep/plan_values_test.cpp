// SPDX-License-Identifier: Apache-2.0
// Plans: how values are parted, where keys and numbers end, and what messages say of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "testbenches/experiments/sweep/number_list.h"
#include "testbenches/experiments/sweep/sweep_plan.h"

namespace toriscope::plan_values_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

sweep_plan plan_of(const std::string& text) { return sweep_plan::from({}, text, "plan.json"); }

std::string why_not(const std::string& text) {
  return error_of<std::invalid_argument>([&] { plan_of(text); });
}

TEST(plan_values, lists_of_numbers_and_names_are_parted_at_commas) {
  const auto curves = [](const char* option, const char* values) {
    return sweep_plan::from({{"topology", {"torus:4x4"}}, {option, {values}}}, "", "").curves().size();
  };
  EXPECT_EQ(curves("vcs", "2,4"), 2U);
  EXPECT_EQ(curves("clock", "0.5,1,2"), 3U);
  EXPECT_EQ(curves("arbiter", "matrix,round-robin"), 2U);
  EXPECT_EQ(curves("packet", "2:0.5,4:0.5"), 1U) << "one text";
}

TEST(plan_values, a_topology_begins_with_a_kind_and_a_colon) {
  const auto refused = [](const std::string& topologies) {
    return error_of<std::invalid_argument>([&] { sweep_plan::from({{"topology", {topologies}}}, "", ""); });
  };
  EXPECT_THAT(refused("mesh:4x4,torus"), HasSubstr("mesh:4x4,torus")) << "no topology of its own";
  const scratch_directory scratch;
  const std::string file = scratch.file("a,b:c.json");
  std::ofstream(file) << R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b"}]})";
  const sweep_plan plan = sweep_plan::from({{"topology", {"mesh:2x2,file:" + file}}}, "", "");
  ASSERT_EQ(plan.curves().size(), 2U);
  EXPECT_EQ(plan.curves()[1].config.topology.spec, "file:" + file);
}

TEST(plan_values, unknown_keys_are_told_as_they_stand_there) {
  EXPECT_EQ(why_not(R"({"topologie": {"spec": "mesh:2x2"}})"),
            "plan.json: unknown key 'topologie'; did you mean 'topology'?");
  EXPECT_EQ(why_not(R"({"router": {"vc": 2}})"),
            "plan.json: unknown key 'router.vc'; did you mean 'router.vcs'?");
}

TEST(plan_values, a_whole_number_may_be_0_and_then_is_out_of_its_range) {
  EXPECT_EQ(why_not(R"({"confirm": 0})"), "plan.json: confirm: it must be from 1 to 1000 times the window");
}

TEST(plan_values, the_curves_of_one_configuration_are_counted_before_they_are_made) {
  std::string many;
  for (int i = 0; i < 10000; ++i) many += "," + std::to_string(i);
  const std::string values = R"({"service_cycles": [)" + many.substr(1) + R"(], "outstanding": )";
  EXPECT_THAT(why_not(values + "[1,2,3,4,5,6,7,8,9,10,11]}"),
              HasSubstr("plan.json: the plan has more than 100000 curves, equal ones included"));
  EXPECT_THAT(why_not(values + R"(1, "seeds": "1:1001"})"),
              HasSubstr("curves x loads x seeds of the plan are 10000 x 1 x 1001; expected at most 10000000"));
}

TEST(plan_values, what_a_plan_names_wins_over_what_follows_from_its_routing) {
  const auto reallocation = [](const std::string& more) {
    return plan_of(R"({"topology": "mesh:4x4", "routing": "adaptive")" + more + "}")
        .curves()[0]
        .config.network.router.vc_reallocation;
  };
  EXPECT_EQ(reallocation(""), vc_reallocation::atomic);
  EXPECT_EQ(reallocation(R"(, "regrant": "tail")"), vc_reallocation::non_atomic);
}

TEST(plan_values, an_option_wins_over_a_configuration) {
  const sweep_plan plan = sweep_plan::from({{"vcs", {"2"}}}, R"({"vcs": 3, "configurations": [
      {"topology": "mesh:2x2", "vcs": 4}, {"topology": "mesh:2x3"}]})", "plan.json");
  ASSERT_EQ(plan.curves().size(), 2U);
  for (const curve& c : plan.curves()) EXPECT_EQ(c.config.network.router.vcs, 2U) << c.label;
}

TEST(plan_values, what_an_option_or_a_configuration_excludes_is_dropped) {
  const auto routers = [](const sweep_plan::choices& options, const char* text) {
    const sweep_plan plan = sweep_plan::from(options, text, "plan.json");
    std::vector<std::pair<pipeline, unsigned>> all;
    for (const curve& c : plan.curves())
      all.emplace_back(c.config.network.router.pipeline, c.config.network.router.depth);
    return all;
  };
  const char* const stages = R"({"topology": "mesh:2x2", "stages": ["st=2", "st=3"]})";
  EXPECT_THAT(routers({{"pipeline", {"four_stage"}}}, stages),
              ElementsAre(std::pair(pipeline::four_stage, 8U)));
  EXPECT_THAT(routers({}, R"({"topology": "mesh:2x2", "stages": "st=2", "depth": 4, "configurations": [
      {"pipeline": "paper2009"}, {"vcs": 2}]})"),
              ElementsAre(std::pair(pipeline::paper2009, 1U), std::pair(pipeline::custom, 4U)));
}

TEST(plan_values, equal_curves_are_made_once) {
  EXPECT_EQ(plan_of(R"({"topology": "torus:4x4", "service_cycles": [7, 9]})").curves().size(), 1U)
      << "of requests and replies, which there are none";
}

TEST(plan_values, a_plan_is_written_with_a_key_on_each_line) {
  EXPECT_THAT(plan_of(R"({"topology": "mesh:2x2"})").text(), StartsWith("{\n \"toriscope\": \""));
}

TEST(number_list, says_what_is_wrong_with_an_item) {
  const auto loads = [](const std::string& text) {
    return error_of<std::invalid_argument>([&] { load_list(text); });
  };
  const std::string range = " is not a range first:last:step with a step above 0 and at most 100000 loads";
  for (const std::string wrong : {"0.1:0.2:0", "0.3:0.1:-0.1", "0.2:0.1:0.1", "0:1:1e-5"})
    EXPECT_EQ(loads(wrong), "'" + wrong + "'" + range);
  EXPECT_THAT(load_list("0.2:0.2:0.1"), ElementsAre(0.2));
  EXPECT_THAT(load_list("0.1:0.25:0.1"), ElementsAre(0.1, 0.2));
  for (const std::string wrong : {"1e999", "0.1x", "x0.1", "0.1:0.2:0.1:0.1", "inf"})
    EXPECT_THAT(loads(wrong), StartsWith("'" + wrong + "' is not a number or a list of numbers;"));
  const auto seeds = [](const std::string& text) {
    return error_of<std::invalid_argument>([&] { seed_list(text); });
  };
  for (const std::string wrong : {"3:1", "1:3:0", "1:100001", "1:1000001:10"})
    EXPECT_EQ(seeds(wrong), "'" + wrong + "' is not a range first:last or first:last:step of at most 100000 seeds");
  EXPECT_EQ(seed_list("1:1000000:10").size(), 100000U);
  EXPECT_EQ(seed_list("1:1000000:10").back(), 999991U);
  EXPECT_THAT(seed_list("5:5"), ElementsAre(5));
  EXPECT_EQ(seeds("1:2:3:4"), "'1:2:3:4' is not a list of seeds; expected 1,2,3 or 1:3 (first:last)");
  EXPECT_EQ(seeds("1:100000,0"), "the list has more than 100000 seeds");
  EXPECT_EQ(loads("0:0.99999:1e-5,2"), "the list has more than 100000 loads");
}

}  // namespace
}  // namespace toriscope::plan_values_test
