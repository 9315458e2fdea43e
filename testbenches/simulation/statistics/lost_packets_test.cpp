// SPDX-License-Identifier: Apache-2.0
// Packets that dead links cost, told by hand.
#include "testbenches/simulation/statistics/lost_packets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace toriscope {
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

}  // namespace
}  // namespace toriscope
