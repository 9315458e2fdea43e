// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/integer_histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error_of_test.h"
#include "base/hash.h"
#include "base/state_archive.h"

namespace toriscope::integer_histogram_test {
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

TEST(integer_histogram, words_are_the_number_of_values_then_each_with_its_count) {
  integer_histogram h;
  std::vector<std::uint64_t> words{7};
  h.append_to(words);
  EXPECT_THAT(words, testing::ElementsAre(7, 0));
  h.add(4);
  h.append_to(words);
  EXPECT_THAT(words, testing::ElementsAre(7, 0, 1, 4, 1));
  h.add(0, 5);
  h.add(100000);
  h.add(4);
  words.clear();
  h.append_to(words);
  EXPECT_THAT(words, testing::ElementsAre(3, 0, 5, 4, 2, 100000, 1));
}

TEST(integer_histogram, of_one_value_is_a_bin) {
  integer_histogram h;
  h.add(0);
  EXPECT_EQ(h.count(), 1u);
  EXPECT_EQ(h.percentile(1), 0u);
  integer_histogram of_nine;
  of_nine.add(9);
  EXPECT_EQ(of_nine.percentile(1), 9u);
  EXPECT_EQ(of_nine.binned(2).first, 9u);
  EXPECT_EQ(of_nine.binned(2).width, 1u);
  EXPECT_THAT(of_nine.binned(2).counts, testing::ElementsAre(1));
}

TEST(integer_histogram, has_as_few_bins_as_asked_for) {
  integer_histogram h;
  for (const std::uint64_t value : {9u, 24u}) h.add(value);
  EXPECT_EQ(h.binned(16).width, 1u);
  EXPECT_EQ(h.binned(16).counts.size(), 16u);
  EXPECT_EQ(h.binned(15).width, 2u);
  EXPECT_EQ(h.binned(15).first, 8u);
  EXPECT_EQ(h.binned(15).counts.size(), 9u);
  EXPECT_EQ(integer_histogram().binned(2).width, 1u);
  EXPECT_EQ(integer_histogram().binned(2).first, 0u);
}

/// From the smallest to the largest number there is, more by one than a word can say: it wrote anywhere.
TEST(integer_histogram, bins_all_that_there_can_be) {
  integer_histogram h;
  h.add(0, 2);
  h.add(~std::uint64_t{0});
  const integer_histogram::bins all = h.binned(4);
  EXPECT_EQ(all.width, std::uint64_t{1} << 62);
  EXPECT_THAT(all.counts, testing::ElementsAre(2, 0, 0, 1));
}

TEST(integer_histogram, takes_no_latency_from_a_state_that_is_longer_than_any_run) {
  const auto said = [](std::uint64_t value) {
    integer_histogram h, back;
    h.add(value);
    state_archive saved;
    h.archive(saved);
    state_archive read(saved.bytes());
    return error_of<damaged_state>([&] { back.archive(read); });
  };
  EXPECT_EQ(said((std::uint64_t{1} << 60) - 1), "none");
  EXPECT_EQ(said(std::uint64_t{1} << 60), "a number is out of its range");
}

TEST(integer_histogram, counts_a_value_several_times_and_the_largest_there_is) {
  integer_histogram h;
  EXPECT_EQ(h.min(), 0u);
  EXPECT_EQ(h.max(), 0u);
  h.add(~std::uint64_t{0});
  EXPECT_EQ(h.min(), ~std::uint64_t{0});
  EXPECT_EQ(h.max(), ~std::uint64_t{0});
  integer_histogram several;
  several.add(65535, 3);
  several.add(65536, 2);
  several.add(1);
  EXPECT_EQ(several.count(), 6u);
  EXPECT_EQ(several.sum(), 3 * 65535u + 2 * 65536 + 1);
  EXPECT_EQ(several.percentile(16), 1u);
  EXPECT_EQ(several.percentile(66), 65535u);
  EXPECT_EQ(several.percentile(67), 65536u);
}

TEST(integer_histogram, a_state_has_all_values_or_is_cut_off) {
  integer_histogram h;
  h.add(5, 3);
  h.add(70000);
  state_archive saved;
  h.archive(saved);
  integer_histogram back;
  state_archive read(saved.bytes());
  back.archive(read);
  read.end();
  EXPECT_EQ(back.count(), 4u);
  EXPECT_EQ(back.sum(), 70015u);
  EXPECT_EQ(back.min(), 5u);
  EXPECT_EQ(back.max(), 70000u);
  const auto verdict = [](std::vector<std::uint64_t> words) {
    state_archive a;
    a.numbers(words);
    integer_histogram one;
    state_archive from(a.bytes());
    return error_of<damaged_state>([&] { one.archive(from); });
  };
  EXPECT_EQ(verdict({1, 5, 3}), "none");
  EXPECT_EQ(verdict({0}), "none");
  for (const auto& words : std::vector<std::vector<std::uint64_t>>{{}, {1, 5}, {2, 5, 3}, {1, 5, 3, 9}, {0, 5, 3}})
    EXPECT_EQ(verdict(words), "a histogram is cut off");
}

}  // namespace
}  // namespace toriscope::integer_histogram_test
