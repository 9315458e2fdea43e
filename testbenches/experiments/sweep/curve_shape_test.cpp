// SPDX-License-Identifier: Apache-2.0
// The shape of curves whose latencies are known: their knee, and the loads that they lack.
#include "base/json.h"
#include "testbenches/experiments/sweep/curve_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "testbenches/experiments/sweep/answered_search.h"

namespace toriscope::curve_shape_test {
namespace {

using ::testing::ElementsAre;

/// A run by what its packets would take alone.
run_result run_of(unsigned packets, double zero_load, bool stable = true) {
  scripted_network network;
  network.zero_load = zero_load;
  network.is_stable = [=](double, std::uint64_t) { return stable; };
  auto document =
      nlohmann::json::parse(scripted_output(*curve_search(scripted_curve(), {}).point_at(0.1, 1), network));
  document["results"]["packets"] = packets;
  return from_json(document.dump());
}

TEST(curve_shape, the_zero_load_latency_is_a_mean_over_packets) {
  load_figures one, other;
  one.runs = {run_of(1, 30), run_of(3, 10), run_of(0, std::numeric_limits<double>::quiet_NaN())};
  other.runs = {run_of(4, 20), run_of(100, 50, false)};
  EXPECT_DOUBLE_EQ(zero_load_latency({one, other}), (30 + 3 * 10 + 4 * 20) / 8.0) << "of those that are stable";
}

TEST(curve_search, interpolates_the_knee_within_the_tolerance_only) {
  search_settings settings;
  settings.rates = {0.2, 0.4, 0.6, 0.8};
  settings.tolerance = 0.34;
  curve_search wide(scripted_curve(), settings);
  answer_all(wide, saturates_at(1), 1);
  // Latencies 25, 33.3, 50, 100: 40 lies 0.4 of the way from .4 to .6.
  EXPECT_NEAR(wide.summary().knee, 0.48, 1e-12);
  EXPECT_EQ(wide.summary().saturation_throughput, 0.8);
  EXPECT_NEAR(wide.summary().latency_at_saturation, 100, 1e-9);
  EXPECT_NEAR(wide.summary().accepted_at_saturation, 0.8, 1e-9);
  EXPECT_TRUE(std::isnan(wide.summary().saturation_upper));
  settings.tolerance = 0.33;
  curve_search narrow(scripted_curve(), settings);
  answer_all(narrow, saturates_at(1), 1);
  EXPECT_TRUE(std::isnan(narrow.summary().knee)) << "(.6 - .4) / .6 is more";
  settings.rates = {0.4, 0.5, 0.6};
  curve_search exact(scripted_curve(), settings);
  answer_all(exact, saturates_at(1), 1);
  EXPECT_NEAR(exact.summary().knee, 0.5, 1e-12) << "40 cycles at this load";
  settings.rates = {0.25, 0.5};
  settings.tolerance = 0.5;
  curve_search just_within(scripted_curve(), settings);
  answer_all(just_within, saturates_at(1), 1);
  EXPECT_NEAR(just_within.summary().knee, 0.5, 1e-12) << "(.5 - .25) / .5 is no more than the tolerance";
  settings.rates = {0.5, 0.6};
  curve_search begun(scripted_curve(), settings);
  answer_all(begun, saturates_at(1), 1);
  EXPECT_TRUE(std::isnan(begun.summary().knee)) << "no load has less";
}

/// Waiting as in a queue, growing as load / (saturation - load); beyond it without end.
struct queueing_network {
  double saturation;
  double zero_load;
  double waiting;  ///< the knee is saturation / (1 + waiting)
  double noise;    ///< of a run's latency, relative; saturation is as uncertain

  double knee() const { return saturation / (1 + waiting); }
  double random(double rate, std::uint64_t seed) const {
    std::mt19937 draw(static_cast<std::uint32_t>(rate * 1e6) * 31 + static_cast<std::uint32_t>(seed));
    return noise * std::normal_distribution<double>()(draw);
  }
  scripted_network scripted() const {
    scripted_network network;
    network.zero_load = zero_load;
    network.is_stable = [n = *this](double rate, std::uint64_t seed) {
      return rate <= n.saturation * (1 + n.random(rate, seed + 100) / 4);
    };
    network.latency = [n = *this](double rate, std::uint64_t seed) {
      const double spare = std::max(n.saturation - rate, 0.01 * n.saturation);
      return n.zero_load * (1 + n.waiting * rate / spare) * (1 + n.random(rate, seed));
    };
    return network;
  }
};

/// Neighbours that a line may join: curve_shape.h.
void expect_no_gaps(const std::vector<load_figures>& loads, double last, double tolerance) {
  for (std::size_t i = 1; i < loads.size() && loads[i].rate <= last; ++i)
    EXPECT_TRUE(loads[i].latency() <= 1.5 * loads[i - 1].latency() ||
                loads[i].rate - loads[i - 1].rate <= tolerance * loads[i].rate)
        << loads[i - 1].rate << " to " << loads[i].rate;
}

TEST(curve_search, finds_saturation_and_knee_of_any_queue) {
  std::mt19937 draw(1);
  const auto between = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(draw));
  };
  std::size_t max_loads = 0;
  for (unsigned network = 0; network < 60; ++network) {
    const queueing_network queue{between(0.01, 0.95), between(10, 200), between(0.02, 2),
                                 network % 2 ? 0.01 : 0.0};
    search_settings settings;
    settings.tolerance = std::array<double, 3>{0.01, 0.02, 0.05}[network % 3];
    if (network % 5 == 0) settings.seeds = {7};
    curve_search search(scripted_curve(), settings);
    const std::size_t runs = answer_all(search, queue.scripted(), network, false);
    const curve_summary s = search.summary();
    SCOPED_TRACE(search.status_text());
    const double slack = 1 + settings.tolerance + 4 * queue.noise;
    EXPECT_LE(s.saturation_upper - s.saturation_throughput, settings.tolerance * s.saturation_upper);
    EXPECT_LT(s.saturation_throughput, queue.saturation * slack);
    EXPECT_GT(s.saturation_upper, queue.saturation / slack);
    EXPECT_LT(s.knee, queue.knee() * slack);
    EXPECT_GT(s.knee, queue.knee() / slack);
    const std::vector<load_figures> loads = search.loads();
    std::size_t inside = 0;
    for (const load_figures& load : loads)
      if (load.rate >= s.knee / 2 && load.rate <= s.saturation_throughput) ++inside;
    EXPECT_GE(inside, 6U);
    expect_no_gaps(loads, s.saturation_throughput, settings.tolerance);
    max_loads = std::max(max_loads, loads.size());
    EXPECT_EQ(s.loads, loads.size());
    EXPECT_EQ(s.runs, runs) << "no run was in vain";
  }
  EXPECT_LE(max_loads, 28U);
}

