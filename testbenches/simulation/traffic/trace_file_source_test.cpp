// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/trace_file_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "testbenches/simulation/traffic/bare_netlist.h"
#include "traces/packets/packet_writer.h"

namespace toriscope::trace_file_source_test {
namespace {

const netlist& ttn() {
  static const auto net = bare_netlist("ttn", {4, 4, 4, 4}, {{"bm", 2}, {"node", 2}});
  return *net;
}

trace_file_source read(const std::string& text) {
  std::istringstream in(text);
  return trace_file_source(in, "t.txt", ttn());
}

std::string error_of_text(const std::string& text) {
  return error_of<std::invalid_argument>([&] { read(text); });
}

TEST(trace_file_source, packets_come_in_their_cycles_in_the_order_of_lines) {
  trace_file_source source = read(
      "# a comment\n\n"
      "3 0 17 16   # behind a line\n"
      "  1\t12.03 00.00 4\r\n"
      "3 5 6 1\n");
  EXPECT_EQ(source.packets(), 3u);
  EXPECT_EQ(source.last_cycle(), 3u);
  std::vector<packet_request> out;
  source.packets_at(0, out);
  EXPECT_TRUE(out.empty());
  source.packets_at(1, out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].source, 1u * 64 + 2 * 16 + 0 * 4 + 3);
  EXPECT_EQ(out[0].destination, 0u);
  EXPECT_EQ(out[0].flits, 4u);
  out.clear();
  source.packets_at(2, out);
  EXPECT_TRUE(out.empty());
  source.packets_at(3, out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].destination, 17u);
  EXPECT_EQ(out[1].source, 5u);
  out.clear();
  source.packets_at(4, out);
  EXPECT_TRUE(out.empty());
}

TEST(trace_file_source, says_when_the_next_packet_comes) {
  trace_file_source source = read("5 0 1 1\n7 0 1 1\n");
  EXPECT_EQ(source.next_packet_cycle(2), 5u);
  EXPECT_EQ(source.next_packet_cycle(6), 6u) << "no earlier than asked";
  std::vector<packet_request> out;
  for (cycle_t now = 0; now <= 7; ++now) source.packets_at(now, out);
  EXPECT_EQ(source.next_packet_cycle(8), ~cycle_t{0}) << "never";
}

TEST(trace_file_source, packets_before_a_cycle_are_skipped) {
  for (const cycle_t now : {0u, 5u, 6u, 7u, 8u}) {
    trace_file_source source = read("5 0 1 1\n5 0 2 1\n7 0 3 1\n");
    source.skip_to(now);
    EXPECT_EQ(source.next_packet_cycle(0), now <= 5 ? 5u : now <= 7 ? 7u : ~cycle_t{0}) << now;
    std::vector<packet_request> out;
    for (cycle_t t = now; t < 10; ++t) source.packets_at(t, out);
    EXPECT_EQ(out.size(), now <= 5 ? 3u : now <= 7 ? 1u : 0u) << now;
  }
}

TEST(trace_file_source, tells_of_replies_that_take_a_slot) {
  trace_file_source source = read("1 2 9 1 class=1\n1 3 9 1\n");
  reply_slots slots(ttn().node_count(), 1);
  source.set_reply_slots(&slots);
  std::vector<packet_request> out;
  source.packets_at(1, out);
  ASSERT_EQ(out.size(), 2u);
  // A server whose slot is held waits for its source queue when the reply is there, not before.
  packet_record request{};
  request.message_class = 0;
  for (const node_id server : {2U, 3U}) {
    request.destination = server;
    ASSERT_TRUE(slots.admit(0, request, 1));
    EXPECT_EQ(slots.waits_for_queues(0, request), server == 2 ? 2u : 0u);
  }
}

std::string bytes(std::uint64_t value, unsigned count) {
  std::string text;
  for (; count > 0; --count, value >>= 8) text += static_cast<char>(value & 255);
  return text;
}

/// A request of 8 bytes (type 1), and its response (type 2), as netrace_test.cpp has them.
TEST(trace_input, netrace_responses_are_of_the_only_class_of_a_network_that_has_one) {
  const std::string head =
      "UTJH" + bytes(0x3f800000, 4) + std::string(30, 'n') + bytes(64, 1) + bytes(0, 9) + bytes(2, 8) + bytes(0, 16);
  const auto message = [](unsigned id, unsigned type) {
    return bytes(id, 8) + bytes(id, 4) + bytes(0, 4) + bytes(type, 1) + bytes(3, 1) + bytes(5, 1) + bytes(0, 2);
  };
  const auto classes = [&](unsigned of_network) {
    trace_input input(std::make_unique<byte_source>("n", head + message(1, 1) + message(2, 2)), ttn(),
                      trace_order::of_cycles, {of_network, 64});
    std::vector<unsigned> found;
    for (trace_packet packet; input.next(packet);) found.push_back(packet.message_class);
    return found;
  };
  EXPECT_THAT(classes(1), testing::ElementsAre(0, 0));
  EXPECT_THAT(classes(2), testing::ElementsAre(0, 1));
}

