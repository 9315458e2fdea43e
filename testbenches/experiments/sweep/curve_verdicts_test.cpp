// SPDX-License-Identifier: Apache-2.0
// When a search knows enough of a load, what it asks for until then, and where brackets and steps end exactly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "testbenches/experiments/sweep/answered_search.h"

namespace toriscope::curve_verdicts_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

using priorities = std::map<std::pair<double, std::uint64_t>, unsigned>;

search_settings fixed_loads(const std::vector<double>& rates, const std::vector<std::uint64_t>& seeds) {
  search_settings settings;
  settings.rates = rates;
  settings.seeds = seeds;
  return settings;
}

/// Of a torus of 16 nodes with a window of 10,000 cycles: the least load is that of 20 such packets.
curve with_packets_of(const char* flits) {
  curve c = scripted_curve();
  c.config.traffic.packet_flits = flits;
  return c;
}

bool always(double, std::uint64_t) { return true; }

TEST(curve_verdicts, one_of_two_seeds_refutes_a_load_and_none_alone_proves_it) {
  curve_search refuted(scripted_curve(), fixed_loads({0.1, 0.2}, {1, 2}));
  EXPECT_EQ(priorities_of(refuted), (priorities{{{0.1, 1}, 0}, {{0.1, 2}, 2}, {{0.2, 1}, 3}, {{0.2, 2}, 3}}))
      << "the first one may decide";
  answer_load(refuted, 0.1, {1}, saturates_at(0));
  EXPECT_EQ(priorities_of(refuted), (priorities{{{0.1, 2}, 1}})) << "for the mean";
  curve_search stable(scripted_curve(), fixed_loads({0.1, 0.2}, {1, 2}));
  answer_load(stable, 0.1, {1}, always);
  EXPECT_EQ(priorities_of(stable), (priorities{{{0.1, 2}, 0}, {{0.2, 1}, 2}, {{0.2, 2}, 2}}));
}

TEST(curve_verdicts, three_of_five_seeds_decide) {
  curve_search search(scripted_curve(), fixed_loads({0.1, 0.2}, {1, 2, 3, 4, 5}));
  answer_load(search, 0.1, {1, 2, 3}, always);
  EXPECT_EQ(priorities_of(search), (priorities{{{0.1, 4}, 1},
                                               {{0.1, 5}, 1},
                                               {{0.2, 1}, 0},
                                               {{0.2, 2}, 0},
                                               {{0.2, 3}, 0},
                                               {{0.2, 4}, 2},
                                               {{0.2, 5}, 2}}));
}

TEST(curve_verdicts, with_a_confidence_all_seeds_of_every_load_are_run) {
  search_settings settings = fixed_loads({0.1}, {1, 2, 3});
  settings.confidence = 0.5;
  EXPECT_EQ(priorities_of(curve_search(scripted_curve(), settings)),
            (priorities{{{0.1, 1}, 0}, {{0.1, 2}, 0}, {{0.1, 3}, 0}}));
  settings.rates.clear();
  settings.tolerance = 0.1;
  curve_search sought(scripted_curve(), settings);
  answer_all(sought, saturates_at(0.17), 1, false);
  EXPECT_THAT(rates_of(sought), IsSupersetOf({0.24, 0.32})) << "beyond the one that bounds saturation";
  for (const load_figures& load : sought.loads()) EXPECT_EQ(load.runs.size(), 3U) << load.rate;
}

/// Three of three: 15/16.
TEST(curve_verdicts, a_confidence_that_is_just_reached_is_enough) {
  for (const auto& [confidence, runs] : {std::pair(0.9375, 3U), std::pair(0.93751, 4U)}) {
    search_settings settings = fixed_loads({0.1}, {1, 2, 3});
    settings.confidence = confidence;
    curve_search search(scripted_curve(), settings);
    answer_all(search, always, 1);
    EXPECT_EQ(search.loads().front().runs.size(), runs);
  }
}

