// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/integer_histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/hash.h"

namespace toriscope {
namespace {

TEST(integer_histogram, hand_computed) {
  integer_histogram h;
  for (const std::uint64_t value : {15u, 20u, 35u, 40u, 50u}) h.add(value);
  EXPECT_EQ(h.count(), 5u);
  EXPECT_EQ(h.mean(), 32.0);
  EXPECT_EQ(h.min(), 15u);
  EXPECT_EQ(h.max(), 50u);
  // The nearest-rank example of the textbooks.
  EXPECT_EQ(h.percentile(5), 15u);
  EXPECT_EQ(h.percentile(30), 20u);
  EXPECT_EQ(h.percentile(40), 20u);
  EXPECT_EQ(h.percentile(50), 35u);
  EXPECT_EQ(h.percentile(100), 50u);
}

TEST(integer_histogram, empty) {
  const integer_histogram h;
  EXPECT_EQ(h.count(), 0u);
  EXPECT_TRUE(std::isnan(h.mean()));
  EXPECT_EQ(h.percentile(50), 0u);
  EXPECT_TRUE(h.binned(10).counts.empty());
}

TEST(integer_histogram, percentiles_equal_those_of_the_sorted_list) {
  integer_histogram h;
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    // three magnitudes, on both sides of the array's end
    const std::uint64_t value = mix(i, 1) % (i % 3 == 0 ? 50 : i % 3 == 1 ? 70000 : 10000000000);
    h.add(value);
    all.push_back(value);
  }
  std::sort(all.begin(), all.end());
  for (unsigned percent = 1; percent <= 100; ++percent)
    EXPECT_EQ(h.percentile(percent), all[(all.size() * percent + 99) / 100 - 1]) << percent;
  EXPECT_EQ(h.min(), all.front());
  EXPECT_EQ(h.max(), all.back());
}

TEST(integer_histogram, words_add_up) {
  integer_histogram one, other;
  for (const std::uint64_t value : {9u, 10u, 10000000u}) one.add(value);
  for (const std::uint64_t value : {10u, 11u}) other.add(value);
  std::vector<std::uint64_t> words;
  other.append_to(words);
  word_reader in(words);
  one.add_from(in);
  EXPECT_FALSE(in.more());
  EXPECT_EQ(one.count(), 5u);
  EXPECT_EQ(one.percentile(60), 10u);
  EXPECT_EQ(one.percentile(80), 11u);
  EXPECT_EQ(one.max(), 10000000u);
}

TEST(integer_histogram, bins) {
  integer_histogram h;
  for (const std::uint64_t value : {9u, 10u, 11u, 11u, 24u}) h.add(value);
  const integer_histogram::bins fine = h.binned(100);
  EXPECT_EQ(fine.width, 1u);
  EXPECT_EQ(fine.first, 9u);
  EXPECT_EQ(fine.counts.size(), 16u);
  EXPECT_EQ(fine.counts[2], 2u);
  const integer_histogram::bins coarse = h.binned(3);
  EXPECT_EQ(coarse.width, 8u);
  EXPECT_EQ(coarse.first, 8u);
  EXPECT_THAT(coarse.counts, testing::ElementsAre(4, 0, 1));
}

}  // namespace
}  // namespace toriscope
