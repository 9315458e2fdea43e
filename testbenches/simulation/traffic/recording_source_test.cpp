// SPDX-License-Identifier: Apache-2.0
// What a recording writes, and that it changes nothing.
#include "testbenches/simulation/traffic/recording_source.h"

#include <gtest/gtest.h>

#include "testbenches/simulation/traffic/uniform_pattern.h"

namespace toriscope::recording_source_test {
namespace {

class written_packets final : public packet_writer {
 public:
  void write(const trace_packet& p) override {
    std::string line = std::to_string(p.cycle) + ": " + std::to_string(p.source) + " -> " +
                       std::to_string(p.destination) + ", " + std::to_string(p.flits) + " flits, class " +
                       std::to_string(p.message_class);
    for (const std::uint64_t cause : p.after)
      line += ", " + std::to_string(p.delay) + " after " + std::to_string(cause);
    lines.push_back(line);
  }
  void close(cycle_t) override {}
  std::vector<std::string> lines;
};

/// Two packets in every third cycle.
class third_cycles final : public traffic_source {
 public:
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now % 3 == 0) out.insert(out.end(), {{1, 2, 3, 4}, {5, 6, 7, 0}});
  }
  cycle_t next_packet_cycle(cycle_t from) const override { return (from + 2) / 3 * 3; }
  void share_draws(unsigned number) override { shares = number; }
  void draw_ahead(unsigned share) override { drawn.push_back(share); }
  unsigned shares = 0;
  std::vector<unsigned> drawn;
};

TEST(recording_source, writes_each_packet_once_and_passes_it_on) {
  third_cycles source;
  written_packets file;
  recording_source recording(source, nullptr, file);
  std::vector<packet_request> out(1);
  for (cycle_t now = 0; now < 6; ++now) recording.packets_at(now, out);
  EXPECT_EQ(out.size(), 1u + 4) << "what was there before stays, and is not written";
  EXPECT_EQ(file.lines, (std::vector<std::string>{
                            "0: 1 -> 2, 3 flits, class 4", "0: 5 -> 6, 7 flits, class 0",
                            "3: 1 -> 2, 3 flits, class 4", "3: 5 -> 6, 7 flits, class 0"}));
  EXPECT_EQ(recording.next_packet_cycle(4), 6u);
  recording.share_draws(2);
  recording.draw_ahead(1);
  EXPECT_EQ(source.shares, 2u);
  EXPECT_EQ(source.drawn, std::vector<unsigned>{1});
}

packet_record record_of(const packet_request& request) {
  packet_record record;
  record.source = request.source;
  record.destination = request.destination;
  record.message_class = request.message_class;
  return record;
}

/// Two nodes that ask each other in every cycle, with one request unanswered at most.
TEST(recording_source, writes_a_reply_with_the_request_that_it_answers) {
  request_reply_source::config settings;
  settings.requests.rate_flits_per_node_cycle = 1;
  settings.requests.lengths = packet_lengths(1);
  settings.reply_lengths = packet_lengths(2);
  settings.outstanding = 1;
  settings.service_cycles = 3;
  request_reply_source source(2, std::make_shared<uniform_pattern>(2, false), settings);
  written_packets file;
  recording_source recording(source, &source, file);
  std::vector<packet_request> out;
  for (cycle_t now = 0; now < 10; ++now) {
    recording.packets_at(now, out);
    if (now == 4) source.packet_received(0, record_of(out[0]), 4);
    if (now == 5) source.packet_received(1, record_of(out[1]), 5);
    if (now == 7) source.packet_received(2, record_of(out[2]), 7);  // its reply
  }
  EXPECT_EQ(file.lines, (std::vector<std::string>{
                            "0: 0 -> 1, 1 flits, class 0", "0: 1 -> 0, 1 flits, class 0",
                            "7: 1 -> 0, 2 flits, class 1, 3 after 0",
                            "8: 0 -> 1, 2 flits, class 1, 3 after 1", "8: 0 -> 1, 1 flits, class 0"}));
}

}  // namespace
}  // namespace toriscope::recording_source_test
