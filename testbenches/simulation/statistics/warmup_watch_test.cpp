// SPDX-License-Identifier: Apache-2.0
// Series whose warm-up is known.
#include "testbenches/simulation/statistics/warmup_watch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testbenches/simulation/traffic/random.h"

namespace toriscope::warmup_watch_test {
namespace {

/// Latencies that go from 20 to 100 with this time constant, and noise of +- 20.
std::uint64_t latency(cycle_t t, double constant, random_stream& random) {
  return static_cast<std::uint64_t>(100 - 80 * std::exp(-static_cast<double>(t) / constant)) + random.below(41) - 20;
}

TEST(mser, finds_the_end_of_a_step) {
  time_batches series(256);
  for (std::uint64_t t = 0; t < 256; ++t) series.add(t, (t < 50 ? 10 : 100) + t % 3);
  const auto found = mser_truncation(series, 256);
  ASSERT_TRUE(found);
  EXPECT_NEAR(static_cast<double>(*found), 50, 1);
}

TEST(mser, a_steady_series_has_no_warmup) {
  time_batches series(256);
  for (std::uint64_t t = 0; t < 256; ++t) series.add(t, 100 + t % 2);
  EXPECT_LE(mser_truncation(series, 256).value(), 1u);
}

TEST(mser, cuts_nothing_off_a_constant_series_of_32_batches_or_more) {
  for (const std::size_t batches : {31u, 32u, 100u}) {
    time_batches series(256);
    for (std::uint64_t t = 0; t < batches; ++t) series.add(t, 7);
    const auto found = mser_truncation(series, batches);
    ASSERT_EQ(found.has_value(), batches >= 32) << batches;
    EXPECT_EQ(found.value_or(0), 0u) << batches;
  }
}

// Its answer is a batch of the series, not of those that have any packets.
TEST(mser, counts_empty_batches) {
  time_batches series(256);
  for (std::uint64_t t = 0; t < 256; t += 2) series.add(t, (t < 50 ? 10 : 100) + t % 3);
  const auto found = mser_truncation(series, 256);
  ASSERT_TRUE(found);
  EXPECT_NEAR(static_cast<double>(*found), 50, 2);
}

TEST(mser, cuts_off_half_of_the_batches_at_most) {
  for (const std::uint64_t step : {32u, 33u}) {
    time_batches series(64, 64);
    for (std::uint64_t t = 0; t < 64; ++t) series.add(t, t < step ? 10 : 100);
    EXPECT_EQ(mser_truncation(series, 64).value_or(0), step == 32 ? 32u : 0u);
  }
}

/// The first ten batches are above the others by a seventieth; from then on there is no error at all.
TEST(mser, finds_the_end_of_a_small_step) {
  time_batches series(100, 100);
  for (std::uint64_t t = 0; t < 100; ++t)
    for (unsigned i = 0; i < 10; ++i) series.add(t, t < 10 && i == 0 ? 8 : 7);
  EXPECT_EQ(mser_truncation(series, 100), 10u);
}

/// The definition (White 1997; Schruben 1982), written down once more: the sums of each truncation are made anew.
std::optional<std::size_t> truncation(const std::vector<double>& means) {
  const auto error_from = [&](std::size_t begin) {
    double mean = 0, squares = 0;
    const auto n = static_cast<double>(means.size() - begin);
    for (std::size_t i = begin; i < means.size(); ++i) mean += means[i] / n;
    for (std::size_t i = begin; i < means.size(); ++i) squares += (means[i] - mean) * (means[i] - mean);
    return squares / n / n;
  };
  if (means.size() < 32) return std::nullopt;
  std::size_t best = 0;
  for (std::size_t d = 1; d + 5 <= means.size(); ++d)
    if (error_from(d) < error_from(best) * (1 - 1e-9)) best = d;
  if (best > means.size() / 2) return std::nullopt;
  // Of a half: mean and squared error of eight batches.
  const auto half = [&](std::size_t begin, std::size_t end) {
    std::vector<double> batches;
    for (std::size_t b = 0; b < 8; ++b) {
      const std::size_t from = begin + b * (end - begin) / 8, to = begin + (b + 1) * (end - begin) / 8;
      double sum = 0;
      for (std::size_t i = from; i < to; ++i) sum += means[i];
      batches.push_back(sum / static_cast<double>(to - from));
    }
    double mean = 0, squares = 0;
    for (const double b : batches) mean += b / 8;
    for (const double b : batches) squares += (b - mean) * (b - mean);
    return std::pair(mean, squares / 7 / 8);
  };
  const std::size_t middle = (best + means.size()) / 2;
  const auto a = half(best, middle), b = half(middle, means.size());
  if (std::abs(a.first - b.first) > 3 * std::sqrt(a.second + b.second)) return std::nullopt;
  return best;
}

/// Series of 29 to 100 batches that begin low, and rise a little or not at all.
TEST(mser, is_as_defined) {
  random_stream random(3, 0);
  unsigned given = 0, too_short = 0;
  for (int run = 0; run < 3000; ++run) {
    const std::uint64_t batches = 29 + random.below(72), low = random.below(40), rise = random.below(4);
    time_batches series(batches, static_cast<unsigned>(batches));
    std::vector<double> means;
    for (std::uint64_t t = 0; t < batches; ++t) {
      const std::uint64_t value = (t < low ? 1 : 3) + random.below(6) + rise * t / batches;
      series.add(t, value);
      means.push_back(static_cast<double>(value));
    }
    const auto right = truncation(means);
    ASSERT_EQ(mser_truncation(series, batches), right) << "series " << run;
    ++(right ? given : too_short);
  }
  EXPECT_GT(given, 500u);
  EXPECT_GT(too_short, 500u);
}

/// Two packets of 10 cycles in each batch, then one of 40.
TEST(mser, looks_at_means_and_not_at_sums) {
  time_batches series(128, 128);
  for (std::uint64_t t = 0; t < 128; ++t) {
    series.add(t, t < 50 ? 10 : 40);
    if (t < 50) series.add(t, 10);
  }
  EXPECT_EQ(mser_truncation(series, 128), 50u);
}

TEST(mser, a_series_that_still_grows_is_too_short) {
  time_batches series(256);
  for (std::uint64_t t = 0; t < 256; ++t) series.add(t, 100 + t);
  EXPECT_FALSE(mser_truncation(series, 256));
  EXPECT_FALSE(mser_truncation(series, 5));
}

TEST(warmup_watch, waits_for_as_long_as_the_warmup_takes) {
  for (const double constant : {300., 3000., 10000.}) {
    warmup_watch watch(2000);
    random_stream random(1, 0);
    cycle_t now = 0;
    cycle_t end = 2000;
    for (;; end *= 2) {
      for (; now < end; ++now) {
        packet_record p;
        p.created = now;
        watch.packet_received(0, p, now + latency(now, constant, random));
      }
      if (watch.ends_by(end)) break;
      ASSERT_LT(end, 1000000u);
    }
    EXPECT_GE(static_cast<double>(end), constant) << constant;
    EXPECT_LE(static_cast<double>(end), 16 * constant + 2000) << constant;
  }
}

TEST(warmup_watch, looks_twice_as_far_from_the_cycle_on_that_is_beyond) {
  warmup_watch watch(256);
  time_batches expected(256);
  expected.add(255, 4);
  expected.double_duration();
  expected.add(256, 5);
  packet_record p;
  p.created = 255;
  watch.packet_received(0, p, 259);
  p.created = 256;
  watch.packet_received(1, p, 261);
  state_archive seen, right;
  watch.archive(seen);
  expected.archive(right);
  EXPECT_EQ(seen.bytes(), right.bytes());
}

/// A batch for each cycle; 32 are needed.
TEST(warmup_watch, looks_at_packets_of_the_first_three_quarters) {
  warmup_watch watch(256);
  for (cycle_t created = 0; created < 256; ++created) {
    packet_record p;
    p.created = created;
    watch.packet_received(0, p, created + (created < 192 ? 100 + created % 2 : 10));
  }
  EXPECT_FALSE(watch.ends_by(41)) << "31 batches";
  EXPECT_TRUE(watch.ends_by(42)) << "32 batches";
  EXPECT_TRUE(watch.ends_by(256)) << "of the last quarter only the fast ones have arrived";
  EXPECT_FALSE(watch.ends_by(4 * 256)) << "now all have, and their latency has changed";
}

}  // namespace
}  // namespace toriscope::warmup_watch_test