/// Two seeds of three find .32 stable, and its window is confirmed; the third shows that queues grow in all of them.
TEST(curve_verdicts, a_load_that_the_last_seed_refutes_has_no_confirmation) {
  scripted_network network;
  network.is_stable = [](double rate, std::uint64_t seed) { return rate < (seed == 3 ? 0.2 : 0.4); };
  network.growth = [](double rate, std::uint64_t) { return rate < 0.2 ? 0.0 : 2.0; };
  search_settings settings;
  settings.tolerance = 0.5;
  curve_search search(scripted_curve(), settings);
  answer_in_turn(search, network);
  EXPECT_EQ(search.summary().saturation_throughput, 0.16);
  EXPECT_EQ(search.summary().saturation_upper, 0.32) << "apart by just the tolerance";
  EXPECT_THAT(rates_of(search), Not(Contains(0.24)));
  EXPECT_DOUBLE_EQ(search.summary().confidence, 0.9375) << "three of three; growth in all runs is surer";
  for (const load_figures& load : search.loads())
    EXPECT_EQ(load.confirmation.has_value(), load.rate == 0.16) << load.rate;
}

TEST(curve_verdicts, nothing_is_stable_where_the_last_seed_refutes_every_load) {
  scripted_network network;
  network.is_stable = [](double, std::uint64_t seed) { return seed != 3; };
  network.growth = [](double, std::uint64_t) { return 2.0; };
  curve_search search(scripted_curve(), {});
  answer_in_turn(search, network);
  EXPECT_TRUE(std::isnan(search.summary().saturation_throughput));
  EXPECT_EQ(search.summary().saturation_upper, 0.0025);
}

/// Loads below those that were doubled turn out not to be stable, down to the least one.
TEST(curve_verdicts, nothing_is_stable_where_the_least_load_is_not) {
  const stability above = [](double rate, std::uint64_t) { return rate > 0.005 && rate < 0.05; };
  curve_search search(scripted_curve(), {});
  answer_all(search, above, 1, false);
  EXPECT_TRUE(std::isnan(search.summary().saturation_throughput));
  EXPECT_EQ(search.summary().saturation_upper, 0.002);
}

TEST(curve_verdicts, a_confidence_is_a_probability_whatever_is_known_so_far) {
  curve_search search(scripted_curve(), fixed_loads({0.1, 0.2, 0.3}, {1, 2, 3}));
  answer_load(search, 0.1, {1, 2, 3}, always);
  answer_load(search, 0.2, {1, 2}, always);
  EXPECT_EQ(search.summary().saturation_throughput, 0.2);
  EXPECT_EQ(search.summary().loads, 1U) << "the other one lacks a seed";
  EXPECT_EQ(search.summary().confidence, 1);
}

/// Observed points among those that it asks for.
std::size_t observed_wanted(const curve_search& search) {
  const auto wanted = search.wanted();
  return static_cast<std::size_t>(std::count_if(wanted.begin(), wanted.end(), [](const wanted_point& w) {
    return w.priority == 0 && w.what->command().find("--observe") != std::string::npos;
  }));
}

TEST(curve_verdicts, the_highest_stable_load_is_observed_where_that_is_asked_for_and_when_it_is_known) {
  for (const bool observe : {false, true}) {
    search_settings settings = fixed_loads({0.1, 0.2}, {1});
    settings.observe = observe;
    curve_search search(scripted_curve(), settings);
    answer_load(search, 0.1, {1}, always);
    EXPECT_EQ(observed_wanted(search), 0U) << "so far";
    answer_load(search, 0.2, {1}, saturates_at(0));
    EXPECT_EQ(observed_wanted(search), observe ? 1U : 0U);
    EXPECT_EQ(search.done(), !observe);
    const auto seen = search.point_at(0.1, 1, curve_search::run_kind::observed);
    search.take(*seen, result_of(*seen, saturates_at(1)));
    EXPECT_EQ(search.observed().has_value(), observe);
    EXPECT_TRUE(search.done());
  }
}

TEST(curve_verdicts, a_confirmation_is_needed_at_once_in_a_window_that_many_times_as_long) {
  scripted_network network;
  network.is_stable = saturates_at(0.23);
  for (const auto& [times, cycles] : {std::pair(2, "--cycles 20000"), std::pair(3, "--cycles 30000")}) {
    search_settings settings;
    settings.tolerance = 0.1;
    settings.confirm = static_cast<std::uint64_t>(times);
    curve_search search(scripted_curve(), settings);
    std::size_t longer = 0;
    while (!search.done()) {
      const point& p = *search.wanted().front().what;
      if (p.command().find(cycles) != std::string::npos) {
        ++longer;
        EXPECT_EQ(search.wanted().front().priority, 0U);
      }
      search.take(p, result_of(p, network));
    }
    EXPECT_EQ(longer, 1U) << times;
  }
}

