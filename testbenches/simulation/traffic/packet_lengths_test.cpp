// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/packet_lengths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

namespace toriscope {
namespace {

TEST(packet_lengths, a_fixed_length_draws_nothing) {
  const packet_lengths lengths("16");
  random_stream random(5), untouched(5);
  EXPECT_EQ(lengths.draw(random), 16u);
  EXPECT_EQ(random.next(), untouched.next());
  EXPECT_EQ(lengths.mean(), 16.0);
  EXPECT_EQ(lengths.longest(), 16u);
}

TEST(packet_lengths, the_mean_is_exact) {
  EXPECT_EQ(packet_lengths().mean(), 16.0) << "the papers' packets";
  EXPECT_EQ(packet_lengths("4:0.5,16:0.5").mean(), 10.0);
  EXPECT_EQ(packet_lengths("4:1,16:3").mean(), 13.0);
  const packet_lengths tenths("1:0.1,2:0.2,3:0.7");
  EXPECT_EQ(tenths.weighted_flits() * 10, tenths.total_weight() * 26);  // .1 + .4 + 2.1 = 2.6
  EXPECT_EQ(tenths.longest(), 3u);
}

TEST(packet_lengths, a_length_of_weight_0_is_never_drawn) {
  for (const char* text : {"4:0,16:1", "16:1,4:0"}) {
    const packet_lengths lengths{std::string(text)};
    EXPECT_EQ(lengths.mean(), 16.0) << text;
    EXPECT_EQ(lengths.longest(), 16u) << text;
  }
}

TEST(packet_lengths, shares_are_those_of_the_weights) {
  const packet_lengths lengths("4:1,16:3");
  random_stream random(9);
  std::map<std::uint32_t, int> count;
  for (int i = 0; i < 10000; ++i) ++count[lengths.draw(random)];
  ASSERT_EQ(count.size(), 2u);
  EXPECT_NEAR(count[16], 7500, 4 * 43.3);  // 4 sigma, sigma = sqrt(10000 * .75 * .25)
}

TEST(packet_lengths, weights_that_64_bits_do_not_hold) {
  const auto mix = [](int lengths) {
    std::string text = "65535:999999.999999";
    for (int i = 1; i < lengths; ++i) text += ",65535:999999.999999";
    return text;
  };
  EXPECT_EQ(packet_lengths(mix(281)).mean(), 65535.0);
  for (const int lengths : {282, 400}) {
    try {
      packet_lengths wrong(mix(lengths));
      FAIL() << lengths << " lengths, mean " << wrong.mean();
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("add up to 2^64 millionths or more"));
      EXPECT_LT(std::string(error.what()).size(), 300u);
    }
  }
}

TEST(packet_lengths, what_is_wrong_is_refused_in_words) {
  for (const char* text : {"", "0", "-3", "16x", "4:0.5,16", "4:0.5,", "4:,16:1", "4:a", "4:0,16:0", "70000",
                           "4:1.", "4:0.1234567"}) {
    try {
      packet_lengths lengths{std::string(text)};
      FAIL() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("packet length '" + std::string(text) + "': "));
    }
  }
}

}  // namespace
}  // namespace toriscope
