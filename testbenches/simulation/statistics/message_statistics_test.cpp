// SPDX-License-Identifier: Apache-2.0
// Requests and replies count by the cycle in which they were created.
#include "testbenches/simulation/statistics/message_statistics.h"

#include <gtest/gtest.h>

#include <variant>

namespace toriscope::message_statistics_test {
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
      messages.request_created(created);
      messages.request_answered(created, created + 20);
    }
  for (const cycle_t created : {99, 100, 101, 120, 149, 150}) messages.request_created(created);
  for (const cycle_t created : {99, 120, 150}) messages.request_lost(created);
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
    if (figure.name == "round_trip.unanswered") {
      EXPECT_EQ(std::get<std::uint64_t>(figure.value), 3u) << "of 100, 101 and 149";
      ++counts;
    }
  }
  EXPECT_EQ(counts, 4);
}

/// 200 requests with latencies 1 to 200, as many replies that take twice as long; no request has its reply yet.
TEST(message_statistics, has_latencies_of_requests_replies_and_round_trips_and_keeps_them_in_a_state) {
  measurement_config config;
  config.warmup_cycles = 0;
  message_statistics messages(config), back(config);
  for (cycle_t latency = 1; latency <= 200; ++latency)
    for (const unsigned message_class : {0u, 1u}) {
      packet_record record;
      record.message_class = message_class & 15;
      messages.packet_received(1, record, (1 + message_class) * latency);
    }
  const auto text = [](const message_statistics& m) {
    std::string all;
    for (const statistic& s : m.figures()) all += s.name + ' ' + to_text(s.value) + '\n';
    return all;
  };
  const std::string figures =
      "requests.arrived 200\nrequests.latency_mean 100.5\nrequests.latency_p50 100\nrequests.latency_p99 198\n"
      "requests.latency_max 200\n"
      "replies.arrived 200\nreplies.latency_mean 201\nreplies.latency_p50 200\nreplies.latency_p99 396\n"
      "replies.latency_max 400\n"
      "round_trip.answered ";
  const std::string none = "round_trip.latency_mean -\nround_trip.latency_p50 -\nround_trip.latency_p99 -\n";
  EXPECT_EQ(text(messages), figures + "0\n" + none +
                                "round_trip.latency_max -\n"
                                "round_trip.unanswered 0\n");
  for (const cycle_t created : {3, 4, 5}) messages.request_created(created);
  messages.request_answered(3, 45);
  state_archive saved;
  messages.archive(saved);
  state_archive read(saved.bytes());
  back.archive(read);
  read.end();
  EXPECT_EQ(text(back), figures +
                            "1\nround_trip.latency_mean 42\nround_trip.latency_p50 42\n"
                            "round_trip.latency_p99 42\nround_trip.latency_max 42\n"
                            "round_trip.unanswered 2\n");
}

}  // namespace
}  // namespace toriscope::message_statistics_test