/// Long windows leave .16 of a bracket that is as narrow as the tolerance already.
TEST(curve_verdicts, a_bracket_of_confirmed_loads_ends_at_the_tolerance) {
  scripted_network network;
  network.is_stable = saturates_at(0.32);
  network.is_stable_for_long = saturates_at(0.16);
  search_settings settings;
  settings.tolerance = 0.5;
  curve_search search(scripted_curve(), settings);
  answer_all(search, network, 1, false);
  EXPECT_EQ(search.summary().saturation_throughput, 0.16);
  EXPECT_EQ(search.summary().saturation_upper, 0.32);
  EXPECT_THAT(rates_of(search), Not(Contains(0.24)));
}

TEST(curve_verdicts, confirmed_loads_end_between_neighbours_too) {
  for (const auto& [limit, upper] : {std::pair(0.2301, 0.2302), std::pair(0.2302, 0.2303), std::pair(0.1007, 0.1008)}) {
    scripted_network network;
    network.is_stable = saturates_at(0.2345);
    network.is_stable_for_long = saturates_at(limit);
    search_settings settings;
    settings.tolerance = 1e-9;
    settings.seeds = {1};
    curve_search search(scripted_curve(), settings);
    answer_all(search, network, 1, false);
    EXPECT_EQ(search.summary().saturation_throughput, limit);
    EXPECT_EQ(search.summary().saturation_upper, upper);
  }
}

/// Halves of the halves are worth trying while the bracket is wider than twice the tolerance.
TEST(curve_verdicts, both_halves_are_perhaps_wanted_where_one_of_them_will_be) {
  const auto perhaps = [](double tolerance) {
    search_settings settings;
    settings.tolerance = tolerance;
    curve_search search(scripted_curve(), settings);
    for (const double load : {0.01, 0.02, 0.04, 0.08, 0.16, 0.32})
      answer_load(search, load, {1, 2, 3}, saturates_at(0.23));
    std::set<double> loads;
    for (const auto& [load_and_seed, priority] : priorities_of(search))
      if (priority > 1) loads.insert(load_and_seed.first);
    return loads;
  };
  EXPECT_THAT(perhaps(0.24), ElementsAre(0.2, 0.24, 0.28));
  EXPECT_THAT(perhaps(0.25), ElementsAre(0.24)) << "(.32 - .16) / .32 is twice that";
}

/// Packets of 64 flits: 20 of them are .008 flits/node/cycle.
TEST(curve_verdicts, the_first_load_is_twice_the_least_one) {
  curve_search search(with_packets_of("64"), {});
  EXPECT_EQ(priorities_of(search).begin()->first.first, 0.016);
  answer_all(search, saturates_at(0.016), 1, false);
  EXPECT_THAT(rates_of(search), IsSupersetOf({0.008, 0.016})) << "half of it is the least load itself";
}

/// Packets of 30 flits: .00375, half way between .0025, half of what is saturated, and .005.
TEST(curve_verdicts, the_shape_takes_the_least_load_and_none_below) {
  curve_search search(with_packets_of("30"), {});
  answer_all(search, saturates_at(0.005), 1, false);
  EXPECT_EQ(rates_of(search).front(), 0.00375);
  EXPECT_EQ(search.summary().saturation_throughput, 0.005);
}

/// Packets of 40 flits: .005, half of the first load.
TEST(curve_verdicts, long_windows_may_leave_the_least_load_only) {
  scripted_network network;
  network.is_stable = saturates_at(0.3);
  network.is_stable_for_long = saturates_at(0.005);
  curve_search search(with_packets_of("40"), {});
  answer_all(search, network, 1, false);
  EXPECT_EQ(search.summary().saturation_throughput, 0.005);
}

/// Packets of 140 flits: loads .035, .07, ... and 1, of which .07 is less than .1 by 3/10 of that.
TEST(curve_verdicts, a_load_is_filled_in_where_none_is_nearer_than_three_tenths) {
  curve_search search(with_packets_of("140"), {});
  answer_all(search, saturates_at(1), 1, false);
  EXPECT_THAT(rates_of(search), IsSupersetOf({0.035, 0.07, 0.1, 0.14}));
  curve_search above(with_packets_of("260"), {});  // .065, .13, ...: .13 is more than .1 by 3/10 of that
  answer_all(above, saturates_at(1), 1, false);
  EXPECT_THAT(rates_of(above), IsSupersetOf({0.065, 0.1, 0.13}));
}

