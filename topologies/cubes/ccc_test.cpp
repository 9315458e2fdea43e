// SPDX-License-Identifier: Apache-2.0
// Cube-connected cycles: wiring by addresses, routes against shortest paths, and the proof of the VC rule.
#include "topologies/cubes/ccc.h"

#include <gmock/gmock.h>

#include "topologies/bfs_oracle.h"
#include "topologies/cubes/behind_test.h"
#include "topologies/cubes/ccc_routing.h"
#include "topologies/path.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

TEST(ccc, wiring_by_addresses) {
  for (const unsigned n : {3u, 4u, 5u}) {
    const auto net = build_ccc(n);
    EXPECT_EQ(net->name(), "ccc");
    EXPECT_EQ(net->node_count(), n << n);
    EXPECT_EQ(physical_links(*net), (n << n) * 3 / 2);
    for (node_id node = 0; node < net->node_count(); ++node) {
      auto d = net->digits(node);
      const unsigned position = d.back();
      d.back() = (position + 1) % n;
      EXPECT_EQ(behind(*net, node, "cycle+"), net->node_at(d));
      d.back() = (position + n - 1) % n;
      EXPECT_EQ(behind(*net, node, "cycle-"), net->node_at(d));
      d.back() = position;
      d[n - 1 - position] ^= 1u;
      EXPECT_EQ(behind(*net, node, "cross"), net->node_at(d));
    }
  }
  const auto net = build_ccc(3);
  EXPECT_EQ(net->path(net->node_at({1, 0, 1, 2})), "cycle_1_0_1.node_2");
  for (const netlist_link& wire : net->links())
    EXPECT_EQ(wire.level, net->port_name(wire.from, wire.from_port) == "cross" ? 2 : 1);
}

TEST(ccc_routing, routes_are_shortest_paths) {
  for (const unsigned n : {3u, 4u, 5u, 6u, 7u}) {
    const auto net = build_ccc(n);
    const auto routing = make_ccc_routing(n, 4);
    for (node_id source = 0; source < net->node_count(); ++source) {
      if (n == 7 && source % 8 != 0) continue;  // every position, and some of the cycles
      const auto shortest = bfs_distances(*net, source);
      for (node_id destination = 0; destination < net->node_count(); ++destination)
        ASSERT_EQ(routed_distance(*net, *routing, source, destination, 4), shortest[destination])
            << net->address(source) << " to " << net->address(destination);
    }
  }
}

TEST(ccc_routing, crosses_in_one_direction) {
  const unsigned n = 5;
  const auto net = build_ccc(n);
  const auto routing = make_ccc_routing(n, 4);
  for (node_id source = 0; source < net->node_count(); ++source)
    for (node_id destination = 0; destination < net->node_count(); ++destination) {
      unsigned runs = 0;
      unsigned crossings_in_run = 0;
      unsigned runs_with_crossings = 0;
      char way = 0;
      for (const hop& h : walk(*net, *routing, source, destination, 4)) {
        if (h.out_port == cross) {
          if (crossings_in_run++ == 0) ++runs_with_crossings;
          continue;
        }
        const char direction = h.out_port == cycle_plus ? '+' : '-';
        if (way != 0 && direction != way) crossings_in_run = 0;
        runs += direction != way ? 1 : 0;
        way = direction;
      }
      ASSERT_LE(runs, 3u);
      // The crossing at a turning point may be counted to both runs.
      ASSERT_LE(runs_with_crossings, 2u);
    }
}

TEST(ccc_routing, channel_dependencies_are_acyclic) {
  for (const unsigned n : {3u, 4u, 5u, 6u, 7u, 8u}) {
    const auto net = build_ccc(n);
    for (const unsigned vcs : {4u, 6u}) {
      if (n == 8 && vcs != 4) continue;
      const auto found = find_channel_dependencies(*net, *make_ccc_routing(n, vcs), vcs);
      EXPECT_TRUE(found.acyclic()) << n << ": " << found.in_words(*net);
    }
  }
}

TEST(ccc_routing, leaves_no_vc_idle) {
  for (const unsigned n : {3u, 4u, 5u, 6u}) {
    const auto net = build_ccc(n);
    for (const unsigned vcs : {4u, 7u})
      EXPECT_EQ(in_words(*net, prove(*net, *make_ccc_routing(n, vcs), vcs).unused), "") << n;
  }
}

// walk() throws where a packet has no VC: the classes of the packets that cross most are noted, too.
TEST(ccc_routing, has_vcs_for_all_packets) {
  for (const unsigned n : {9u, 11u}) {
    const auto net = build_ccc(n);
    const auto routing = make_ccc_routing(n, 4);
    for (node_id source = 0; source < n; ++source)
      for (node_id destination = 0; destination < net->node_count(); ++destination)
        walk(*net, *routing, source, destination, 4);
  }
}

TEST(ccc_routing, state_and_vcs_needed) {
  EXPECT_EQ(make_ccc_routing(3, 4)->state_bits(), 4u);
  EXPECT_THROW(make_ccc_routing(3, 3), std::invalid_argument);
}

TEST(ccc_routing, says_why_it_is_free_of_deadlock) {
  EXPECT_EQ(make_topology("ccc:3").vc_rule_note,
            "acyclic: the runs of a walk are taken in order, and the dateline cuts each cycle");
}

// CCC(9) is the one that Rahman et al. 2009 compare with; their 22 and 12.75 are formulas for bounds. All
// nodes look alike, but the classes of VCs do not: so from every position of one cycle.
TEST(ccc_routing_paper, diameter_and_mean_of_4608_nodes) {
  const auto net = build_ccc(9);
  const auto routing = make_ccc_routing(9, 4);
  const auto shortest = bfs_distances(*net, 0);
  unsigned farthest = 0;
  double total = 0;
  for (node_id source = 0; source < 9; ++source)
    for (node_id destination = 0; destination < net->node_count(); ++destination) {
      const unsigned hops = routed_distance(*net, *routing, source, destination, 4);
      if (source == 0) {
        ASSERT_EQ(hops, shortest[destination]);
      }
      farthest = std::max(farthest, hops);
      total += hops;
    }
  EXPECT_EQ(farthest, 20u);
  EXPECT_NEAR(total / 9 / net->node_count(), 12.10, 0.005);
}

}  // namespace
}  // namespace toriscope
