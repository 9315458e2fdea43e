// SPDX-License-Identifier: Apache-2.0
// Series whose mean is known: the interval has to cover it, or not be given.
#include "testbenches/simulation/statistics/confidence_interval.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testbenches/simulation/traffic/random.h"

namespace toriscope::confidence_interval_test {
namespace {

/// About normal: the sum of twelve uniform draws.
double noise(random_stream& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.below(1u << 20)) / (1 << 20);
  return sum;
}

/// Mean 1000, standard deviation 100, correlation of neighbours `r`: one value per cycle.
time_batches autoregressive(double r, std::uint64_t values, std::uint64_t seed) {
  random_stream random(seed, 0);
  time_batches series(values);
  double x = 100 * noise(random);
  for (std::uint64_t t = 0; t < values; ++t) {
    series.add(t, static_cast<std::uint64_t>(1000.5 + x));
    x = r * x + std::sqrt(1 - r * r) * 100 * noise(random);
  }
  return series;
}

struct coverage {
  unsigned given = 0;
  unsigned covering = 0;
  double half_width = 0;  ///< mean
};

coverage of_autoregressive(double r, std::uint64_t values) {
  coverage c;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto interval = interval_95(autoregressive(r, values, seed), {});
    if (!interval) continue;
    ++c.given;
    if (interval->low <= 1000 && 1000 <= interval->high) ++c.covering;
    c.half_width += interval->half_width();
  }
  c.half_width /= c.given;
  return c;
}

TEST(confidence_interval, covers_the_mean_of_correlated_values) {
  for (const double r : {0., .5, .9, .97, .99}) {
    const coverage c = of_autoregressive(r, 4096);
    EXPECT_GE(c.given, 200u) << r;
    EXPECT_GE(c.covering, 0.92 * c.given) << r;
    // Of the mean of n values: sd sqrt((1 + r) / (1 - r) / n).
    const double right = 1.96 * 100 * std::sqrt((1 + r) / (1 - r) / 4096);
    EXPECT_LT(c.half_width, 2 * right) << r;
  }
}

TEST(confidence_interval, a_trend_is_unknown) {
  time_batches series(1000);
  for (std::uint64_t t = 0; t < 1000; ++t) series.add(t, 100 + t);
  EXPECT_FALSE(interval_95(series, {}));
}

TEST(confidence_interval, without_values_or_with_too_few_there_is_none) {
  time_batches series(1000);
  EXPECT_FALSE(interval_95(series, {}));
  for (std::uint64_t t = 0; t < 1000; t += 200) series.add(t, 7);
  EXPECT_FALSE(interval_95(series, {}));
}

TEST(confidence_interval, equal_values_have_no_error) {
  time_batches series(1000);
  for (std::uint64_t t = 0; t < 1000; ++t) series.add(t, 7);
  const auto interval = interval_95(series, {});
  ASSERT_TRUE(interval);
  EXPECT_DOUBLE_EQ(interval->low, 7);
  EXPECT_DOUBLE_EQ(interval->high, 7);
  EXPECT_EQ(interval->batches, 128u) << "the most: fewer show nothing more";
}

TEST(confidence_interval, is_unknown_where_no_packet_was_created_for_an_eighth_of_the_window) {
  for (const std::uint64_t from : {0u, 500u, 875u}) {
    time_batches series(1000);
    for (std::uint64_t t = 0; t < 1000; ++t)
      if (t < from || t >= from + 125) series.add(t, 7);
    EXPECT_FALSE(interval_95(series, {})) << from;
  }
}

/// Of packets whose mean latency is 1000.
window_load near(double zero_load) {
  window_load load;
  load.zero_load = zero_load;
  load.waiting = 1000 - zero_load;
  return load;
}

/// The further above zero load, the less a short window says.
TEST(confidence_interval, knows_of_the_load_near_saturation) {
  const time_batches series = autoregressive(0, 4096, 1);
  const double plain = interval_95(series, {})->half_width();
  EXPECT_NEAR(interval_95(series, near(1000))->half_width(), plain, plain / 5);
  const auto wide = interval_95(series, near(500));
  ASSERT_TRUE(wide);
  // Load off by 2 / sqrt(4096) = 3.1 %, saturation 500 / (10 * 500) = 10 % away: 500 * .31 / (1 - .31)
  EXPECT_NEAR(wide->high - 1000, 500 * .3125 / .6875, 10);
  EXPECT_FALSE(interval_95(series, near(200))) << "saturation would be 2.5 % away";
}