/// Packets of 250 flits, 20 of which are .03125: doubled from .0625 on. Of the loads that are filled in below .5 the
/// lowest, .05, is near .0625. From .25, half of the saturation throughput, to .5 there are six: four part gaps.
TEST(curve_verdicts, a_curve_without_a_knee_has_these_loads_and_runs) {
  scripted_network network;
  network.is_stable = saturates_at(0.5);
  network.latency = [](double, std::uint64_t) { return 20.0; };
  search_settings settings;
  settings.tolerance = 0.5;
  curve_search search(with_packets_of("250"), settings);
  answer_all(search, network, 1, false);
  EXPECT_THAT(rates_of(search), ElementsAre(0.0625, 0.125, 0.25, 0.2812, 0.3125, 0.375, 0.4375, 0.5, 1));
  EXPECT_EQ(search.summary().loads, 9U);
  EXPECT_EQ(search.summary().runs, 9U * 3 + 1) << "three seeds of each, and a longer run of .5";
}

TEST(curve_verdicts, nothing_is_counted_before_the_first_run) {
  const curve_summary none = curve_search(scripted_curve(), {}).summary();
  EXPECT_EQ(none.loads, 0U);
  EXPECT_EQ(none.runs, 0U);
}

TEST(curve_verdicts, a_window_that_is_no_longer_confirms_nothing) {
  search_settings settings;
  settings.confirm = 1;
  settings.tolerance = 0.1;
  curve_search search(scripted_curve(), settings);
  answer_all(search, saturates_at(0.23), 1, false);
  EXPECT_EQ(search.summary().saturation_throughput, 0.22);
  for (const load_figures& load : search.loads()) EXPECT_FALSE(load.confirmation) << load.rate;
}

/// Six loads from .1575 to .315 are enough for the shape: one halving is left, .3175, of which two seeds decide.
TEST(curve_verdicts, a_curve_with_loads_enough_expects_the_halvings_only) {
  search_settings settings;
  settings.tolerance = 0.01;
  curve_search search(scripted_curve(), settings);
  for (const double load : {0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.24, 0.28, 0.3, 0.31, 0.315})
    answer_load(search, load, {1, 2, 3}, saturates_at(0.319));
  EXPECT_EQ(priorities_of(search), (priorities{{{0.3175, 1}, 0}, {{0.3175, 2}, 0}, {{0.3175, 3}, 2}}));
  EXPECT_EQ(search.expected(), 2U + 1 * 3);
}

/// Short windows are stable from .01 on only.
TEST(curve_verdicts, the_lowest_load_of_a_curve_without_saturation_has_all_seeds) {
  scripted_network network;
  network.is_stable = [](double rate, std::uint64_t) { return rate >= 0.01 && rate <= 0.3; };
  network.is_stable_for_long = saturates_at(0);
  curve_search search(scripted_curve(), {});
  answer_all(search, network, 1, false);
  EXPECT_TRUE(std::isnan(search.summary().saturation_throughput));
  EXPECT_LT(search.loads().front().rate, 0.01);
  EXPECT_EQ(search.loads().front().runs.size(), 3U);
}

TEST(curve_verdicts, what_a_configuration_has_no_use_for_makes_no_other_curve) {
  run_config asked;
  asked.topology.spec = "torus:4x4";
  const curve usual = make_curve(asked);
  asked.traffic.hot_probability = 0.25;  // of hotspot traffic
  asked.traffic.seed = 9;
  asked.traffic.rate_flits_per_node_cycle = 0.5;
  EXPECT_EQ(make_curve(asked).config.traffic.hot_probability, usual.config.traffic.hot_probability);
  EXPECT_EQ(make_curve(asked).config.traffic.seed, usual.config.traffic.seed);
  EXPECT_EQ(make_curve(asked).config.traffic.rate_flits_per_node_cycle,
            usual.config.traffic.rate_flits_per_node_cycle);
}

}  // namespace
}  // namespace toriscope::curve_verdicts_test