TEST(trace_file_source, a_file_without_packets_is_an_error) {
  EXPECT_EQ(error_of_text(""),
            "traffic file t.txt is empty: 0 bytes; a packet trace has a line, or a record, for each packet");
  EXPECT_EQ(error_of_text("# nothing"), "t.txt: the trace has no packets: there is nothing to run");
  EXPECT_EQ(error_of_text("\n\n"), "t.txt: the trace has no packets: there is nothing to run");
}

TEST(trace_file_source, bad_lines_are_named) {
  EXPECT_EQ(error_of_text("0 0 1 16\n0 0 256 16\n"),
            "t.txt:2: node '256' is out of range; expected a number from 0 to 255 or an address from 00.00 "
            "to 33.33");
  EXPECT_EQ(error_of_text("0 0 1 0\n"), "t.txt:1: length '0' must be a whole number from 1 to 65535");
  EXPECT_EQ(error_of_text("\n-1 0 1 4\n"), "t.txt:2: cycle '-1' must be a whole number from 0 to 281474976710656");
  EXPECT_EQ(error_of_text("0 0 1\n"), "t.txt:1: expected 4 fields, cycle source destination length, and found 3");
  EXPECT_EQ(error_of_text("0 0 1 4 5\n"),
            "t.txt:1: expected 4 fields, cycle source destination length, and found 5");
  EXPECT_THAT(error_of_text("0 zero 1 4\n"), testing::StartsWith("t.txt:1: node 'zero' is not a node"));
}

TEST(trace_file_source, a_nul_byte_is_rejected) {
  EXPECT_EQ(error_of_text(std::string("0 0 1 4\n0 0 1\0 4\n", 17)),
            "t.txt:2: the line contains a NUL byte: this is not a packet trace");
}

TEST(trace_file_source, a_cut_off_file_is_noticed) {
  EXPECT_THAT(error_of_text("0 0 1 16\n1 0 2 1"),
              testing::AllOf(testing::StartsWith("t.txt:2: "), testing::HasSubstr("cut off")));
  EXPECT_THAT(error_of_text("0 0 1 16\n1 0"),
              testing::AllOf(testing::StartsWith("t.txt:2: "), testing::HasSubstr("cut off")));
}

/// Binary traces have numbers of any size where text has nodes of the network.
TEST(trace_file_source, a_packet_of_a_node_that_the_network_does_not_have_is_refused) {
  const scratch_directory scratch;
  const auto error_of_packet = [&](node_id source, node_id destination) {
    trace_packet packet;
    packet.source = source;
    packet.destination = destination;
    const std::string path = scratch.file("packets.zst");
    const auto file = create_packet_trace(path, {});
    file->write(packet);
    file->close(1);
    return error_of<std::invalid_argument>([&] { trace_file_source(path, ttn()); });
  };
  EXPECT_EQ(error_of_packet(255, 255), "none");
  EXPECT_THAT(error_of_packet(256, 0), testing::EndsWith(": node 256, and the network has 256"));
  EXPECT_THAT(error_of_packet(0, 256), testing::EndsWith(": node 256, and the network has 256"));
}

std::size_t resident_kilobytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != "VmRSS:") {
  }
  std::size_t size = 0;
  status >> size;
  return size;
}

TEST(trace_file_source, a_long_trace_is_never_held) {
  const std::string path = testing::TempDir() + "long_trace." + std::to_string(getpid()) + ".zst";
  constexpr std::uint64_t count = 1000000;  // 48 MB, were they held
  trace_packet packet;
  {
    const auto file = create_packet_trace(path, {});
    for (packet.cycle = 0; packet.cycle < count; ++packet.cycle) {
      packet.source = static_cast<node_id>(packet.cycle * 7 % 256);
      packet.destination = static_cast<node_id>(packet.cycle * 11 % 256);
      file->write(packet);
    }
    file->close(count);
  }
  const std::size_t before = resident_kilobytes();
  trace_file_source source(path, ttn());
  std::vector<packet_request> out;
  std::uint64_t sum = 0;
  for (cycle_t now = 0; now < count; ++now) {
    out.clear();
    source.packets_at(now, out);
    ASSERT_EQ(out.size(), 1u);
    sum += out[0].source;
  }
  EXPECT_LT(resident_kilobytes(), before + 12000);
  std::uint64_t expected = 0;
  for (cycle_t now = 0; now < count; ++now) expected += now * 7 % 256;
  EXPECT_EQ(sum, expected);
  std::remove(path.c_str());
}

TEST(trace_file_source, files_that_cannot_be_read) {
  for (const char* path : {"/nonexistent/t.txt", "/"}) {
    try {
      trace_file_source source(path, ttn());
      FAIL() << path;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("traffic file " + std::string(path) + " cannot be "));
    }
  }
}

}  // namespace
}  // namespace toriscope::trace_file_source_test
