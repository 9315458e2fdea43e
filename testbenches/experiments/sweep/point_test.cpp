// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/point.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/json.h"
#include "base/scratch_directory.h"
#include "base/text_hash.h"
#include "testbenches/experiments/sweep/curve_search.h"
#include "testbenches/experiments/sweep/point_search.h"
#include "testbenches/experiments/sweep/sweep_plan.h"

namespace toriscope::point_test {
namespace {

TEST(point, has_another_hash_when_a_file_that_it_names_has_changed) {
  const scratch_directory scratch;
  const std::string file = scratch.path() + "/net,2.txt";
  for (const std::string& option : {"file:" + file, "rdt:" + file + ",32", std::string()}) {
    run_config config;
    if (option.empty())
      config.traffic.file = file;
    else
      config.topology.spec = option;
    const auto hash_with = [&](const char* text) {
      std::ofstream(file) << text;
      return point(config, {}, 1).hash();
    };
    const std::string first = hash_with("one");
    EXPECT_NE(hash_with("two"), first) << option;
    EXPECT_EQ(hash_with("one"), first) << option;
  }
}

TEST(point, has_another_hash_in_another_version) {
  const std::string version =
      nlohmann::json::parse(sweep_plan::from({}, "{}", "plan.json").text()).at("toriscope");
  const point p(run_config(), {}, 1), observed(run_config(), {false, true}, 1);
  EXPECT_EQ(p.hash(), hex_text(mix_text("toriscope " + version + " run " + p.config_text())));
  EXPECT_EQ(observed.hash(), hex_text(mix_text("toriscope " + version + " observed " + p.config_text())));
}

TEST(point_search, is_done_when_all_that_is_left_may_be_needed_only) {
  struct one_wanted final : point_search {
    unsigned priority = 0;
    std::vector<wanted_point> wanted() const override { return {{nullptr, priority}}; }
    void take(const point&, const run_result&) override {}
    std::size_t expected() const override { return 1; }
    std::string status_text() const override { return ""; }
  } search;
  for (search.priority = 0; search.priority < 5; ++search.priority)
    EXPECT_EQ(search.done(), search.priority >= 2) << search.priority;
}

TEST(point, has_a_command_that_names_what_differs_from_the_defaults) {
  run_config config;
  config.topology.spec = "torus:4x4";
  config.network.router.depth = 6;
  const auto p = curve_search(make_curve(config), {}).point_at(0.25, 3);
  EXPECT_EQ(p->command(),
            "toriscope run --topology torus:4x4 --inter-module-links duplex --tie-break balanced --routing dor "
            "--vc-rule balanced --vc-reallocation non_atomic --depth 6 --traffic uniform --rate 0.25 --seed 3");
  EXPECT_EQ(point(run_config(), {}, 1).command(),
            "toriscope run --topology ttn:2,2,0 --vc-rule safe --vc-reallocation non_atomic --traffic uniform "
            "--rate 0.01 --seed 1")
      << "what is always named";
  EXPECT_THAT(point(config, {true, true}, 16).command(), ::testing::EndsWith(" --allow-deadlock --observe"));
  std::vector<std::string> of_a_child = {"run", "--config", "-", "--quiet", "--json", "-", "--failure-wave", "none"};
  EXPECT_EQ(p->arguments(), of_a_child);
  of_a_child.insert(of_a_child.end(), {"--allow-deadlock", "--observe", "--json-links"});
  EXPECT_EQ(point(config, {true, true}, 16).arguments(), of_a_child);
}

TEST(point, is_as_dear_as_its_nodes_cycles_and_flits) {
  run_config config;
  const auto cost = [&](std::size_t nodes, unsigned cycles, double rate) {
    config.measurement.warmup_cycles = cycles / 4;
    config.measurement.measure_cycles = cycles - cycles / 4;
    config.traffic.rate_flits_per_node_cycle = rate;
    return point(config, {}, nodes).expected_cost();
  };
  EXPECT_NEAR(cost(3000, 1000, 0.1) / cost(3, 1000, 0.1), 1000, 1e-6);
  EXPECT_NEAR(cost(3, 50000, 0.1) / cost(3, 1000, 0.1), 50, 1e-6);
  EXPECT_NEAR(cost(3, 1000, 0.8) / cost(3, 1000, 0.1), 7.5, 1);
  EXPECT_GT(cost(3, 1000, 0), 0) << "routers work without flits, too";
}

}  // namespace
}  // namespace toriscope::point_test
