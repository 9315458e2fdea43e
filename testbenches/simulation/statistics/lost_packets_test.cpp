// SPDX-License-Identifier: Apache-2.0
// Packets that dead links cost, told by hand.
#include "testbenches/simulation/statistics/lost_packets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of_test.h"
#include "base/state_archive.h"
#include "topologies/registry.h"

namespace toriscope::lost_packets_test {
namespace {

packet_record record(node_id source, node_id destination, cycle_t created) {
  packet_record r;
  r.source = source;
  r.destination = destination;
  r.created = created;
  return r;
}

std::size_t lines_with(const std::string& text, const std::string& part) {
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++lines;
  return lines;
}

TEST(lost_packets, nothing_lost_nothing_said) {
  const topology made = make_topology("mesh:4x4");
  const lost_packets lost;
  EXPECT_EQ(lost.as_text(*made.wiring), "");
  EXPECT_EQ(lost.as_tree(*made.wiring).dump(), R"({"refused_pairs":[],"discarded_packets":[]})");
}

TEST(lost_packets, a_pair_has_its_first_packet_and_the_number_of_all) {
  const topology made = make_topology("mesh:4x4");
  lost_packets lost;
  lost.packet_refused(7, record(1, 2, 30));
  lost.packet_refused(9, record(1, 2, 40));
  lost.packet_refused(8, record(2, 1, 35));
  lost.packet_discarded(11, record(0, 5, 50), 1, 0, 61);
  const auto tree = lost.as_tree(*made.wiring);
  ASSERT_EQ(tree["refused_pairs"].size(), 2u);
  const auto& first = tree["refused_pairs"][0];
  EXPECT_EQ(first["source"], made.wiring->address(1));
  EXPECT_EQ(first["destination"], made.wiring->address(2));
  EXPECT_EQ(first["packets"], 2);
  EXPECT_EQ(first["first_packet"], 7);
  EXPECT_EQ(first["first_cycle"], 30);
  ASSERT_EQ(tree["discarded_packets"].size(), 1u);
  const auto& discarded = tree["discarded_packets"][0];
  EXPECT_EQ(discarded["packet"], 11);
  EXPECT_EQ(discarded["destination"], made.wiring->address(5));
  EXPECT_EQ(discarded["created"], 50);
  EXPECT_EQ(discarded["node"], made.wiring->address(1));
  EXPECT_EQ(discarded["port"], made.wiring->port_name(1, 0));
  EXPECT_EQ(discarded["cycle"], 61);
  std::vector<std::uint64_t> figures;
  for (const statistic& s : lost.figures(4)) figures.push_back(std::get<std::uint64_t>(s.value));
  EXPECT_THAT(figures, testing::ElementsAre(3, 2, 1, 4));
}

TEST(lost_packets, twenty_are_shown_and_the_others_counted) {
  const topology made = make_topology("mesh:4x8");
  for (const unsigned number : {20u, 21u, 25u}) {
    lost_packets lost;
    for (unsigned i = 0; i < number; ++i) {
      lost.packet_refused(i, record(0, i + 1, 5));
      lost.packet_discarded(i, record(i, 31, 5), 30, 0, 9);
    }
    const std::string text = lost.as_text(*made.wiring);
    EXPECT_EQ(lines_with(text, " -> "), 40u) << number;
    EXPECT_EQ(lines_with(text, "Refused, no way"), 1u);
    EXPECT_EQ(text.rfind("\nRefused, no way", 0), 0u) << "the heading comes first";
    EXPECT_EQ(lines_with(text, "Discarded at"), 1u);
    const std::string more = "  and " + std::to_string(number - 20) + " more ";
    EXPECT_EQ(lines_with(text, more + "pairs (--json)\n"), number > 20 ? 1u : 0u) << text;
    EXPECT_EQ(lines_with(text, more + "packets (--json)\n"), number > 20 ? 1u : 0u) << text;
    EXPECT_EQ(lines_with(text, " more "), number > 20 ? 2u : 0u) << text;
  }
}

/// Of a whole network, and of two parts of it in one of which the run goes on for some cycles too many.
TEST(lost_packets, parts_add_up_to_the_whole_up_to_a_cycle) {
  const topology made = make_topology("mesh:4x4");
  lost_packets whole, first, second;
  const auto refuse = [&](lost_packets& part, packet_id id, const packet_record& r) {
    part.packet_refused(id, r);
    if (r.created < 400) whole.packet_refused(id, r);
  };
  const auto discard = [&](lost_packets& part, packet_id id, node_id where, cycle_t cycle) {
    part.packet_discarded(id, record(0, 15, 5), where, 0, cycle);
    if (cycle < 400) whole.packet_discarded(id, record(0, 15, 5), where, 0, cycle);
  };
  refuse(second, 7, record(1, 2, 30));
  refuse(first, 8, record(1, 2, 31));
  refuse(second, 16, record(7, 8, 33));  // a pair that only one of them has refused
  refuse(first, 17, record(9, 10, 34));
  refuse(second, 18, record(9, 10, 35));
  refuse(second, 9, record(3, 4, 300));
  refuse(first, 10, record(3, 4, 399));
  refuse(first, 11, record(3, 4, 400));
  refuse(first, 12, record(5, 6, 410));
  discard(first, 1, 3, 50);
  discard(second, 2, 9, 50);
  discard(first, 3, 3, 51);
  discard(first, 4, 4, 400);
  discard(second, 5, 9, 500);
  for (lost_packets* part : {&first, &second}) part->forget_from(400);
  const std::vector<std::uint64_t> words = second.words();
  word_reader reader(words);
  first.add(reader);
  EXPECT_FALSE(reader.more());
  EXPECT_EQ(first.as_tree(*made.wiring), whole.as_tree(*made.wiring));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(first.figures(0)[i].value, whole.figures(0)[i].value);
  first.forget();
  EXPECT_EQ(first.words(), lost_packets().words());
}

TEST(lost_packets, a_state_has_all_of_them_with_terminals_nodes_and_ports_that_exist) {
  const topology made = make_topology("mesh:4x4");
  const netlist& wiring = *made.wiring;
  lost_packets lost;
  lost.packet_refused(7, record(1, 2, 30));
  lost.packet_refused(9, record(15, 0, 40));
  lost.packet_refused(10, record(1, 2, 41));
  lost.packet_discarded(11, record(0, 15, 50), 0, 2, 61);
  lost.packet_discarded(300, record(4, 3, 51), 5, 4, 62);
  state_archive saved;
  lost.archive(saved, wiring);
  lost_packets back;
  state_archive read(saved.bytes());
  back.archive(read, wiring);
  EXPECT_EQ(back.as_tree(wiring), lost.as_tree(wiring));
  EXPECT_EQ(back.as_text(wiring), lost.as_text(wiring));
  EXPECT_EQ(std::get<std::uint64_t>(back.figures(0)[0].value), 3u);

  // The same numbers by hand: a pair, and a packet in node 0, which has two links and the local port.
  const auto verdict = [&](std::uint64_t source, std::uint64_t destination, std::vector<std::uint64_t> packet) {
    state_archive a;
    for (std::uint64_t number : {std::uint64_t{1}, std::uint64_t{1}, source, destination, std::uint64_t{1},
                                 std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{1}})
      a.number(number);
    for (std::uint64_t& number : packet) a.number(number);
    lost_packets one;
    state_archive from(a.bytes());
    return error_of<damaged_state>([&] { one.archive(from, wiring); });
  };
  const std::string wrong = "a number is out of its range";
  EXPECT_EQ(verdict(15, 15, {9, 15, 15, 0, 2, 5, 6}), "none");
  EXPECT_EQ(verdict(16, 15, {9, 15, 15, 0, 2, 5, 6}), wrong);
  EXPECT_EQ(verdict(15, 16, {9, 15, 15, 0, 2, 5, 6}), wrong);
  EXPECT_EQ(verdict(15, 15, {9, 16, 15, 0, 2, 5, 6}), wrong);
  EXPECT_EQ(verdict(15, 15, {9, 15, 16, 0, 2, 5, 6}), wrong);
  EXPECT_EQ(verdict(15, 15, {9, 15, 15, 16, 2, 5, 6}), wrong);
  EXPECT_EQ(verdict(15, 15, {9, 15, 15, 0, 3, 5, 6}), wrong);
  EXPECT_EQ(verdict(15, 15, {9, 15, 15, 5, 3, 5, 6}), "none") << "node 5 has four links";
}

TEST(lost_packets, the_text_has_a_line_for_each_pair_and_each_packet) {
  const topology made = make_topology("mesh:4x4");
  lost_packets lost;
  lost.packet_refused(7, record(1, 2, 30));
  lost.packet_refused(9, record(1, 2, 40));
  lost.packet_refused(8, record(2, 1, 35));
  lost.packet_discarded(11, record(0, 5, 50), 1, 0, 61);
  lost.packet_discarded(12, record(4, 5, 51), 1, 0, 62);
  EXPECT_EQ(lost.as_text(*made.wiring),
            "\nRefused, no way over live links (pair, packets, since cycle):\n"
            "  01 -> 02  2  30\n"
            "  02 -> 01  1  35\n"
            "\nDiscarded at a failed link (packet, pair, where, cycle):\n"
            "  11  00 -> 11  01 " + made.wiring->port_name(1, 0) + "  61\n"
            "  12  10 -> 11  01 " + made.wiring->port_name(1, 0) + "  62\n");
}

TEST(lost_packets, what_was_refused_in_the_last_128_cycles_can_be_forgotten) {
  lost_packets lost;
  for (const cycle_t cycle : {300, 301, 428}) lost.packet_refused(cycle, record(1, 2, cycle));
  lost.forget_from(301);
  EXPECT_EQ(std::get<std::uint64_t>(lost.figures(0)[0].value), 1u);
  EXPECT_EQ(std::get<std::uint64_t>(lost.figures(0)[1].value), 1u);
  lost.packet_refused(500, record(3, 4, 500));
  lost.forget();
  lost.forget_from(0);
  EXPECT_EQ(std::get<std::uint64_t>(lost.figures(0)[0].value), 0u) << "all had been forgotten";
}

}  // namespace
}  // namespace toriscope::lost_packets_test
