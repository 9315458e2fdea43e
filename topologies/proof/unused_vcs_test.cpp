// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/unused_vcs.h"

#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace toriscope::unused_vcs_test {
namespace {

/// By hand: two links with the VCs 1 and 3 idle, one with VC 0, all others in use.
TEST(unused_vcs, are_listed_by_set_with_the_first_link_of_each) {
  const auto net = make_topology("mesh:2x2").wiring;
  ASSERT_EQ(net->links().size(), 8U);
  std::vector<vc_mask> used(8, 15);
  used[2] = used[5] = 0b0101;
  used[4] = 0b1110;
  const std::vector<unused_vcs> unused = unused_among(*net, used, 4);
  ASSERT_EQ(unused.size(), 2U);
  const auto name = [&](link_id l) {
    return net->address(net->link(l).from) + "." + net->port_name(net->link(l).from, net->link(l).from_port);
  };
  EXPECT_EQ(in_words(*net, unused),
            "1 3 on 2 of 8 links (" + name(2) + " ...), 0 on 1 of 8 links (" + name(4) + ")");
}

/// A router with two VCs has no others that could be unused; on its links to others there are four.
TEST(unused_vcs, are_those_of_the_router_that_a_link_leads_to) {
  const auto net = make_topology("mesh:1x2").wiring;
  net->set_node_values({{2, 0, ""}, {}});
  const auto to_node = [&](node_id n) { return net->link(0).to == n ? 0u : 1u; };
  const std::vector<unused_vcs> unused = unused_among(*net, {0b0011, 0b0011}, 4);
  ASSERT_EQ(unused.size(), 1U);
  EXPECT_EQ(unused[0].vcs, 0b1100);
  EXPECT_EQ(unused[0].first, to_node(1));
  EXPECT_EQ(unused[0].links, 1U);
}

}  // namespace
}  // namespace toriscope::unused_vcs_test
