// SPDX-License-Identifier: Apache-2.0
// Cycles and numberings of small random graphs, against matrices of distances.
#include "topologies/proof/short_cycle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace toriscope::short_cycle_test {
namespace {

using edges = std::set<std::pair<std::uint32_t, std::uint32_t>>;

dependency_graph graph_of(const edges& all, std::uint32_t channels) {
  return dependency_graph(boost::edges_are_sorted, all.begin(), all.end(), channels);
}

/// Length of the shortest cycle, by distances between all pairs (Floyd and Warshall); 0: there is none.
unsigned girth(const edges& all, std::uint32_t channels) {
  constexpr unsigned far = 1000;
  std::vector<std::vector<unsigned>> distance(channels, std::vector<unsigned>(channels, far));
  for (const auto& [a, b] : all) distance[a][b] = 1;
  for (std::uint32_t over = 0; over < channels; ++over)
    for (std::uint32_t a = 0; a < channels; ++a)
      for (std::uint32_t b = 0; b < channels; ++b)
        distance[a][b] = std::min(distance[a][b], distance[a][over] + distance[over][b]);
  unsigned least = far;
  for (std::uint32_t c = 0; c < channels; ++c) least = std::min(least, distance[c][c]);
  return least == far ? 0 : least;
}

edges drawn(std::uint32_t channels, unsigned count, bool upward, std::mt19937& random) {
  edges all;
  for (unsigned i = 0; i < count; ++i) {
    auto a = static_cast<std::uint32_t>(random() % channels), b = static_cast<std::uint32_t>(random() % channels);
    if (upward && a == b) continue;
    if (upward && a > b) std::swap(a, b);
    all.emplace(a, b);
  }
  return all;
}

TEST(short_cycle, is_the_shortest_of_a_small_graph) {
  std::mt19937 random(1);
  std::set<std::size_t> lengths;
  for (unsigned round = 0; round < 600; ++round) {
    const std::uint32_t channels = 2 + static_cast<std::uint32_t>(random() % 9);
    const edges all = drawn(channels, static_cast<unsigned>(random() % (2 * channels)), false, random);
    const std::vector<std::uint32_t> cycle = short_cycle(graph_of(all, channels));
    ASSERT_EQ(cycle.size(), girth(all, channels)) << round;
    for (std::size_t i = 0; i < cycle.size(); ++i)
      ASSERT_EQ(all.count({cycle[i], cycle[(i + 1) % cycle.size()]}), 1U);
    ASSERT_EQ(topological_order(graph_of(all, channels)).has_value(), cycle.empty());
    lengths.insert(cycle.size());
  }
  for (const std::size_t length : {0, 1, 2, 3, 4}) EXPECT_EQ(lengths.count(length), 1U) << length;
}

/// By the longest way: steps that can follow, found by trying all ways.
TEST(channel_numbers, count_from_the_end_of_the_longest_way) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 200; ++round) {
    const std::uint32_t channels = 1 + static_cast<std::uint32_t>(random() % 9);
    const edges all = drawn(channels, static_cast<unsigned>(random() % (2 * channels)), true, random);
    std::vector<std::uint32_t> follow(channels);
    for (std::uint32_t c = channels; c-- > 0;)
      for (const auto& [a, b] : all)
        if (a == c) follow[c] = std::max(follow[c], follow[b] + 1);
    const std::uint32_t longest = *std::max_element(follow.begin(), follow.end());
    const dependency_graph graph = graph_of(all, channels);
    const std::vector<std::uint32_t> numbers = channel_numbers(graph, *topological_order(graph));
    for (std::uint32_t c = 0; c < channels; ++c) ASSERT_EQ(numbers[c], longest - follow[c]) << round;
  }
}

}  // namespace
}  // namespace toriscope::short_cycle_test
