// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/packet_lengths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "base/error_of_test.h"

namespace toriscope::packet_lengths_test {
namespace {

TEST(packet_lengths, a_fixed_length_draws_nothing) {
  const packet_lengths lengths("16");
  random_stream random(5), untouched(5);
  EXPECT_EQ(lengths.draw(random), 16u);
  EXPECT_EQ(random.next(), untouched.next());
  EXPECT_EQ(lengths.mean(), 16.0);
  EXPECT_EQ(lengths.longest(), 16u);
  for (const packet_lengths& all : {lengths, packet_lengths(16)}) {
    EXPECT_EQ(all.weighted_flits(), 16u);
    EXPECT_EQ(all.total_weight(), 1u);
  }
}

TEST(packet_lengths, the_mean_is_exact) {
  EXPECT_EQ(packet_lengths().mean(), 16.0) << "the papers' packets";
  EXPECT_EQ(packet_lengths("4:0.5,16:0.5").mean(), 10.0);
  EXPECT_EQ(packet_lengths("4:1,16:3").mean(), 13.0);
  EXPECT_EQ(packet_lengths("4:0.5,16:1").mean(), 12.0) << "decimals of different numbers";
  EXPECT_EQ(packet_lengths("1:.25,2:0.750").mean(), 1.75);
  EXPECT_EQ(packet_lengths("1:0.000001,3:0.000001").mean(), 2.0);
  EXPECT_EQ(packet_lengths("65535:999999").mean(), 65535.0);
  const packet_lengths tenths("1:0.1,2:0.2,3:0.7");
  EXPECT_EQ(tenths.weighted_flits() * 10, tenths.total_weight() * 26);  // .1 + .4 + 2.1 = 2.6
  EXPECT_EQ(tenths.longest(), 3u);
}

TEST(packet_lengths, a_length_of_weight_0_is_never_drawn) {
  for (const char* text : {"4:0,16:1", "16:1,4:0"}) {
    const packet_lengths lengths{std::string(text)};
    EXPECT_EQ(lengths.mean(), 16.0) << text;
    EXPECT_EQ(lengths.longest(), 16u) << text;
    EXPECT_EQ(lengths.shares().size(), 1u) << text;
    random_stream random(5), untouched(5);
    EXPECT_EQ(lengths.draw(random), 16u) << text;
    EXPECT_EQ(random.next(), untouched.next()) << "there is one length";
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

/// Of ten millionths: a draw of 0 is the first length, 1 to 3 are the second.
TEST(packet_lengths, are_drawn_by_their_weights_to_the_millionth) {
  const packet_lengths lengths("4:0.000001,16:0.000003,5:0.000006");
  random_stream random(9), same(9);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t drawn = same.below(10);
    ASSERT_EQ(lengths.draw(random), drawn < 1 ? 4u : drawn < 4 ? 16u : 5u) << drawn;
  }
}

TEST(packet_lengths, shares_are_listed) {
  using list = std::vector<std::pair<std::uint32_t, double>>;
  EXPECT_EQ(packet_lengths("4:1,16:2,5:5").shares(), (list{{4, .125}, {16, .25}, {5, .625}}));
  EXPECT_EQ(packet_lengths(7).shares(), (list{{7, 1.}}));
  EXPECT_EQ(packet_lengths("4:1,16:2,5:5").longest(), 16u);
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
      EXPECT_THAT(error.what(), testing::StartsWith("packet length '" + mix(9).substr(0, 40) + "...': "));
      EXPECT_THAT(error.what(), testing::HasSubstr("add up to 2^64 millionths or more"));
      EXPECT_LT(std::string(error.what()).size(), 300u);
    }
  }
}

TEST(packet_lengths, what_is_wrong_is_refused_in_words) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "'' is not a whole number"},
      {"0", "a packet has 1 to 65535 flits"},
      {"65536", "a packet has 1 to 65535 flits"},
      {"-3", "'-3' is not a whole number"},
      {"16x", "'16x' is not a whole number"},
      {"4:0.5,16",
       "a length without a weight; for one length after the other in a sweep give --packet several times"},
      {"4:0.5,", "a length without a weight; for one length after the other in a sweep give --packet several times"},
      {"4:,16:1", "a weight is missing"},
      {"4:a", "'a000000' is not a whole number"},
      {"4:0,16:0", "all weights are 0"},
      {"4:1.", "no digit after the point"},
      {"4:0.1234567", "a weight has more than 6 decimals"},
      {"4:1000000", "a weight is larger than 999999"}};
  for (const auto& [text, why] : wrong)
    EXPECT_EQ(error_of<std::invalid_argument>([&text = text] { packet_lengths lengths(text); }),
              "packet length '" + text + "': " + why +
                  "; expected a number of flits (16) or lengths with weights (4:0.5,16:0.5)");
}

}  // namespace
}  // namespace toriscope::packet_lengths_test
