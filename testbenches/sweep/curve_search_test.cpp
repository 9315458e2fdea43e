// SPDX-License-Identifier: Apache-2.0
// Searches over a network whose saturation is known: what they find, and that it does not depend on the order
// in which results come.
#include "testbenches/sweep/curve_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "testbenches/sweep/scripted_network.h"

namespace toriscope {
namespace {

using ::testing::ElementsAre;

point_result result_of(const point& p, const stability& is_stable) {
  return point_result(nlohmann::ordered_json::parse(scripted_output(p, is_stable)));
}

/// Answers wanted points, also those that are only perhaps wanted, in a random order until it is done.
void answer_all(curve_search& search, const stability& is_stable, unsigned order, bool perhaps = true) {
  std::mt19937 draw(order);
  while (!search.done()) {
    std::vector<wanted_point> wanted = search.wanted();
    if (!perhaps)
      wanted.erase(std::remove_if(wanted.begin(), wanted.end(), [](const auto& w) { return w.rank > 1; }),
                   wanted.end());
    const point& p = *wanted[draw() % wanted.size()].what;
    search.take(p, result_of(p, is_stable));
  }
}

std::vector<std::pair<double, std::size_t>> loads_of(const curve_search& search) {
  std::vector<std::pair<double, std::size_t>> list;
  for (const load_figures& load : search.loads()) list.emplace_back(load.rate, load.runs.size());
  return list;
}

stability saturates_at(double limit) {
  return [limit](double rate, std::uint64_t) { return rate <= limit; };
}

TEST(curve_search, brackets_saturation_within_the_tolerance) {
  for (const double limit : {0.0031, 0.0123, 0.05, 0.2, 0.47, 0.81, 0.995})
    for (const double tolerance : {0.1, 0.01}) {
      search_settings settings;
      settings.tolerance = tolerance;
      curve_search search(scripted_curve(), settings);
      answer_all(search, saturates_at(limit), 1);
      const curve_summary s = search.summary();
      EXPECT_LE(s.saturation_throughput, limit);
      EXPECT_GT(s.saturation_upper, limit);
      EXPECT_LE(s.saturation_upper - s.saturation_throughput, tolerance * s.saturation_upper) << limit;
      EXPECT_NEAR(s.latency_at_saturation, 20 / (1 - s.saturation_throughput), 1e-9);
      EXPECT_DOUBLE_EQ(s.zero_load_latency, 20);
      EXPECT_DOUBLE_EQ(s.confidence, 0.9375) << "three seeds agree on either side";
    }
}

TEST(curve_search, finds_the_same_in_any_order) {
  // Near the edge the seeds disagree.
  const stability noisy = [](double rate, std::uint64_t seed) {
    return rate <= 0.3 + 0.02 * static_cast<double>((seed * 7 + static_cast<std::uint64_t>(rate * 1e4)) % 5);
  };
  for (const double confidence : {0.0, 0.9}) {
    search_settings settings;
    settings.confidence = confidence;
    curve_search reference(scripted_curve(), settings);
    answer_all(reference, noisy, 0, false);
    EXPECT_GT(reference.loads().size(), 8U);
    for (unsigned order = 1; order <= 20; ++order) {
      curve_search other(scripted_curve(), settings);
      answer_all(other, noisy, order);
      EXPECT_EQ(loads_of(other), loads_of(reference)) << order;
      EXPECT_EQ(other.summary().saturation_throughput, reference.summary().saturation_throughput);
    }
  }
}

TEST(curve_search, runs_more_seeds_until_the_confidence_is_reached) {
  search_settings settings;
  settings.rates = {0.1};
  settings.confidence = 0.9;
  curve_search search(scripted_curve(), settings);
  answer_all(
      search, [](double, std::uint64_t seed) { return seed != 2; }, 1);
  // 2 of 3: 11/16; 3 of 4: 26/32; 4 of 5: 57/64; 5 of 6: 120/128.
  ASSERT_EQ(loads_of(search), (std::vector<std::pair<double, std::size_t>>{{0.1, 6}}));
  EXPECT_THAT(search.loads().front().seeds, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_DOUBLE_EQ(search.summary().confidence, 120.0 / 128);

  curve_search torn(scripted_curve(), settings);
  answer_all(
      torn, [](double, std::uint64_t seed) { return seed % 2 == 1; }, 1);
  EXPECT_EQ(torn.loads().front().runs.size(), 9U) << "there is an end to it";
}

TEST(curve_search, a_fixed_curve_ends_with_its_first_unstable_load) {
  search_settings settings;
  settings.rates = {0.1, 0.2, 0.3, 0.4, 0.5};
  settings.seeds = {5};
  for (unsigned order = 0; order < 10; ++order) {
    curve_search search(scripted_curve(), settings);
    answer_all(search, saturates_at(0.25), order);
    EXPECT_EQ(loads_of(search), (std::vector<std::pair<double, std::size_t>>{{0.1, 1}, {0.2, 1}, {0.3, 1}}));
    EXPECT_EQ(search.summary().saturation_throughput, 0.2);
    EXPECT_EQ(search.summary().saturation_upper, 0.3);
  }
}

TEST(curve_search, interpolates_the_knee) {
  search_settings settings;
  settings.rates = {0.2, 0.4, 0.6, 0.8};
  curve_search search(scripted_curve(), settings);
  answer_all(search, saturates_at(1), 1);
  // Latencies 25, 33.3, 50, 100: 40 lies 0.4 of the way from .4 to .6.
  EXPECT_NEAR(search.summary().knee, 0.48, 1e-12);
  EXPECT_TRUE(std::isnan(search.summary().saturation_upper));
}

TEST(curve_search, looks_into_the_highest_stable_load) {
  search_settings settings;
  settings.rates = {0.1, 0.2, 0.3};
  settings.observe = true;
  curve_search search(scripted_curve(), settings);
  answer_all(search, saturates_at(0.2), 1);
  ASSERT_TRUE(search.observed());
  EXPECT_EQ(search.observed()->rate, 0.2);
  EXPECT_NE(search.observed()->what->hash(), search.point_at(0.2, 1)->hash());
}

TEST(curve_search, gives_up_when_nothing_is_stable) {
  curve_search search(scripted_curve(), {});
  answer_all(
      search, [](double, std::uint64_t) { return false; }, 1);
  EXPECT_TRUE(std::isnan(search.summary().saturation_throughput));
}

TEST(curve_search, knows_what_its_settings_may_be) {
  search_settings settings;
  EXPECT_THAT(settings.validate(), ::testing::IsEmpty());
  settings.rates = {0.1, 1.5};
  settings.seeds = {};
  settings.tolerance = 0;
  settings.confidence = 1;
  EXPECT_EQ(settings.validate().size(), 4U);
}

TEST(curve_search, refuses_what_has_no_load) {
  run_config batch;
  batch.traffic.mode = traffic_mode::batch;
  EXPECT_THROW(make_curve(batch), std::invalid_argument);
  run_config unknown;
  unknown.topology.spec = "torsu:8x8";
  EXPECT_THROW(make_curve(unknown), std::invalid_argument);
}

TEST(point, has_a_command_that_names_what_differs_from_the_defaults) {
  run_config config;
  config.topology.spec = "torus:4x4";
  config.network.router.depth = 6;
  const auto p = curve_search(make_curve(config), {}).point_at(0.25, 3);
  EXPECT_EQ(p->command(),
            "toriscope run --topology torus:4x4 --links B --ties balanced --routing dor --vc-rule balanced "
            "--regrant tail --depth 6 --traffic uniform --rate 0.25 --seed 3");
}

}  // namespace
}  // namespace toriscope
