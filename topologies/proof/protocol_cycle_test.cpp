// SPDX-License-Identifier: Apache-2.0
// Requests and replies on shared VCs: the cycle that is shown is one, link by link.
#include "topologies/proof/protocol_cycle.h"

#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace toriscope {
namespace {

void expect_route(const netlist& net, const std::vector<channel>& way, node_id from, node_id to) {
  ASSERT_FALSE(way.empty());
  EXPECT_EQ(net.link(way.front().link).from, from);
  for (std::size_t i = 1; i < way.size(); ++i)
    EXPECT_EQ(net.link(way[i].link).from, net.link(way[i - 1].link).to);
  EXPECT_EQ(net.link(way.back().link).to, to);
}

TEST(protocol_cycle, leads_there_and_back) {
  for (const char* spec : {"mesh:3x3", "torus:4x4", "ucube:4,2", "ttn:2,2,0", "ccc:3"}) {
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

}  // namespace
}  // namespace toriscope