/// A port that a sixteenth of the packets pass, busy 80 % of the time: its load is off by 2 / sqrt(256) = 12.5 %, and
/// it is full at 25 % more.
TEST(confidence_interval, knows_of_the_port_that_few_packets_limit) {
  const time_batches series = autoregressive(0, 4096, 1);
  window_load load = near(900);
  load.busy = .8;
  const double plain = interval_95(series, {})->half_width();
  EXPECT_NEAR(interval_95(series, load)->high - 1000, std::hypot(plain, 100 * .125 / .875 * .625), 1)
      << "all packets pass it";
  load.share = 1 / 16.;
  EXPECT_NEAR(interval_95(series, load)->high - 1000, std::hypot(plain, 100 * .5 / .5), 1);
  load.busy = .9;
  EXPECT_FALSE(interval_95(series, load)) << "full at 11 % more";
  load.busy = 1;
  load.share = 1;
  EXPECT_FALSE(interval_95(series, load));
}

TEST(confidence_interval, does_not_reach_below_zero_load) {
  const time_batches series = autoregressive(.97, 4096, 1);
  window_load load;
  load.zero_load = load.least = 900;
  const double low = interval_95(series, load)->low;
  EXPECT_LT(low, 995);
  load.zero_load = load.least = 1012;
  EXPECT_DOUBLE_EQ(interval_95(series, load)->low, 1012 * (1 - 1 / 64.)) << low;
  load.least = 0;  // there are faster routes than the first
  EXPECT_DOUBLE_EQ(interval_95(series, load)->low, low);
  load.least = 1100;
  EXPECT_DOUBLE_EQ(interval_95(series, load)->low, low) << "the mean is below it";
}

TEST(confidence_interval, bursts_make_the_number_of_packets_vary) {
  const time_batches series = autoregressive(0, 4096, 1);
  window_load load = near(800);
  load.dispersion = 15;
  EXPECT_NEAR(interval_95(series, load)->high - 1000, 200 * .3026 / .6974, 5);
}

TEST(student_t, quantiles_of_tables) {
  EXPECT_NEAR(student_t(7, .025), 2.365, .001);
  EXPECT_NEAR(student_t(127, .025), 1.979, .001);
  EXPECT_NEAR(student_t(9, .0005), 4.781, .001);
}

/// A value in each batch.
std::optional<confidence_interval> of_values(const std::vector<std::uint64_t>& values) {
  time_batches series(values.size(), static_cast<unsigned>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) series.add(i, values[i]);
  return interval_95(series, {});
}

/// Eight batches: the lag-1 correlation by the von Neumann ratio has the standard error sqrt(6 / 63).
TEST(confidence_interval, is_wider_by_the_correlation_that_there_may_well_be) {
  const double t = student_t(7, .025), error = std::sqrt(6 / 63.);
  // Off the mean by 5, 8 times; three steps of 10: correlation 1 - 300 / 200 / 2 = 1/4.
  const auto pairs = of_values({10, 10, 20, 20, 10, 10, 20, 20});
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->batches, 8u);
  EXPECT_EQ(pairs->mean, 15);
  EXPECT_NEAR(pairs->half_width(), t * std::sqrt(200 / 7. / 8) * std::sqrt((1.25 + error) / (.75 - error)), 1e-9);
  // Seven steps of 10: below 0 by more than the error, which makes it no narrower.
  EXPECT_NEAR(of_values({10, 20, 10, 20, 10, 20, 10, 20})->half_width(), t * std::sqrt(200 / 7. / 8), 1e-9);
  // Off by -3, -3, -3, -1, 1, 3, 3, 3: 56 and steps of 2, 2, 2: correlation .89, more than 2.33 errors.
  EXPECT_FALSE(of_values({10, 10, 10, 12, 14, 16, 16, 16}));
  // Off by -2, -2, -2, 2, 2, 2, 2, -2: 32 and two steps of 4: correlation 1/2, with its error 0.81.
  EXPECT_NEAR(of_values({10, 10, 10, 14, 14, 14, 14, 10})->half_width(),
              t * std::sqrt(32 / 7. / 8) * std::sqrt((1.5 + error) / (.5 - error)), 1e-9);
  // The first step counts: four steps of 10, correlation 1 - 400 / 200 / 2 = 0.
  EXPECT_NEAR(of_values({20, 10, 10, 20, 20, 10, 10, 20})->half_width(),
              t * std::sqrt(200 / 7. / 8) * std::sqrt((1 + error) / (1 - error)), 1e-9);
  // Off by -5, -5, -5, 3, 3, 3, 3, 3: 120 and one step of 8: correlation 1 - 64 / 120 / 2 = .73.
  EXPECT_FALSE(of_values({10, 10, 10, 18, 18, 18, 18, 18}));
  // Off by -3, -3, -3, 1, 3, 3, 1, 1: 48 and steps of 4, 2, 2: correlation 1 - 24 / 48 / 2 = 3/4.
  EXPECT_FALSE(of_values({10, 10, 10, 14, 16, 16, 14, 14}));
  // Off by -2, -2, 0, 2, 2, 2, 0, -2: 24 and steps of 2, 2, 2, 2: correlation 2/3, taken for 0.9 at most.
  EXPECT_NEAR(of_values({10, 10, 12, 14, 14, 14, 12, 10})->half_width(),
              t * std::sqrt(24 / 7. / 8) * std::sqrt(1.9 / .1), 1e-9);
}

