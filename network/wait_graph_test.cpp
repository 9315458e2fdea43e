// SPDX-License-Identifier: Apache-2.0
// The wait-for graph, drawn at random, against definitions that are applied word by word.
#include "network/wait_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace toriscope::wait_graph_test {
namespace {

constexpr std::uint32_t vertex_count = 8;

/// A graph, and what it was made of.
struct drawn_graph {
  std::vector<wait_vertex> vertices;
  std::vector<wait_arc> arcs;

  explicit drawn_graph(std::mt19937& random) {
    for (std::uint32_t i = 0; i < vertex_count; ++i) {
      wait_vertex v;
      v.place = {i / 2, static_cast<port_id>(i % 2), 0,
                 random() % 4 ? wait_place::kind::input_vc : wait_place::kind::source_queue};
      v.can_move = random() % 8 == 0;
      v.front = random() % 20;
      v.taken = random() % 20;
      vertices.push_back(v);
      for (unsigned arc = random() % 3; arc > 0; --arc) {
        arcs.push_back({i, 0, random() % 2 == 0});
        targets.push_back(static_cast<std::uint32_t>(random() % 40 ? random() % vertex_count : vertex_count));
      }
    }
    for (std::size_t a = 0; a < arcs.size(); ++a)
      arcs[a].to = targets[a] < vertex_count ? vertices[targets[a]].place.key() : ~std::uint64_t{0};  // nothing there
  }

  /// Whether it can move once all others of `moving` have.
  bool is_freed(std::uint32_t i, const std::set<std::uint32_t>& moving) const {
    if (vertices[i].can_move) return true;
    for (std::size_t a = 0; a < arcs.size(); ++a)
      if (arcs[a].from == i && (targets[a] == vertex_count || moving.count(targets[a]) > 0)) return true;
    return false;
  }
  /// Those that none of `others`, moving, would ever free.
  std::set<std::uint32_t> stuck_beside(std::set<std::uint32_t> others) const {
    for (std::uint32_t round = 0; round < vertex_count; ++round)
      for (std::uint32_t i = 0; i < vertex_count; ++i)
        if (is_freed(i, others)) others.insert(i);
    std::set<std::uint32_t> stuck;
    for (std::uint32_t i = 0; i < vertex_count; ++i)
      if (others.count(i) == 0) stuck.insert(i);
    return stuck;
  }
  /// Since when it waits as it does.
  cycle_t since(std::uint32_t i) const {
    cycle_t last = vertices[i].front;
    for (std::size_t a = 0; a < arcs.size(); ++a)
      if (arcs[a].from == i && arcs[a].credit && targets[a] < vertex_count)
        last = std::max(last, vertices[targets[a]].taken);
    return last;
  }
  bool waits(std::uint32_t from, std::uint32_t to) const {
    for (std::size_t a = 0; a < arcs.size(); ++a)
      if (arcs[a].from == from && targets[a] == to) return true;
    return false;
  }

  std::vector<std::uint32_t> targets;  ///< by arc; vertex_count: none
};

std::set<std::uint32_t> members_of(const std::vector<bool>& set) {
  std::set<std::uint32_t> all;
  for (std::uint32_t i = 0; i < set.size(); ++i)
    if (set[i]) all.insert(i);
  return all;
}

TEST(wait_graph, what_is_dead_and_since_when) {
  std::mt19937 random(1);
  unsigned with_dead = 0, partial = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    const drawn_graph drawn(random);
    const wait_graph graph = joined_wait_graph({stall_text(drawn.vertices, drawn.arcs)});
    const std::vector<bool> dead = graph.dead();
    const std::set<std::uint32_t> expected = drawn.stuck_beside({});
    ASSERT_EQ(members_of(dead), expected) << round;
    if (expected.empty()) continue;
    ++with_dead;
    // The first cycle in which some of the dead waited for each other only.
    std::set<std::uint32_t> first;
    cycle_t cycle = 0;
    for (; first.empty(); ++cycle) {
      std::set<std::uint32_t> others;
      for (std::uint32_t i = 0; i < vertex_count; ++i)
        if (expected.count(i) == 0 || drawn.since(i) > cycle) others.insert(i);
      first = drawn.stuck_beside(others);
    }
    const wait_graph::knot knot = graph.first_knot(dead);
    ASSERT_EQ(members_of(knot.members), first) << round;
    ASSERT_EQ(knot.since, cycle - 1) << round;
    partial += first.size() < expected.size();
  }
  EXPECT_GT(with_dead, 300u);
  EXPECT_GT(partial, 100u);
}

