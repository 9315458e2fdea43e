// SPDX-License-Identifier: Apache-2.0
// Local traffic: the exact square on rings, meshes and a TTN, and equal shares within it.
#include "testbenches/simulation/traffic/local_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "testbenches/simulation/traffic/pattern_registry.h"
#include "topologies/registry.h"

namespace toriscope::local_pattern_test {
namespace {

std::map<node_id, double> drawn(const local_pattern& pattern, node_id source, unsigned draws) {
  std::map<node_id, double> counts;
  random_stream random(7, source);
  for (unsigned i = 0; i < draws; ++i) ++counts[pattern.destination(source, random)];
  return counts;
}

std::set<node_id> support(const local_pattern& pattern, node_id source, unsigned draws) {
  std::set<node_id> nodes;
  for (const auto& [node, count] : drawn(pattern, source, draws)) nodes.insert(node);
  return nodes;
}

/// The square, written down again: rows and columns of an R x C network.
std::set<node_id> square(unsigned rows, unsigned columns, bool ring, node_id source, int a) {
  const auto around = [&](int at, int size) {
    std::set<int> places;
    int first = at - (a - 1) / 2;
    if (!ring) first = std::max(0, std::min(first, size - a));
    for (int k = 0; k < std::min(a, size); ++k) places.insert((first + k + size) % size);
    return places;
  };
  std::set<node_id> nodes;
  for (const int y : around(static_cast<int>(source / columns), static_cast<int>(rows)))
    for (const int x : around(static_cast<int>(source % columns), static_cast<int>(columns)))
      nodes.insert(static_cast<node_id>(y) * columns + static_cast<node_id>(x));
  return nodes;
}

TEST(local_pattern, reaches_exactly_the_square_on_torus_and_mesh) {
  for (const bool ring : {true, false})
    for (const unsigned a : {2u, 3u, 4u, 6u, 9u}) {
      const topology made = make_topology(ring ? "torus:6x5" : "mesh:6x5");
      const local_pattern others(made.wiring, a, certain, false);
      const local_pattern all(made.wiring, a, certain, true);
      for (node_id source = 0; source < 30; ++source) {
        std::set<node_id> expected = square(6, 5, ring, source, static_cast<int>(a));
        ASSERT_EQ(support(all, source, 1000), expected)
            << "a " << a << " ring " << ring << " from " << source;
        expected.erase(source);
        ASSERT_EQ(support(others, source, 1000), expected);
      }
    }
}

TEST(local_pattern, goes_by_the_place_in_the_plane_in_a_ttn) {
  const topology made = make_topology("ttn:2,2,0");
  const local_pattern pattern(made.wiring, 3, certain, true);
  EXPECT_EQ(pattern.position(made.wiring->node_at({2, 1, 3, 0})), (std::vector<unsigned>{11, 4}));
  for (node_id n = 0; n < made.wiring->node_count(); ++n) EXPECT_EQ(pattern.node_at(pattern.position(n)), n);
  const std::set<node_id> seen = support(pattern, made.wiring->node_at({0, 1, 0, 0}), 1000);
  std::set<node_id> expected;  // rows 15, 0, 1 (the ring of the highest level), columns 3, 4, 5
  for (const unsigned y : {15u, 0u, 1u})
    for (const unsigned x : {3u, 4u, 5u}) expected.insert(made.wiring->node_at({y / 4, x / 4, y % 4, x % 4}));
  EXPECT_EQ(seen, expected);
}

TEST(local_pattern, shares_are_equal_and_the_rest_is_uniform) {
  const topology made = make_topology("torus:8x8");
  double chi2 = 0;
  for (const auto& [node, count] : drawn(local_pattern(made.wiring, 4, certain, false), 9, 15'000))
    chi2 += (count - 1000) * (count - 1000) / 1000;
  EXPECT_LT(chi2, 36.1) << "14 degrees of freedom, 0.1 % point";

  std::map<node_id, double> mixed = drawn(local_pattern(made.wiring, 2, probability(0.75), false), 0, 63'000);
  double outside = 0;
  for (const auto& [node, count] : mixed) outside += node != 1 && node != 8 && node != 9 ? count : 0;
  EXPECT_EQ(mixed.size(), 63u);
  EXPECT_NEAR(outside, 15'000, 600);
}

TEST(local_pattern, draws_once_for_a_packet_where_all_stay_in_the_square) {
  const topology made = make_topology("torus:8x8");
  const local_pattern pattern(made.wiring, 3, certain, true);
  random_stream random(5), same(5);
  for (int i = 0; i < 100; ++i) {
    // Nodes around 9 = (1,1): rows 0 to 2, columns 0 to 2.
    const auto place = static_cast<node_id>(same.below(9));
    ASSERT_EQ(pattern.destination(9, random), place / 3 * 8 + place % 3);
  }
}

TEST(local_pattern, has_a_square_of_four_unless_told_otherwise) {
  const auto pattern = make_pattern("local", make_topology("torus:8x8").wiring);
  const destination_weights weights = pattern->weights(0);
  EXPECT_EQ(weights.points.size(), 15u);
  EXPECT_EQ(weights.every_other, 0);
}

TEST(local_pattern, needs_levels_of_as_many_dimensions) {
  const topology made = make_topology("htn:3,2,2,0");
  EXPECT_THROW(local_pattern(made.wiring, 2, certain, false), std::invalid_argument);
}

TEST(local_pattern, refuses_what_has_no_destination) {
  const topology made = make_topology("mesh:4x4");
  EXPECT_THROW(local_pattern(made.wiring, 0, certain, true), std::invalid_argument);
  EXPECT_THROW(local_pattern(made.wiring, 1, certain, false), std::invalid_argument);
  EXPECT_NO_THROW(local_pattern(made.wiring, 1, certain, true));
  pattern_options options;
  for (const auto& [share, fits] : {std::pair{0., true}, {1., true}, {-0.1, false}, {1.1, false}}) {
    options.local_probability = share;
    if (fits)
      EXPECT_NO_THROW(make_pattern("local", made.wiring, options)) << share;
    else
      EXPECT_THROW(make_pattern("local", made.wiring, options), std::invalid_argument) << share;
  }
}

TEST(local_pattern, a_dimension_of_three_is_a_ring_where_a_link_joins_its_ends) {
  const auto to = [](const char* spec, node_id source) {
    std::vector<node_id> all;
    for (const auto& [node, share] : local_pattern(make_topology(spec).wiring, 2, certain, true).weights(source).points)
      all.push_back(node);
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_EQ(to("torus:3x3", 8), (std::vector<node_id>{0, 2, 6, 8}));
  EXPECT_EQ(to("mesh:3x3", 8), (std::vector<node_id>{4, 5, 7, 8}));
}

}  // namespace
}  // namespace toriscope::local_pattern_test
