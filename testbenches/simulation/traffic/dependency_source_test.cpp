// SPDX-License-Identifier: Apache-2.0
// Packets as fast as dependencies allow, against a network in which every packet takes the same time.
#include "testbenches/simulation/traffic/dependency_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/error_of_test.h"
#include "testbenches/simulation/traffic/bare_netlist.h"

namespace toriscope::dependency_source_test {
namespace {

constexpr cycle_t latency = 10;

struct outcome {
  std::vector<std::pair<cycle_t, packet_request>> created;
  bool all = false;
};

outcome replay(const std::string& text, unsigned outstanding, node_id nodes = 8) {
  const auto wiring = bare_netlist("n", {nodes}, {{"node", 1}});
  dependency_source source(std::make_unique<byte_source>("t", text), *wiring, {}, outstanding);
  outcome result;
  std::map<cycle_t, std::vector<packet_id>> under_way;
  std::vector<packet_request> out;
  packet_id next = 0;
  for (cycle_t now = 0; now < 2000000 && !(source.all_created() && under_way.empty()); ++now) {
    out.clear();
    if (source.next_packet_cycle(now) == now) source.packets_at(now, out);
    for (const packet_request& request : out) {
      result.created.emplace_back(now, request);
      under_way[now + latency].push_back(next++);
    }
    for (const packet_id id : under_way[now]) source.packet_received(id, {}, now);
    under_way.erase(now);
  }
  result.all = source.all_created();
  return result;
}

std::vector<cycle_t> cycles_of(const outcome& o) {
  std::vector<cycle_t> cycles;
  for (const auto& [cycle, request] : o.created) cycles.push_back(cycle);
  return cycles;
}

TEST(dependency_source, a_packet_comes_its_delay_after_the_last_of_those_that_it_is_after) {
  const outcome o = replay(
      "100 0 1 1\n"
      "200 2 1 1\n"
      "300 1 0 1 after=0 delay=20\n"
      "400 1 3 1 after=0,2 delay=0\n"
      "400 3 1 1 after=1,2 delay=7\n",
      1);
  EXPECT_THAT(cycles_of(o), testing::ElementsAre(0, 0, 30, 41, 47));
  EXPECT_EQ(o.created[2].second.source, 1u);
  EXPECT_EQ(o.created[4].second.source, 3u);
}

TEST(dependency_source, packets_after_nobody_come_in_order_as_many_as_may_be_under_way) {
  const std::string text =
      "0 0 1 1\n"
      "0 0 2 2\n"
      "0 3 2 9\n"
      "7 0 3 3\n"
      "9 0 4 4\n";
  const outcome one = replay(text, 1);
  EXPECT_THAT(cycles_of(one), testing::ElementsAre(0, 0, 11, 22, 33));
  std::vector<unsigned> lengths;
  for (const auto& [cycle, request] : one.created)
    if (request.source == 0) lengths.push_back(request.flits);
  EXPECT_THAT(lengths, testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(cycles_of(replay(text, 2)), testing::ElementsAre(0, 0, 0, 11, 11));
  EXPECT_THAT(cycles_of(replay(text, 9)), testing::ElementsAre(0, 0, 0, 0, 0));
}

TEST(dependency_source, any_trace_as_its_definition_says) {
  std::mt19937 random(7);
  std::string text;
  std::vector<cycle_t> expected;
  for (unsigned i = 0; i < 400; ++i) {
    text += std::to_string(i / 4) + " " + std::to_string(random() % 8) + " " + std::to_string(random() % 8) +
            " 1";
    cycle_t at = 0;
    if (i > 0 && random() % 4 > 0) {
      text += " after=";
      for (unsigned k = 1 + random() % 3; k > 0; --k) {
        const unsigned cause = random() % i;
        at = std::max(at, expected[cause] + latency);
        text += std::to_string(cause) + (k > 1 ? "," : "");
      }
      const cycle_t delay = random() % 30;
      text += " delay=" + std::to_string(delay);
      at += std::max<cycle_t>(1, delay);
    }
    expected.push_back(at);
    text += "\n";
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(cycles_of(replay(text, 1000)), expected);
}

TEST(dependency_source, a_chain_longer_than_what_is_read_ahead_comes_to_its_end) {
  std::string text = "0 0 1 1\n";
  const std::size_t packets = dependency_source::max_open + dependency_source::remembered / 2;
  for (std::size_t i = 1; i < packets; ++i)
    text +=
        i % 8 == 0 ? "0 7 1 1 after=" + std::to_string(i - 8) + " delay=1\n" : "0 2 1 1 after=0 delay=1\n";
  // The last one is read when the first one, of the same source, arrived long ago: its place is free.
  const outcome o = replay(text + "0 0 1 1\n", 1);
  EXPECT_TRUE(o.all);
  ASSERT_EQ(o.created.size(), packets + 1);
  EXPECT_EQ(o.created.back().first, (packets - 1) / 8 * (latency + 1));
}

/// What is read later than its cause has arrived still keeps its distance from that.
TEST(dependency_source, a_delay_counts_from_the_arrival_of_a_cause_that_is_over) {
  // The third packet is the last to arrive of those that fit; until then the last packet of all is not read.
  std::string text = "0 0 1 1\n0 1 1 1 after=0 delay=100\n0 2 1 1 after=1 delay=1000\n";
  const std::size_t packets = dependency_source::max_open + 2;
  for (std::size_t i = 3; i < packets; ++i) text += "0 3 1 1 after=1 delay=200\n";
  const outcome o = replay(text + "0 4 1 1 after=" + std::to_string(packets - 5) + " delay=5000\n", 1);
  ASSERT_EQ(o.created.size(), packets + 1);
  const cycle_t second = latency + 100 + latency;
  EXPECT_EQ(o.created[packets - 1].first, second + 1000);
  EXPECT_EQ(o.created[packets].first, second + 200 + latency + 5000);
}

/// The last packet, the second one of source 0, is read after the state, in which the first one is under way.
TEST(dependency_source, knows_after_a_state_how_many_packets_of_a_source_are_under_way) {
  std::string text = "0 1 2 1\n0 0 1 1\n";
  for (std::size_t i = 2; i < dependency_source::max_open; ++i) text += "0 3 1 1 after=1\n";
  text += "0 0 1 1\n";
  const auto wiring = bare_netlist("n", {8}, {{"node", 1}});
  const auto made = [&] {
    return std::make_unique<dependency_source>(std::make_unique<byte_source>("t", text), *wiring, trace_limits{}, 1);
  };
  packet_table packets;
  const auto before = made();
  std::vector<packet_request> out;
  before->packets_at(0, out);
  ASSERT_EQ(out.size(), 2u);
  for (const packet_request& request : out) packets.create(request, 0);
  state_archive saved;
  before->archive(saved, 1, packets);
  EXPECT_EQ(saved.bytes().substr(0, 4), std::string("\0\x80\x80\x10", 4)) << "from packet 0 on 2^18 have been read";

  const auto after = made();
  state_archive read(saved.bytes());
  after->archive(read, 1, packets);
  out.clear();
  after->packet_received(0, {}, 5);
  after->packets_at(6, out);
  EXPECT_TRUE(out.empty()) << "the last packet is read, and waits";
  after->packet_received(1, {}, 7);
  after->packets_at(8, out);
  EXPECT_EQ(out.size(), dependency_source::max_open - 2 + 1) << "all of them";
}

TEST(dependency_source, packets_after_one_that_is_lost_come_as_if_it_had_arrived_then) {
  const auto wiring = bare_netlist("n", {8}, {{"node", 1}});
  const std::string text = "0 0 1 1\n0 1 1 1\n0 2 1 1 after=0 delay=5\n0 3 1 1 after=1 delay=5\n";
  dependency_source source(std::make_unique<byte_source>("t", text), *wiring, {}, 1);
  std::vector<packet_request> out;
  source.packets_at(0, out);
  ASSERT_EQ(out.size(), 2u);
  source.packet_refused(0, {});  // in the cycle of its creation
  source.packet_discarded(1, {}, 0, 0, 3);
  out.clear();
  for (cycle_t now = 1; now < 5; ++now) source.packets_at(now, out);
  EXPECT_TRUE(out.empty());
  source.packets_at(5, out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].source, 2u);
  for (cycle_t now = 6; now < 8; ++now) source.packets_at(now, out);
  EXPECT_EQ(out.size(), 1u);
  source.packets_at(8, out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[1].source, 3u);
}

/// The first 100 packets have arrived, and half of them are not remembered any more.
TEST(dependency_source, goes_on_from_a_state_that_does_not_begin_with_the_first_packet) {
  const std::size_t count = dependency_source::remembered + 49;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "0 0 1 1\n";
  text += "0 2 3 1 after=" + std::to_string(count - 1) + " delay=5\n";
  const auto wiring = bare_netlist("n", {8}, {{"node", 1}});
  const auto made = [&] {
    return std::make_unique<dependency_source>(std::make_unique<byte_source>("t", text), *wiring, trace_limits{},
                                               1000000);
  };
  packet_table packets;
  const auto before = made(), after = made();
  std::vector<packet_request> out;
  before->packets_at(0, out);
  ASSERT_EQ(out.size(), count);
  for (const packet_request& request : out) packets.create(request, 0);
  for (packet_id id = 0; id < 100; ++id) {
    before->packet_received(id, packets[id], 3);
    packets.retire(id);
  }
  state_archive saved, again;
  before->archive(saved, 4, packets);
  EXPECT_EQ(saved.bytes()[0], 50) << "the first that is remembered, of one more than have to be";
  state_archive read(saved.bytes());
  after->archive(read, 4, packets);
  read.end();
  after->archive(again, 4, packets);
  EXPECT_EQ(again.bytes(), saved.bytes());
  for (dependency_source* source : {before.get(), after.get()}) {
    EXPECT_FALSE(source->all_created());
    source->packet_received(100, {}, 9);
    source->packet_received(count - 1, {}, 10);
    out.clear();
    source->packets_at(11, out);
    EXPECT_TRUE(out.empty());
    EXPECT_EQ(source->next_packet_cycle(12), 15u);
    source->packets_at(15, out);
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].source, 2u);
    EXPECT_TRUE(source->all_created());
  }
}

/// The last packet is read when the first one has been received and is far behind, before a state or after it.
TEST(dependency_source, a_delay_counts_from_the_arrival_of_a_cause_that_is_far_behind) {
  std::string text;
  for (std::size_t i = 0; i < dependency_source::max_open; ++i) text += "0 0 1 1\n";
  text += "0 2 3 1 after=0 delay=1000\n";
  const auto wiring = bare_netlist("n", {8}, {{"node", 1}});
  const auto made = [&] {
    return std::make_unique<dependency_source>(std::make_unique<byte_source>("t", text), *wiring,
                                               trace_limits{}, 1000000);
  };
  packet_table packets;
  const auto before = made(), after = made();
  std::vector<packet_request> out;
  before->packets_at(0, out);
  for (const packet_request& request : out) {
    const packet_id id = packets.create(request, 0);
    before->packet_received(id, packets[id], id == 0 ? 10 : 12);
    packets.retire(id);
  }
  state_archive saved;
  before->archive(saved, 13, packets);
  state_archive read(saved.bytes());
  after->archive(read, 13, packets);
  read.end();
  for (dependency_source* source : {before.get(), after.get()}) {
    out.clear();
    source->packets_at(13, out);
    EXPECT_TRUE(out.empty());
    EXPECT_EQ(source->next_packet_cycle(14), 1010u);
  }
}

/// Of two packets, the second after the first, in cycle 50: what is known of each (0 waits, 1 is planned, 2 is under
/// way, 3 is finished; and its cycle), and which of them are the packets of the network.
TEST(dependency_source, a_state_is_refused_that_is_not_one_of_the_trace) {
  const auto wiring = bare_netlist("n", {8}, {{"node", 1}});
  using numbers = std::vector<std::uint64_t>;
  const auto verdict = [&](std::uint64_t first, std::uint64_t count, numbers of_packets, numbers places,
                           unsigned created) {
    state_archive a;
    a.number(first);
    a.number(count);
    for (numbers* list : {&of_packets, &places})
      for (std::uint64_t& n : *list) a.number(n);
    packet_table packets;
    for (unsigned i = 0; i < created; ++i) packets.create({0, 1, 1}, 0);
    for (packet_id id = 0; id + places.size() < created; ++id) packets.retire(id);
    dependency_source source(std::make_unique<byte_source>("t", "0 0 1 1\n0 0 1 1 after=0\n"), *wiring, {}, 1);
    state_archive read(a.bytes());
    return error_of<damaged_state>([&] {
      source.archive(read, 50, packets);
      read.end();
    });
  };
  const std::string range = "a number is out of its range", more = "it has more packets than the trace",
                    other = "a packet is not one of those of the trace",
                    over = "a packet is planned for another cycle", waits = "a packet waits for nothing",
                    many = "not as many packets were created as are of the trace";
  EXPECT_EQ(verdict(0, 2, {2, 3, 0, 0}, {0}, 1), "none");
  EXPECT_EQ(verdict(0, 2, {1, 50, 0, 0}, {}, 0), "none");
  EXPECT_EQ(verdict(0, 2, {3, 3, 2, 7}, {1}, 2), "none");
  EXPECT_EQ(verdict(1, 1, {2, 7}, {0}, 2), "none");
  EXPECT_EQ(verdict(2, 0, {}, {}, 2), "none");
  EXPECT_EQ(verdict(0, 2, {4, 3, 0, 0}, {0}, 1), range);
  EXPECT_EQ(verdict(0, 2, {1, 49, 0, 0}, {}, 0), over);
  EXPECT_EQ(verdict(0, 2, {2, 3, 0, 0}, {}, 0), many);
  EXPECT_EQ(verdict(0, 2, {2, 3, 0, 0}, {0, 0}, 2), many);
  EXPECT_EQ(verdict(0, 2, {2, 3, 0, 0}, {3}, 1), range);
  EXPECT_EQ(verdict(0, 2, {3, 3, 1, 50}, {2}, 1), "none") << "the first was discarded; it is not gone yet";
  EXPECT_EQ(verdict(0, 2, {2, 3, 0, 0}, {2}, 1), other) << "it is under way";
  EXPECT_EQ(verdict(0, 2, {1, 52, 0, 0}, {}, 0), over) << "long after it can be";
  EXPECT_EQ(verdict(0, 2, {2, 50, 0, 0}, {0}, 1), over);
  EXPECT_EQ(verdict(0, 2, {3, 3, 0, 0}, {}, 1), waits);
  EXPECT_EQ(verdict(0, 2, {2, 3, 0, 0}, {1}, 1), other);
  EXPECT_EQ(verdict(0, 2, {2, 3, 2, 3}, {0, 0}, 2), other);
  EXPECT_EQ(verdict(0, 3, {2, 3, 0, 0, 0, 0}, {0}, 1), more);
  EXPECT_EQ(verdict(3, 0, {}, {}, 3), more);
}

std::string bytes(std::uint64_t value, unsigned count) {
  std::string text;
  for (; count > 0; --count, value >>= 8) text += static_cast<char>(value & 255);
  return text;
}

/// As netrace_test.cpp has them, all from the same node. With one packet of the node under way at a time the third
/// would wait for the second.
TEST(dependency_source, netrace_packets_come_in_their_cycles_or_later) {
  const auto message = [](std::uint64_t cycle, unsigned id, const std::vector<unsigned>& dependents) {
    std::string text = bytes(cycle, 8) + bytes(id, 4) + bytes(0, 4) + bytes(1, 1) + bytes(3, 1) + bytes(5, 1) +
                       bytes(0, 1) + bytes(dependents.size(), 1);
    for (const unsigned d : dependents) text += bytes(d, 4);
    return text;
  };
  const std::string head =
      "UTJH" + bytes(0x3f800000, 4) + std::string(30, 'n') + bytes(64, 1) + bytes(0, 9) + bytes(5, 8) + bytes(0, 16);
  const outcome o = replay(head + message(0, 1, {4}) + message(20, 2, {}) + message(20, 3, {}) + message(25, 4, {5}) +
                               message(26, 5, {}),
                           1, 64);
  EXPECT_THAT(cycles_of(o), testing::ElementsAre(0, 20, 20, 25, 25 + latency + 1));
}

TEST(dependency_source, a_trace_of_other_nodes_or_classes_is_refused) {
  const auto wiring = bare_netlist("n", {8}, {{"node", 1}});
  const auto error = [&](const std::string& text, const trace_limits& limits) {
    return error_of<std::invalid_argument>(
        [&] { dependency_source(std::make_unique<byte_source>("t", text), *wiring, limits, 1); });
  };
  EXPECT_THAT(error("0 0 1 1\n0 0 8 1\n", {}), testing::StartsWith("t:2: node '8' is out of range"));
  EXPECT_THAT(error("0 0 1 1 class=2\n", {2, 64}),
              testing::StrEq("t:1: class 2, and the network has 2 message classes; use --message-classes 3"));
}

}  // namespace
}  // namespace toriscope::dependency_source_test
