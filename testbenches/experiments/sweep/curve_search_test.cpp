// SPDX-License-Identifier: Apache-2.0
// Searches over a network whose saturation is known: what they find, and that it does not depend on the order
// in which results come.
#include "base/json.h"
#include "testbenches/experiments/sweep/curve_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "testbenches/experiments/sweep/answered_search.h"
#include "testbenches/experiments/sweep/curve_shape.h"

namespace toriscope::curve_search_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::pair<double, std::size_t>> loads_of(const curve_search& search) {
  std::vector<std::pair<double, std::size_t>> list;
  for (const load_figures& load : search.loads()) list.emplace_back(load.rate, load.runs.size());
  return list;
}

/// Millions of points, each with its configuration, would not fit into memory.
TEST(curve_search, does_not_want_all_points_of_a_long_list_at_once) {
  search_settings settings;
  for (int i = 1; i <= 100000; ++i) settings.rates.push_back(i * 1e-5);
  const curve_search search(scripted_curve(), settings);
  EXPECT_LT(search.wanted().size(), 2000U);
  EXPECT_GT(search.wanted().size(), 500U);
  settings.seeds = {1};
  EXPECT_EQ(curve_search(scripted_curve(), settings).wanted().size(), 1000U) << "no load is tried ahead beyond that";
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

/// Doubling from .01 up to .32, then halves of the bracket until it is a tenth of its upper end.
TEST(curve_search, asks_for_these_loads) {
  search_settings settings;
  settings.tolerance = 0.1;
  curve_search search(scripted_curve(), settings);
  answer_all(search, saturates_at(0.23), 1, false);
  EXPECT_THAT(rates_of(search), ::testing::IsSupersetOf({0.01, 0.02, 0.04, 0.08, 0.16, 0.2, 0.22, 0.24, 0.32}));
  EXPECT_DOUBLE_EQ(search.summary().saturation_throughput, 0.22);
  EXPECT_DOUBLE_EQ(search.summary().saturation_upper, 0.24);
}

/// Loads have four digits: between neighbours there is none, however small the tolerance.
TEST(curve_search, ends_between_neighbouring_loads) {
  for (const double limit : {0.0031, 0.01237, 0.1001, 0.2345, 0.6789, 0.8766}) {
    search_settings settings;
    settings.tolerance = 1e-9;
    curve_search search(scripted_curve(), settings);
    answer_all(search, saturates_at(limit), 1);
    const curve_summary s = search.summary();
    EXPECT_DOUBLE_EQ(s.saturation_throughput, limit);
    EXPECT_GT(s.saturation_upper, limit);
    EXPECT_LE(s.saturation_upper - limit, 1.1e-3 * limit);
  }
}

/// Each long window that is not stable doubles the step down, from the tolerance to one half.
TEST(curve_search, goes_down_in_growing_steps_where_long_windows_are_not_stable) {
  scripted_network network;
  network.is_stable = saturates_at(0.23);
  network.is_stable_for_long = saturates_at(0.05);
  search_settings settings;
  settings.tolerance = 0.1;
  curve_search search(scripted_curve(), settings);
  answer_all(search, network, 1, false);
  // From .22, which short windows find: less 10 %, 20 %, 40 %, and not 80 but 50 %.
  EXPECT_THAT(rates_of(search), ::testing::IsSupersetOf({0.22, 0.198, 0.1584, 0.09504, 0.04752}));
  EXPECT_EQ(search.summary().saturation_throughput, 0.04752);
}

/// Where the first load is not stable already, halving has found none below the one that is.
TEST(curve_search, fills_up_the_loads_below_a_low_saturation) {
  curve c = scripted_curve();
  c.config.measurement.measure_cycles = 1000000;
  curve_search search(c, {});
  answer_all(search, saturates_at(0.006), 1, false);
  EXPECT_THAT(rates_of(search), ::testing::IsSupersetOf({0.0005, 0.00125, 0.0025, 0.005, 0.01}));
}

TEST(curve_search, wants_first_what_decides_next) {
  search_settings settings;
  settings.rates = {0.1, 0.2, 0.3};
  for (const bool stable : {false, true}) {
    curve_search search(scripted_curve(), settings);
    auto wanted = priorities_of(search);
    EXPECT_EQ((wanted[{0.1, 1}]), 0U);
    EXPECT_EQ((wanted[{0.1, 2}]), 0U) << "two of three seeds may decide";
    EXPECT_EQ((wanted[{0.1, 3}]), 2U) << "perhaps not needed";
    EXPECT_EQ((wanted[{0.2, 1}]), 3U);
    EXPECT_EQ((wanted[{0.3, 1}]), 4U) << "the nearer load is more likely to be needed";
    answer_load(search, 0.1, {1, 3}, [&](double, std::uint64_t) { return stable; });
    wanted = priorities_of(search);
    EXPECT_EQ((wanted[{0.1, 2}]), 1U) << "the verdict is clear; the run is needed for the mean";
    EXPECT_EQ((wanted.count({0.2, 1})), stable ? 1U : 0U);
    EXPECT_EQ((wanted[{0.2, 1}]), 0U) << "decides next";
  }
}

/// An estimate, which the progress shows: two runs that decide the first load; then the rest.
TEST(curve_search, expects_as_many_runs_as_the_progress_says) {
  search_settings settings;
  settings.rates = {0.1, 0.2, 0.3, 0.4};
  curve_search fixed(scripted_curve(), settings);
  EXPECT_EQ(fixed.expected(), 2U + 3 * 3 / 2) << "three loads more, half of which are beyond saturation";
  answer_all(fixed, saturates_at(1), 1);
  EXPECT_EQ(fixed.expected(), 0U);
  curve_search sought(scripted_curve(), {});
  // Of three seeds each: 4 doublings, 5 halvings (2^-5 * .5 < .02), and the loads of the shape.
  EXPECT_EQ(sought.expected(), 2U + (4 + 5 + least_loads) * 3);
  answer_all(sought, saturates_at(0.4), 1);
  EXPECT_EQ(sought.expected(), 0U);
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

  curve_search after_three(scripted_curve(), settings);
  answer_load(after_three, 0.1, {1, 2, 3}, [](double, std::uint64_t seed) { return seed != 2; });
  const auto wanted = priorities_of(after_three);
  EXPECT_EQ(wanted, (decltype(wanted){{{0.1, 4}, 0}})) << "decides next";

  settings.seeds = {7, 2};
  curve_search two(scripted_curve(), settings);
  answer_all(
      two, [](double, std::uint64_t seed) { return seed != 2; }, 1);
  EXPECT_THAT(two.loads().front().seeds, ElementsAre(7, 2, 8, 9, 10, 11)) << "the next are above all given";
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

TEST(curve_search, half_of_the_seeds_against_a_load_say_nothing_of_it) {
  search_settings settings;
  settings.rates = {0.1, 0.2};
  settings.seeds = {1, 2};
  curve_search search(scripted_curve(), settings);
  answer_all(
      search, [](double rate, std::uint64_t seed) { return rate < 0.2 || seed == 1; }, 1);
  EXPECT_EQ(search.summary().saturation_upper, 0.2);
  EXPECT_DOUBLE_EQ(search.summary().confidence, 0.5);
}

TEST(curve_search, spends_no_more_seeds_on_loads_that_most_find_not_to_be_stable) {
  curve_search search(scripted_curve(), {});
  answer_all(search, saturates_at(0.3), 1);
  for (const load_figures& load : search.loads())
    EXPECT_EQ(load.runs.size(), load.rate <= 0.3 || load.rate == search.summary().saturation_upper ? 3U : 2U)
        << load.rate;
}

TEST(curve_search, goes_by_the_growth_in_all_runs_where_seeds_disagree) {
  // From .2 on one seed of three is not stable; from .25 on the queues of all of them grow a little.
  scripted_network network;
  network.is_stable = [](double rate, std::uint64_t seed) { return rate < (seed == 2 ? 0.2 : 0.4); };
  network.growth = [](double rate, std::uint64_t) { return rate < 0.25 ? 0.5 : 2.0; };
  for (unsigned order = 0; order < 10; ++order) {
    curve_search search(scripted_curve(), {});
    answer_all(search, network, order);
    EXPECT_LT(search.summary().saturation_throughput, 0.25);
    EXPECT_GE(search.summary().saturation_upper, 0.25);
    EXPECT_LE(search.summary().saturation_upper, 0.2551);
    EXPECT_DOUBLE_EQ(search.summary().confidence, 0.6875) << "two stable ones of three, at the lower end";
  }
}

TEST(curve_search, saturation_lies_below_every_load_that_is_not_stable) {
  // The bisection finds .16 and .24 stable; on the way to the knee .15 to .2 turn out not to be.
  scripted_network hole;
  hole.is_stable = [](double rate, std::uint64_t) { return rate < 0.165 || (rate > 0.2 && rate < 0.31); };
  hole.latency = [](double rate, std::uint64_t) {
    return 20 * (1 + 0.05 * rate / std::max(0.205 - rate, 1e-3));
  };
  for (unsigned order = 0; order < 10; ++order) {
    curve_search search(scripted_curve(), {});
    answer_all(search, hole, order);
    EXPECT_LT(search.summary().saturation_throughput, 0.165);
    EXPECT_GE(search.summary().saturation_upper, 0.165);
    EXPECT_LE(search.summary().saturation_upper, 0.17);
  }
}

/// Short windows find loads stable up to .3, windows eight times as long up to less.
scripted_network with_long_windows_up_to(double limit) {
  scripted_network network;
  network.is_stable = saturates_at(0.3);
  network.is_stable_for_long = saturates_at(limit);
  return network;
}

TEST(curve_search, confirms_the_saturation_throughput_by_a_longer_run) {
  // Settings without confirmation find .3 whatever longer windows say.
  for (const double limit : {0.29, 0.27, 0.2, 0.05})
    for (unsigned order = 0; order < 10; ++order) {
      search_settings settings;
      curve_search search(scripted_curve(), settings);
      const std::size_t runs = answer_all(search, with_long_windows_up_to(limit), order, false);
      const curve_summary s = search.summary();
      SCOPED_TRACE(search.status_text());
      EXPECT_LE(s.saturation_throughput, limit);
      EXPECT_GT(s.saturation_upper, limit);
      EXPECT_LE(s.saturation_upper - s.saturation_throughput, 0.02 * s.saturation_upper);
      EXPECT_DOUBLE_EQ(s.confidence, 0.75) << "one long run against it";
      EXPECT_EQ(s.runs, runs) << "no run was in vain";
      for (const load_figures& load : search.loads()) {
        if (load.rate == s.saturation_throughput) {
          ASSERT_TRUE(load.confirmation);
          EXPECT_TRUE(load.confirmation->result.stable());
          EXPECT_THAT(load.confirmation->what->command(), ::testing::HasSubstr("--cycles 80000"));
        }
        EXPECT_EQ(load.stable, load.rate <= s.saturation_throughput) << load.rate;
      }
      settings.confirm = 1;
      curve_search rash(scripted_curve(), settings);
      answer_all(rash, with_long_windows_up_to(limit), order);
      EXPECT_GT(rash.summary().saturation_throughput, 0.29);
    }
}

TEST(curve_search, has_no_saturation_where_long_windows_find_none) {
  curve_search search(scripted_curve(), {});
  answer_all(search, with_long_windows_up_to(0), 1);
  EXPECT_TRUE(std::isnan(search.summary().saturation_throughput));
  EXPECT_LT(search.summary().saturation_upper, 0.01);
  EXPECT_FALSE(search.observed());
}

TEST(curve_search, goes_down_to_the_least_load_that_is_known_and_no_further) {
  // The steps grow, and would pass it.
  for (const double limit : {0.0101, 0.0012, 0.00101}) {
    curve_search search(scripted_curve(), {});
    answer_all(search, with_long_windows_up_to(limit), 1);
    SCOPED_TRACE(search.status_text());
    const curve_summary s = search.summary();
    double largest = std::numeric_limits<double>::quiet_NaN();
    for (const load_figures& load : search.loads())
      if (load.stable) largest = load.rate;
    if (std::isnan(largest))
      EXPECT_TRUE(std::isnan(s.saturation_throughput));
    else
      EXPECT_EQ(s.saturation_throughput, largest);
    EXPECT_GT(s.saturation_upper, s.saturation_throughput > 0 ? limit : 0);
  }
}

TEST(curve_search, knows_no_load_below_the_highest_where_that_one_has_hardly_a_packet) {
  curve c = scripted_curve();
  c.config.traffic.packet_flits = "10000";  // 20 of them are more than 16 nodes send in the window
  curve_search found(c, {});
  answer_all(found, saturates_at(1), 1);
  EXPECT_EQ(found.summary().saturation_throughput, 1);
  scripted_network network;
  network.is_stable = saturates_at(1);
  network.is_stable_for_long = saturates_at(0);
  curve_search none(c, {});
  answer_all(none, network, 1);
  EXPECT_TRUE(std::isnan(none.summary().saturation_throughput));
  EXPECT_EQ(none.summary().saturation_upper, 1);
}

TEST(curve_search, leaves_windows_alone_that_choose_their_own_length) {
  curve c = scripted_curve();
  c.config.measurement.precision = 0.01;
  curve_search search(c, {});
  answer_all(search, with_long_windows_up_to(0.1), 1);
  EXPECT_GT(search.summary().saturation_throughput, 0.29);
}

/// 20 packets of 16 flits from 16 nodes in 8,000 cycles.
TEST(curve_search, halves_down_to_the_load_of_just_enough_packets) {
  curve c = scripted_curve();
  c.config.traffic.packet_flits = "16";
  c.config.measurement.measure_cycles = 8000;
  curve_search search(c, {});
  answer_all(search, saturates_at(0), 1, false);
  EXPECT_THAT(rates_of(search), ElementsAre(0.0025, 0.005, 0.01));
}

/// Loads of the wanted points that are needed, and of those that may be.
std::pair<std::set<double>, std::set<double>> loads_wanted(const curve_search& search) {
  std::set<double> now, perhaps;
  for (const auto& [load_and_seed, priority] : priorities_of(search))
    (priority > 1 ? perhaps : now).insert(load_and_seed.first);
  return {now, perhaps};
}

TEST(curve_search, perhaps_wants_the_load_that_follows) {
  search_settings settings;
  settings.tolerance = 0.1;
  curve_search search(scripted_curve(), settings);
  const auto answer = [&](double load) { answer_load(search, load, {1, 2, 3}, saturates_at(0.23)); };
  const auto [now, perhaps] = loads_wanted(search);
  EXPECT_THAT(now, ElementsAre(0.01));
  EXPECT_THAT(perhaps, ElementsAre(0.01, 0.02)) << "more seeds, and the load after it";
  for (const double load : {0.01, 0.02, 0.04}) answer(load);
  EXPECT_EQ(search.expected(), 2 + (4 + 3 + least_loads - 2) * 3) << "some doublings until there is a bracket";
  for (const double load : {0.08, 0.16, 0.32}) answer(load);
  const auto [middle, after_it] = loads_wanted(search);
  EXPECT_THAT(middle, ElementsAre(0.24));
  EXPECT_THAT(after_it, ElementsAre(0.2, 0.24, 0.28)) << "whatever it is";
  // Two that decide the middle; 3 halvings, and what the shape lacks with two loads from .08 to .16.
  EXPECT_EQ(search.expected(), 2 + (3 + least_loads - 2) * 3);
  answer(0.24);
  EXPECT_THAT(loads_wanted(search).second, ElementsAre(0.18, 0.2, 0.22));
  answer(0.2);
  const auto [last, after_that] = loads_wanted(search);
  EXPECT_THAT(last, ElementsAre(0.22));
  EXPECT_THAT(after_that, ElementsAre(0.22)) << "the bracket will be narrow enough";
  EXPECT_EQ(search.expected(), 2 + (1 + least_loads - 2) * 3) << "from .1 to .2 there are two loads";
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

/// A burst of 2 packets in the mean has a gap of a cycle behind it.
TEST(curve_search, tries_no_load_that_bursts_cannot_make) {
  for (const auto& [burst, packet, greatest] :
       {std::tuple{2.0, "1", 0.6666}, {1.0, "1", 0.5}, {1.0, "2", 1.0}, {8.0, "1:0.5,3:0.5", 1.0}}) {
    curve c = scripted_curve();
    c.config.traffic.arrivals = "on_off";
    c.config.traffic.mean_burst_packets = burst;
    c.config.traffic.packet_flits = packet;
    EXPECT_EQ(greatest_load(c.config.traffic), greatest);
    curve_search search(c, {});
    double highest = 0;
    const auto note = [&](double rate, std::uint64_t) {
      highest = std::max(highest, rate);
      return true;
    };
    answer_all(search, note, 1);
    EXPECT_EQ(highest, greatest);
  }
}

TEST(curve_search, gives_up_when_nothing_is_stable) {
  curve_search search(scripted_curve(), {});
  for (const statistic& s : search.summary().figures())
    if (const auto* value = std::get_if<double>(&s.value)) {
      EXPECT_EQ(std::isnan(*value), s.name != "tolerance") << s.name << " before the first run";
    }
  answer_all(
      search, [](double, std::uint64_t) { return false; }, 1);
  EXPECT_TRUE(std::isnan(search.summary().saturation_throughput));
  EXPECT_TRUE(std::isnan(search.summary().latency_at_saturation));
  EXPECT_TRUE(std::isnan(search.summary().accepted_at_saturation));
  EXPECT_TRUE(std::isnan(search.summary().knee));
  EXPECT_TRUE(std::isnan(search.summary().zero_load_latency));
  EXPECT_EQ(search.loads().front().runs.size(), 3U) << "the smallest load has all seeds";
  EXPECT_EQ(search.loads().back().runs.size(), 2U);
}

TEST(curve_search, knows_what_its_settings_may_be) {
  search_settings settings;
  EXPECT_THAT(settings.validate(), ::testing::IsEmpty());
  settings.rates = {0.1, 1.5};
  settings.seeds = {};
  settings.tolerance = 0;
  settings.confidence = 1;
  settings.confirm = 0;
  EXPECT_EQ(settings.validate().size(), 5U);
  for (const auto& [times, errors] : {std::pair(1, 0U), std::pair(1000, 0U), std::pair(1001, 1U)}) {
    search_settings confirming;
    confirming.confirm = times;
    EXPECT_EQ(confirming.validate().size(), errors) << times;
  }
  const auto errors_of = [](double rate, double tolerance, double confidence) {
    search_settings own;
    own.rates = {rate};
    own.tolerance = tolerance;
    own.confidence = confidence;
    return own.validate();
  };
  EXPECT_THAT(errors_of(1e-9, 1e-9, 0), ::testing::IsEmpty());
  EXPECT_THAT(errors_of(1, 0.999, 0.999), ::testing::IsEmpty());
  EXPECT_THAT(errors_of(0, 0.1, 0), ElementsAre("rates: they must be above 0 and at most 1 flit per node and cycle"));
  EXPECT_THAT(errors_of(1, 1, 0), ElementsAre("tolerance: it must be above 0 and below 1"));
  EXPECT_THAT(errors_of(1, 0.1, -1e-9), ElementsAre("confidence: it must be from 0 on and below 1"));
}

TEST(curve_search, refuses_what_has_no_load) {
  run_config batch;
  batch.traffic.mode = traffic_mode::batch;
  EXPECT_THROW(make_curve(batch), std::invalid_argument);
  run_config unknown;
  unknown.topology.spec = "torsu:8x8";
  EXPECT_THROW(make_curve(unknown), std::invalid_argument);
}

}  // namespace
}  // namespace toriscope::curve_search_test
