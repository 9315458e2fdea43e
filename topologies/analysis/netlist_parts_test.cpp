// SPDX-License-Identifier: Apache-2.0
// Networks cut into parts: whole modules, all nodes once, evenly.
#include "topologies/analysis/netlist_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/error_of_test.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

std::vector<std::size_t> sizes(const std::vector<std::uint32_t>& part, unsigned parts) {
  std::vector<std::size_t> count(parts);
  for (const std::uint32_t p : part) ++count.at(p);
  return count;
}

/// The levels of the links that are cut.
std::vector<unsigned> levels_cut(const netlist& net, const std::vector<std::uint32_t>& part) {
  std::vector<unsigned> levels;
  for (const netlist_link& l : net.links())
    if (part[l.from] != part[l.to]) levels.push_back(l.level);
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

TEST(netlist_parts, of_a_hierarchy_are_whole_modules_so_that_the_uppermost_links_are_cut) {
  const auto net = make_topology("ttn:2,3,0", {}).wiring;
  for (const unsigned parts : {2u, 3u, 4u}) {
    const std::vector<std::uint32_t> part = cut_into_parts(*net, parts);
    EXPECT_THAT(levels_cut(*net, part), testing::ElementsAre(3)) << parts;
    EXPECT_LE(*std::max_element(part.begin(), part.end()), parts - 1);
  }
  EXPECT_THAT(sizes(cut_into_parts(*net, 2), 2), testing::Each(2048u));
  EXPECT_THAT(sizes(cut_into_parts(*net, 3), 3), testing::UnorderedElementsAre(6 * 256, 5 * 256, 5 * 256));
}

TEST(netlist_parts, of_a_mesh_are_slabs_of_rows) {
  const auto net = make_topology("mesh:8x8", {}).wiring;
  const std::vector<std::uint32_t> part = cut_into_parts(*net, 4);
  for (node_id n = 0; n < 64; ++n) EXPECT_EQ(part[n], n / 16) << n;
}

TEST(netlist_parts, are_cut_through_rows_where_rows_are_too_few) {
  const auto net = make_topology("mesh:3x8", {}).wiring;
  EXPECT_THAT(sizes(cut_into_parts(*net, 4), 4), testing::Each(6u));
}

TEST(netlist_parts, without_an_address_are_found_by_metis) {
  // Two cliques of four, joined by one wire.
  netlist net("pair", {8}, {{"node", 1}});
  const std::vector<std::string_view> names{"a", "b", "c", "d"};
  for (int n = 0; n < 8; ++n) net.add_node(names);
  const auto join = [&](node_id a, port_id pa, node_id b, port_id pb) {
    net.connect(a, pa, b, pb, 1, 1);
    net.connect(b, pb, a, pa, 1, 1);
  };
  // Even nodes here, odd ones there, so that consecutive numbers would not do.
  for (const node_id side : {0u, 1u})
    for (port_id i = 0; i < 4; ++i)
      for (port_id j = i + 1; j < 4; ++j) join(side + 2u * i, static_cast<port_id>(j - 1), side + 2u * j, i);
  join(0, 3, 1, 3);
  const std::vector<std::uint32_t> part = cut_into_parts(net, 2);
  for (node_id n = 0; n < 8; ++n) EXPECT_EQ(part[n] == part[0], n % 2 == 0) << n;
}

TEST(netlist_parts, are_at_most_as_many_as_nodes) {
  const auto net = make_topology("mesh:2x2", {}).wiring;
  EXPECT_EQ(error_of([&] { cut_into_parts(*net, 5); }), "a network of 4 nodes cannot be cut into 5 parts");
  EXPECT_EQ(error_of([&] { cut_into_parts(*net, 0); }), "a network of 4 nodes cannot be cut into 0 parts");
  EXPECT_THAT(sizes(cut_into_parts(*net, 4), 4), testing::Each(1u));
}

TEST(netlist_parts, are_one_where_terminals_send_and_receive_at_different_nodes) {
  const auto net = make_topology("butterfly:2,2").wiring;
  EXPECT_EQ(error_of([&] { cut_into_parts(*net, 2); }),
            "terminal 0.0.t0 sends and receives at different nodes: such a network cannot be cut into parts");
  EXPECT_THAT(cut_into_parts(*net, 1), testing::ElementsAre(0, 0, 0, 0));
}

}  // namespace
}  // namespace toriscope
