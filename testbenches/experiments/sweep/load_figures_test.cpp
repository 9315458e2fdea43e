// SPDX-License-Identifier: Apache-2.0
// Seeds merged: when a load is stable, and what is known of the error of its mean latency.
#include "base/json.h"
#include "testbenches/experiments/sweep/load_figures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testbenches/experiments/sweep/scripted_network.h"

namespace toriscope::load_figures_test {
namespace {

/// The load .25 with seeds 1, 2, ...
load_figures load_of(const scripted_network& network, std::uint64_t seeds) {
  curve_search search(scripted_curve(), {});
  load_figures load;
  load.rate = 0.25;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::string text = scripted_output(*search.point_at(load.rate, seed), network);
    load.runs.push_back(from_json(text));
  }
  load.stable = is_stable(load.runs);
  return load;
}

scripted_network stable_up_to(std::uint64_t seed) {
  scripted_network network;
  network.is_stable = [seed](double, std::uint64_t own) { return own <= seed; };
  return network;
}

TEST(load_figures, a_load_is_stable_when_most_of_its_runs_are) {
  EXPECT_TRUE(load_of(stable_up_to(3), 3).stable);
  EXPECT_TRUE(load_of(stable_up_to(2), 3).stable);
  EXPECT_FALSE(load_of(stable_up_to(1), 3).stable);
  EXPECT_FALSE(load_of(stable_up_to(1), 2).stable);
}

TEST(load_figures, queues_that_grow_in_all_runs_together_decide_where_seeds_disagree) {
  // Each run alone grows by 1.9 standard errors, which may be chance; the mean of three by 3.3 of its own.
  scripted_network network = stable_up_to(2);
  network.growth = [](double, std::uint64_t) { return 1.9; };
  EXPECT_FALSE(load_of(network, 3).stable);
  network.growth = [](double, std::uint64_t seed) { return seed == 1 ? 1.9 : 0.5; };
  EXPECT_TRUE(load_of(network, 3).stable) << "by 1.7";
  network.is_stable = [](double, std::uint64_t) { return true; };
  network.growth = [](double, std::uint64_t) { return 1.9; };
  EXPECT_TRUE(load_of(network, 3).stable) << "they agree";
  network = stable_up_to(2);
  network.growth_error = 0;
  EXPECT_TRUE(load_of(network, 3).stable) << "no queue ever held a packet";
  network.growth = [](double, std::uint64_t) { return 0.01; };
  EXPECT_FALSE(load_of(network, 3).stable) << "without any error, a little growth counts";
  // Three errors of 2 make one of sqrt(12) = 3.46 of the sum, which 2.326 times that is 8.06.
  network.growth_error = 2;
  for (const auto& [growth, stable] : {std::pair(2.6, true), std::pair(2.75, false)}) {
    network.growth = [own = growth](double, std::uint64_t) { return own; };
    EXPECT_EQ(load_of(network, 3).stable, stable) << growth;
  }
}

TEST(load_figures, an_interval_by_the_spread_of_the_seeds_has_students_t) {
  scripted_network network = stable_up_to(9);
  network.latency = [](double, std::uint64_t seed) { return 29.0 + static_cast<double>(seed % 3); };
  const load_figures load = load_of(network, 3);
  // Means 30, 31, 29: deviation 1, standard error 1 / sqrt(3), t of 2 degrees of freedom.
  ASSERT_TRUE(load.latency_interval());
  EXPECT_NEAR(load.latency_interval()->low, 30 - 4.3026527297 / std::sqrt(3), 1e-9);
  EXPECT_NEAR(load.latency_interval()->high, 30 + 4.3026527297 / std::sqrt(3), 1e-9);
  const load_figures alone = load_of(network, 1);
  EXPECT_EQ(alone.latency_interval()->low, 29.5) << "its own";
  EXPECT_EQ(alone.latency_interval()->high, 30.5);
  EXPECT_EQ(alone.standard_error(), 0.25);
  EXPECT_NEAR(load.standard_error(), 1 / std::sqrt(3), 1e-12);
  EXPECT_NEAR(load_of(network, 2).standard_error(), 0.5, 1e-12) << "30 and 31";
}

TEST(load_figures, an_interval_is_unknown_where_runs_are_too_short_or_not_stable) {
  scripted_network network = stable_up_to(9);
  network.half_width = 0;
  EXPECT_FALSE(load_of(network, 1).latency_interval());
  EXPECT_FALSE(load_of(network, 3).latency_interval());
  EXPECT_TRUE(std::isnan(load_of(network, 1).standard_error()));
  EXPECT_FALSE(load_of(stable_up_to(1), 3).latency_interval()) << "there is no mean of a steady state";
}

}  // namespace
}  // namespace toriscope::load_figures_test
