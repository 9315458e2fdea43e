// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace toriscope::random_test {
namespace {

TEST(random_stream, is_splitmix64) {
  // The published first outputs for the state 1234567 (reference implementation by S. Vigna).
  random_stream random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
  EXPECT_EQ(random_stream().next(), mix(0x9e3779b97f4a7c15u)) << "from 0 on";
}

TEST(random_stream, last_repeats_the_last_draw) {
  random_stream random(7, 3);
  const std::uint64_t drawn = random.next();
  EXPECT_EQ(random.last(), drawn);
  EXPECT_NE(random.next(), drawn);
}

TEST(random_stream, draws_ahead_are_the_draws_one_by_one) {
  for (const double p : {0.0, 1e-6, 0.0003, 0.004, 0.05, 0.9}) {
    random_stream ahead(3, 5), one_by_one(3, 5);
    for (const std::uint64_t most : {1u, 31u, 32u, 100u, 255u, 100000u})
      for (int round = 0; round < 50; ++round) {
        std::uint64_t calls = 1;
        while (calls <= most && one_by_one.next() >> 1 >= probability(p)) ++calls;
        ASSERT_EQ(ahead.calls_to_below(probability(p), most), calls) << p << ", at most " << most;
        ASSERT_EQ(ahead.last(), one_by_one.last());
      }
  }
}

TEST(random_stream, a_draw_of_the_limit_is_not_below_it) {
  for (std::uint64_t node = 0; node < 100; ++node) {
    random_stream at(9, node), above(9, node);
    const std::uint64_t drawn = random_stream(9, node).next() >> 1;
    EXPECT_GT(at.calls_to_below(drawn, 1), 1u);
    EXPECT_EQ(above.calls_to_below(drawn + 1, 1), 1u);
  }
}

/// x such that mix(x) == y.
std::uint64_t unmixed(std::uint64_t y) {
  const auto inverse = [](std::uint64_t odd) {
    std::uint64_t x = odd;  // right in 3 bits, in twice as many with each step
    for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
    return x;
  };
  y = (y ^ y >> 31 ^ y >> 62) * inverse(0x94d049bb133111ebu);
  y = (y ^ y >> 27 ^ y >> 54) * inverse(0xbf58476d1ce4e5b9u);
  return y ^ y >> 30 ^ y >> 60;
}

/// A draw that is just below the limit, or the limit itself, after others that are far above it.
TEST(random_stream, finds_the_draw_that_is_just_below_the_limit) {
  ASSERT_EQ(mix(unmixed(12345)), 12345u);
  for (const std::uint64_t limit : {std::uint64_t{1}, std::uint64_t{5}, (std::uint64_t{7} << 32) + 5,
                                    std::uint64_t{1} << 32, std::uint64_t{1} << 40})
    for (const std::uint64_t call : {1u, 2u, 8u, 9u, 31u, 32u, 33u, 64u, 65u, 100u}) {
      const auto stream = [&](std::uint64_t drawn) {  // in this call
        return random_stream(unmixed(drawn) - call * 0x9e3779b97f4a7c15u);
      };
      random_stream below = stream(2 * limit - 1), at = stream(2 * limit);
      EXPECT_EQ(below.calls_to_below(limit, 100), call) << limit;
      EXPECT_EQ(below.last(), 2 * limit - 1);
      EXPECT_EQ(at.calls_to_below(limit, 100), 101u) << limit;
      EXPECT_EQ(stream(0).calls_to_below(limit, call - 1), call) << "one call too few";
    }
}

TEST(random_stream, nodes_have_different_streams) {
  EXPECT_NE(random_stream(1, 0).next(), random_stream(1, 1).next());
  EXPECT_NE(random_stream(1, 0).next(), random_stream(2, 0).next());
}

TEST(random_stream, below_is_uniform) {
  // Chi-square with 9 degrees of freedom: 27.88 is exceeded with probability 0.001.
  constexpr unsigned bins = 10, draws = 100000;
  std::vector<unsigned> count(bins);
  random_stream random(42);
  for (unsigned i = 0; i < draws; ++i) {
    const std::uint64_t r = random.below(bins);
    ASSERT_LT(r, bins);
    ++count[r];
  }
  double chi_square = 0;
  for (const unsigned n : count) {
    const double difference = n - double(draws) / bins;
    chi_square += difference * difference * bins / draws;
  }
  EXPECT_LT(chi_square, 27.88);
}

TEST(probability, is_exact_at_both_ends) {
  EXPECT_EQ(probability(0), 0u);
  EXPECT_EQ(probability(1), certain);
  EXPECT_EQ(probability(0.5), certain / 2);
  random_stream random(1);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(random.chance(probability(0)));
    EXPECT_TRUE(random.chance(probability(1)));
  }
}

}  // namespace
}  // namespace toriscope::random_test
