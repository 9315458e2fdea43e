// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/arrivals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace toriscope::arrivals_test {
namespace {

TEST(arrivals, bernoulli_mean_is_within_4_sigma) {
  for (const double p : {0.00625, 0.3, 0.9}) {
    const arrival_process process(arrival_kind::bernoulli, probability(p));
    random_stream random(11);
    constexpr int draws = 200000;
    int packets = 0;
    for (int i = 0; i < draws; ++i) packets += static_cast<int>(process.count(random.next()));
    EXPECT_NEAR(packets, draws * p, 4 * std::sqrt(draws * p * (1 - p))) << p;
  }
}

TEST(arrivals, poisson_table_is_the_distribution) {
  // The smallest draw that means more than k packets is not found by search; the thresholds are, by
  // bisection.
  for (const double mean : {0.001, 0.0625, 0.5, 1.0}) {
    const arrival_process process(arrival_kind::poisson, probability(mean));
    double exactly = std::exp(-mean), at_most = exactly;
    for (unsigned k = 0; k < 6; ++k) {
      std::uint64_t low = 0, high = certain;  // draws below the threshold mean more than k packets
      while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (middle < certain && process.count(middle << 1) > k)
          low = middle + 1;
        else
          high = middle;
      }
      EXPECT_NEAR(static_cast<double>(low) / static_cast<double>(certain), 1 - at_most, 1e-15)
          << mean << ' ' << k;
      exactly *= mean / (k + 1);
      at_most += exactly;
    }
  }
}

TEST(arrivals, none_at_rate_0) {
  for (const arrival_kind kind : arrival_kinds())
    EXPECT_TRUE(arrival_process(kind, 0).none()) << to_string(kind);
}

TEST(arrivals, certain_at_one_packet_per_cycle) {
  const arrival_process process(arrival_kind::bernoulli, certain);
  EXPECT_EQ(process.count(0), 1u);
  EXPECT_EQ(process.count(~std::uint64_t{0}), 1u);
}

TEST(arrivals, a_draw_of_the_threshold_is_no_packet) {
  const arrival_process process(arrival_kind::bernoulli, 5);
  EXPECT_EQ(process.count(4 << 1 | 1), 1u);
  EXPECT_EQ(process.count(5 << 1), 0u);
  EXPECT_EQ(process.more_than_none(), 5u);
  EXPECT_EQ(process.packets(), 5u);
  EXPECT_EQ(arrival_process(arrival_kind::bernoulli, certain + 1).packets(), certain);
}

TEST(arrivals, that_need_more_than_a_line_have_a_description) {
  for (const arrival_kind kind : arrival_kinds()) {
    EXPECT_EQ(std::string(description(kind)).empty(), kind != arrival_kind::on_off) << to_string(kind);
    EXPECT_EQ(std::string(summary(kind)).find('\n'), std::string::npos);
  }
}

TEST(arrivals, names) {
  for (const arrival_kind kind : arrival_kinds()) EXPECT_EQ(arrival_kind_named(to_string(kind)), kind);
  try {
    arrival_kind_named("bernouli");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("bernoulli"));
  }
}

}  // namespace
}  // namespace toriscope::arrivals_test