TEST(wait_graph, a_cycle_goes_round_in_the_knot_from_its_lowest_channel_on) {
  std::mt19937 random(2);
  unsigned longer = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    drawn_graph drawn(random);
    for (wait_arc& arc : drawn.arcs) arc.credit = true;  // so that each place of the cycle is a channel
    const wait_graph graph = joined_wait_graph({stall_text(drawn.vertices, drawn.arcs)});
    const std::vector<bool> dead = graph.dead();
    if (members_of(dead).empty()) continue;
    const wait_graph::knot knot = graph.first_knot(dead);
    const std::vector<wait_vertex> cycle = graph.cycle(knot);
    ASSERT_FALSE(cycle.empty());
    std::vector<std::uint32_t> numbers;
    for (const wait_vertex& v : cycle) numbers.push_back(v.place.node * 2 + v.place.port);
    if (numbers.size() == 1 && !drawn.waits(numbers[0], numbers[0])) {
      // One that waits for nothing.
      for (std::uint32_t i = 0; i < vertex_count; ++i) EXPECT_FALSE(drawn.waits(numbers[0], i));
      continue;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_TRUE(knot.members[numbers[i]]);
      EXPECT_TRUE(drawn.waits(numbers[i], numbers[(i + 1) % numbers.size()])) << round;
      EXPECT_GE(cycle[i].place.key(), cycle[0].place.key());
    }
    longer += numbers.size() > 2;
  }
  EXPECT_GT(longer, 20u);
}

TEST(wait_place, is_a_number_by_node_port_vc_and_kind) {
  using kind = wait_place::kind;
  std::uint64_t before = 0;
  for (const node_id node : {0u, 1u, 77u, 0x7fffffffu})
    for (const unsigned port : {0u, 1u, 3u, 30u, 130u})
      for (const unsigned vc : {0u, 1u, 2u, 15u})
        for (const kind what : {kind::input_vc, kind::reception, kind::source_queue}) {
          const wait_place place{node, static_cast<port_id>(port), static_cast<std::uint8_t>(vc), what};
          const std::uint64_t expected = ((node * std::uint64_t{65536} + port) * 256 + vc) * 256 +
                                         static_cast<std::uint64_t>(what);
          ASSERT_EQ(place.key(), expected);
          ASSERT_TRUE(expected > before || expected == 0);
          before = expected;
          const wait_place back = wait_place::with_key(expected);
          ASSERT_EQ(back.node, node);
          ASSERT_EQ(back.port, port);
          ASSERT_EQ(back.vc, vc);
          ASSERT_EQ(back.what, what);
        }
}

// What waits in one part of a network for another one, with all that is told of it.
TEST(wait_graph, is_made_of_the_words_of_parts_in_any_order) {
  const auto vertex = [](node_id node, port_id port, std::uint8_t vc, packet_id packet) {
    wait_vertex v;
    v.place = {node, port, vc, wait_place::kind::input_vc};
    v.packet = packet;
    v.source = node + 10;
    v.destination = node + 20;
    v.front = 100 + node;
    v.taken = 200 + node;
    return v;
  };
  // 7 waits for 2, 2 for 4, and 4 for 7; 5 waits for 7, later; 1 waits for something that is not there.
  const std::vector<wait_vertex> first{vertex(7, 1, 2, 70), vertex(1, 0, 0, 10)};
  std::vector<wait_vertex> second{vertex(4, 3, 1, 40), vertex(2, 0, 3, 20), vertex(5, 2, 2, 50)};
  second[2].front = 300;
  const std::vector<wait_arc> waits_of_first{{0, second[1].place.key(), true}, {1, 12345, true}},
      waits_of_second{{1, second[0].place.key(), false}, {0, first[0].place.key(), true},
                      {2, first[0].place.key(), true}};
  const auto one = stall_text(first, waits_of_first), other = stall_text(second, waits_of_second);
  for (const auto& parts : {std::vector{one, other}, std::vector{other, one}}) {
    const wait_graph graph = joined_wait_graph(parts);
    const std::vector<bool> dead = graph.dead();
    ASSERT_EQ(dead, (std::vector<bool>{false, true, true, true, true})) << "1, 2, 4, 5, 7";
    const wait_graph::knot knot = graph.first_knot(dead);
    EXPECT_EQ(knot.members, (std::vector<bool>{false, true, true, false, true}));
    EXPECT_EQ(knot.since, 207u) << "the last flit came to 7, for which 4 lacks credit";
    const std::vector<wait_vertex> cycle = graph.cycle(knot);
    ASSERT_EQ(cycle.size(), 2u) << "that a credit is lacked for";
    EXPECT_EQ(cycle[0].place.key(), second[1].place.key());
    EXPECT_EQ(cycle[0].packet, 20u);
    EXPECT_EQ(cycle[0].source, 12u);
    EXPECT_EQ(cycle[0].destination, 22u);
    EXPECT_EQ(cycle[1].place.key(), first[0].place.key());
    EXPECT_EQ(cycle[1].packet, 70u);
  }
}

}  // namespace
}  // namespace toriscope::wait_graph_test