TEST(curve_search, has_no_knee_where_latency_never_doubles) {
  queueing_network queue{5, 20, 0.1, 0};
  curve_search flat(scripted_curve(), {});
  answer_all(flat, queue.scripted(), 1);
  EXPECT_TRUE(std::isnan(flat.summary().knee));
  EXPECT_TRUE(std::isnan(flat.summary().saturation_upper));
  EXPECT_EQ(flat.summary().saturation_throughput, 1);
  scripted_network slow = queue.scripted();
  slow.zero_load = 5;
  curve_search above(scripted_curve(), {});
  answer_all(above, slow, 1);
  EXPECT_TRUE(std::isnan(above.summary().knee)) << "the lowest load has more already";
}

/// The loads that a curve with these lacks, of a network whose latency is `latency`.
std::vector<double> lacking(const std::vector<double>& rates, const scripted_figure& latency, double tolerance) {
  search_settings settings;
  settings.rates = rates;
  settings.seeds = {1};
  scripted_network network;
  network.is_stable = saturates_at(1);
  network.latency = latency;
  curve_search search(scripted_curve(), settings);
  answer_all(search, network, 1, false);
  return missing_loads(search.loads(), rates.back(), tolerance);
}

TEST(missing_loads, the_knee_is_sought_on_the_side_where_more_can_be_cut_off) {
  // A queue: 20 cycles without load, 40 at .5. Aside of that by 4/10 of the tolerance.
  const scripted_figure queue = [](double rate, std::uint64_t) { return 20 / (1 - rate); };
  EXPECT_THAT(lacking({0.2, 0.6}, queue, 0.1), ElementsAre(0.48));
  EXPECT_THAT(lacking({0.4, 0.8}, queue, 0.1), ElementsAre(0.52));
}

/// Of two loads, by their latencies.
std::vector<double> lacking_between(double low, double low_latency, double high, double high_latency,
                                    double tolerance = 0.1) {
  return lacking({low, high},
                 [=](double rate, std::uint64_t) { return rate == low ? low_latency : high_latency; }, tolerance);
}

TEST(missing_loads, the_knee_is_sought_below_where_both_sides_are_as_wide) {
  // Zero load over waiting is 20/8 and 20/40; it is 1 at the knee, where 1 / load is 2.
  EXPECT_THAT(lacking_between(0.25, 28, 0.75, 60), ElementsAre(0.48));
}

TEST(missing_loads, the_knee_is_sought_a_fifth_of_the_gap_away_from_its_ends) {
  EXPECT_THAT(lacking_between(0.2, 39, 0.8, 10000), ElementsAre(0.32));
  EXPECT_THAT(lacking_between(0.2, 20.001, 0.8, 41), ElementsAre(0.68));
}

TEST(missing_loads, a_steep_rise_is_parted_a_quarter_of_the_gap_away_from_its_ends) {
  EXPECT_THAT(lacking_between(0.2, 20, 0.4, 31), ElementsAre(0.35));
  EXPECT_THAT(lacking_between(0.01, 200, 1, 320), ElementsAre(0.2575)) << "there is no knee: the first load has more";
  // Both below the zero-load latency: the middle of 1 / load, 5 and 2.5.
  EXPECT_THAT(lacking_between(0.2, 10, 0.4, 16), ElementsAre(0.2667));
}

TEST(missing_loads, a_rise_by_half_is_not_steep) {
  for (const double latency : {25.0, 30.0})
    EXPECT_THAT(lacking_between(0.25, 20, 0.5, latency), ElementsAre(0.375, 0.3125, 0.4375, 0.2812)) << latency;
}

TEST(missing_loads, there_is_none_between_neighbours) {
  for (const auto& [low, high] : {std::pair(39.9, 60.0), std::pair(20.0, 40.1), std::pair(20.0, 31.0)})
    EXPECT_THAT(lacking_between(0.1, low, 0.1001, high, 1e-9), testing::Each(testing::Lt(0.1))) << low;
}

TEST(missing_loads, the_widest_gaps_are_halved_the_lower_of_equal_ones_first) {
  const scripted_figure flat = [](double, std::uint64_t) { return 20.0; };
  // Three loads from half of 1 on: three more. First one of two gaps of 1/4, then the other, then one of 1/8.
  EXPECT_THAT(lacking({0.5, 0.75, 1}, flat, 0.1), ElementsAre(0.625, 0.875, 0.5625));
}

}  // namespace
}  // namespace toriscope::curve_shape_test
