// SPDX-License-Identifier: Apache-2.0
// Requests and replies on shared VCs: the cycle that is shown is one, link by link.
#include "topologies/proof/protocol_cycle.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/test_file.h"
#include "topologies/registry.h"

namespace toriscope::protocol_cycle_test {
namespace {

void expect_route(const netlist& net, const std::vector<channel>& way, terminal_id from, terminal_id to) {
  ASSERT_FALSE(way.empty());
  EXPECT_EQ(net.link(way.front().link).from, net.terminal(from).node);
  for (std::size_t i = 1; i < way.size(); ++i)
    EXPECT_EQ(net.link(way[i].link).from, net.link(way[i - 1].link).to);
  EXPECT_EQ(net.link(way.back().link).to, net.terminal(to).exit);
}

TEST(protocol_cycle, leads_there_and_back) {
  for (const char* spec :
       {"mesh:3x3", "torus:4x4", "ucube:4,2", "ttn:2,2,0", "ccc:3", "cmesh:3x3,2", "butterfly:2,3"}) {
    SCOPED_TRACE(spec);
    const topology made = make_topology(spec);
    const protocol_cycle found = find_protocol_cycle(*made.wiring, *made.routing, 4);
    EXPECT_NE(found.first, found.second);
    expect_route(*made.wiring, found.forth, found.first, found.second);
    expect_route(*made.wiring, found.back, found.second, found.first);
  }
}

TEST(protocol_cycle, is_as_short_as_can_be) {
  const topology made = make_topology("torus:4x4");
  const protocol_cycle found = find_protocol_cycle(*made.wiring, *made.routing, 4);
  EXPECT_EQ(found.forth.size() + found.back.size(), 2u);
  EXPECT_EQ(found.second, 1u) << "the first of four neighbours";
}

TEST(protocol_cycle, is_between_terminals_of_different_nodes) {
  // By hand: terminals 0 and 1 of cmesh node 00 have no links between them; 2 is the first of its neighbour 01.
  const topology cmesh = make_topology("cmesh:3x3,2");
  const protocol_cycle found = find_protocol_cycle(*cmesh.wiring, *cmesh.routing, 4);
  EXPECT_EQ(found.second, 2u);
  EXPECT_EQ(found.forth.size() + found.back.size(), 2u);
  // The only other terminal.
  const std::string path = test_file("protocol_cycle_test.json");
  std::ofstream(path) << R"({"nodes": ["a", "b", {"name": "c", "terminals": 0}],
      "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}]})";
  const topology two = make_topology("file:" + path);
  const protocol_cycle pair = find_protocol_cycle(*two.wiring, *two.routing, 4);
  EXPECT_EQ(pair.second, 1u);
  expect_route(*two.wiring, pair.forth, 0, 1);
  expect_route(*two.wiring, pair.back, 1, 0);
}

}  // namespace
}  // namespace toriscope::protocol_cycle_test