/// Sixteen batches show an interval of 4.0, the same in pairs one of 4.5.
TEST(confidence_interval, is_no_narrower_than_longer_batches_show_it) {
  const auto found = of_values({10, 10, 20, 20, 10, 10, 20, 20, 10, 10, 20, 20, 10, 10, 20, 20});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->batches, 8u);
  EXPECT_NEAR(found->half_width(), student_t(7, .025) * std::sqrt(200 / 7. / 8), 1e-9);
}

/// Latencies that are all alike: the batches leave nothing open.
TEST(confidence_interval, knows_how_far_the_load_may_be_off) {
  time_batches series(4096);
  for (std::uint64_t i = 0; i < 4096; ++i) series.add(i, 1000);
  window_load load;
  const auto half_width = [&] {
    const auto found = interval_95(series, load);
    return found ? std::vector<double>{1000 - found->low, found->high - 1000} : std::vector<double>{};
  };
  const std::vector<double> nothing{0, 0};
  load.waiting = 288;
  EXPECT_EQ(half_width(), nothing) << "zero load is not known";
  load.zero_load = 0;
  EXPECT_EQ(half_width(), nothing);
  load.zero_load = 100;
  EXPECT_TRUE(half_width().empty()) << "2 / sqrt(4096) * 10 * 288 / 100 = 9/10 of the way";
  load.zero_load = 1;
  load.waiting = .1;  // 1/32 of the way: 5/32 of the weight
  ASSERT_EQ(half_width().size(), 2u);
  EXPECT_NEAR(half_width()[0], .1 / 32 / (1 + 1 / 32.) * 5 / 32, 1e-9);
  EXPECT_NEAR(half_width()[1], .1 / 32 / (1 - 1 / 32.) * 5 / 32, 1e-9);
  load.waiting = 288;
  load.zero_load = 300;  // 0.3 of the way: more than 0.2 counts in full
  ASSERT_EQ(half_width().size(), 2u);
  EXPECT_NEAR(half_width()[0], 288 * .3 / 1.3, 1e-9);
  EXPECT_NEAR(half_width()[1], 288 * .3 / .7, 1e-9);
  load.zero_load = 900;  // 0.1 of the way: half
  EXPECT_NEAR(half_width()[0], 288 * .05 / 1.1, 1e-9);
  EXPECT_NEAR(half_width()[1], 288 * .05 / .9, 1e-9);
  load = {};
  load.zero_load = 100;
  EXPECT_EQ(half_width(), nothing) << "no packet waits";
}

/// 4096 latencies that are all alike: by chance they may be less than the least by 1/64 of it.
TEST(confidence_interval, may_be_below_the_least_latency_by_chance) {
  const auto low = [](std::uint64_t latency, double zero_load, double least) {
    time_batches series(4096);
    for (std::uint64_t i = 0; i < 4096; ++i) series.add(i, latency);
    window_load load;
    load.zero_load = zero_load;
    load.waiting = zero_load / 2;  // 5/32 of the way
    if (least > 0) load.least = least;
    return interval_95(series, load)->low;
  };
  const double less = .5 * 5 / 32 / (1 + 5 / 32.) * 25 / 32;  // of a zero-load latency
  EXPECT_NEAR(low(1, 1, 0), 1 - less, 1e-9) << "there is no least";
  EXPECT_NEAR(low(64, 64, 64), 63, 1e-9);
  EXPECT_NEAR(low(63, 64, 64), 63 - 64 * less, 1e-9) << "the mean is as far below the least already";
}

}  // namespace
}  // namespace toriscope::confidence_interval_test
