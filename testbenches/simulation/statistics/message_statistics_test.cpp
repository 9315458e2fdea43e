// SPDX-License-Identifier: Apache-2.0
// Requests and replies count by the cycle in which they were created.
#include "testbenches/simulation/statistics/message_statistics.h"

#include <gtest/gtest.h>

#include <variant>

namespace toriscope {
namespace {

TEST(message_statistics, counts_what_was_created_in_the_measured_cycles) {
  measurement_config config;
  config.warmup_cycles = 100;
  config.measure_cycles = 50;
  message_statistics messages(config);
  for (const cycle_t created : {0, 99, 100, 149, 150, 1000})
    for (const unsigned message_class : {0u, 1u}) {
      packet_record record;
      record.created = created;
      record.message_class = message_class & 15;
      messages.packet_received(1, record, created + 7);
      messages.request_answered(created, created + 20);
    }
  int counts = 0;
  for (const statistic& figure : messages.figures()) {
    if (figure.name == "requests.arrived" || figure.name == "replies.arrived") {
      EXPECT_EQ(std::get<std::uint64_t>(figure.value), 2u) << figure.name;
      ++counts;
    }
    if (figure.name == "round_trip.answered") {
      EXPECT_EQ(std::get<std::uint64_t>(figure.value), 4u);
      ++counts;
    }
  }
  EXPECT_EQ(counts, 3);
}

}  // namespace
}  // namespace toriscope
