// SPDX-License-Identifier: Apache-2.0
// Up*/down* in irregular networks, judged by ways that a relaxation of its own finds.
#include "topologies/custom/updown_routing.h"

#include <gtest/gtest.h>

#include <numeric>

#include "topologies/bfs_oracle.h"
#include "topologies/custom/random_network.h"
#include "topologies/path.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/proof/deadlock_proof.h"

namespace toriscope {
namespace {

network_file names_of(const netlist& net) {
  network_file names;
  names.where = "n.json";
  for (node_id n = 0; n < net.node_count(); ++n) names.nodes.push_back({"n" + std::to_string(n)});
  return names;
}

/// By the definition: (distance from the root, number) of each node.
std::vector<std::pair<unsigned, node_id>> order_of(const netlist& net) {
  node_id root = 0;
  std::vector<unsigned> sums;
  for (node_id n = 0; n < net.node_count(); ++n) {
    const std::vector<unsigned> d = bfs_distances(net, n);
    sums.push_back(std::accumulate(d.begin(), d.end(), 0u));
    if (sums[n] < sums[root]) root = n;
  }
  const std::vector<unsigned> from_root = bfs_distances(net, root);
  std::vector<std::pair<unsigned, node_id>> order;
  for (node_id n = 0; n < net.node_count(); ++n) order.emplace_back(from_root[n], n);
  return order;
}

TEST(updown, takes_the_shortest_way_that_goes_up_first) {
  std::mt19937 random(1);
  for (unsigned links = 12; links < 40; links += 4) {
    const auto net = random_network(12, links, random);
    const auto order = order_of(*net);
    const auto is_up = [&](const netlist_link& l) { return order[l.to] < order[l.from]; };
    const auto routing = make_updown(net, names_of(*net), 1, false);
    const channel_dependencies found = find_channel_dependencies(*net, *routing, 1);
    EXPECT_TRUE(found.acyclic()) << found.in_words(*net);
    EXPECT_EQ(routing->state_bits(), 1u) << "up, or down from here on";
    for (node_id to = 0; to < 12; ++to) {
      // Links of the shortest legal way, by phase: relaxed until nothing changes.
      std::vector<unsigned> least[2] = {std::vector<unsigned>(12, 1000), std::vector<unsigned>(12, 1000)};
      least[0][to] = least[1][to] = 0;
      for (unsigned round = 0; round < 24; ++round)
        for (const netlist_link& l : net->links()) {
          if (is_up(l)) least[0][l.from] = std::min(least[0][l.from], least[0][l.to] + 1);
          if (is_up(l)) continue;
          for (auto& phase : least) phase[l.from] = std::min(phase[l.from], least[1][l.to] + 1);
        }
      for (node_id from = 0; from < 12; ++from) {
        const std::vector<hop> way = walk(*net, *routing, from, to, 1);
        EXPECT_EQ(way.size(), least[0][from]) << from << " to " << to;
        bool down = false;
        for (const hop& h : way) {
          EXPECT_FALSE(down && is_up(net->link(h.link))) << from << " to " << to;
          down = down || !is_up(net->link(h.link));
        }
      }
    }
  }
}

TEST(updown, is_an_escape_from_everywhere) {
  std::mt19937 random(2);
  for (unsigned links = 14; links < 30; links += 4) {
    const auto net = random_network(10, links, random);
    const auto routing = make_updown(net, names_of(*net), 3, true);
    EXPECT_EQ(prove(*net, *routing, 3).outcome, proof_outcome::proven);
    EXPECT_EQ(routing->state_bits(), 2u) << "up, or down from here on; escaped";
    for (node_id from = 0; from < 10; ++from) {
      const std::vector<unsigned> least = bfs_distances(*net, from);
      for (node_id to = 0; to < 10; ++to)
        EXPECT_EQ(walk(*net, *routing, from, to, 3).size(), least[to])
            << "the first option is on a shortest path";
    }
    route_option options[routing_function::max_options];
    const unsigned count = routing->route({0, 0, 0, 9, 2}, options);
    EXPECT_EQ(count, 1u) << "who has escaped stays there";
    EXPECT_EQ(options[0].vcs, 1);
  }
}

TEST(updown, uses_no_link_without_a_way_back) {
  const auto net =
      std::make_shared<netlist>("line", std::vector<unsigned>{3}, std::vector<hierarchy_level>{{"node", 1}});
  for (node_id n = 0; n < 3; ++n) net->add_node({"a", "b", "c"});
  for (node_id n = 0; n < 2; ++n) {
    net->connect(n, 0, n + 1, 1, 1, 1);
    net->connect(n + 1, 1, n, 0, 1, 1);
  }
  net->connect(0, 2, 2, 2, 1, 1);  // one way
  EXPECT_EQ(walk(*net, *make_updown(net, names_of(*net), 1, false), 0, 2, 1).size(), 2u);
  EXPECT_EQ(walk(*net, *make_updown(net, names_of(*net), 2, true), 0, 2, 2).size(), 1u);

  const auto one_way =
      std::make_shared<netlist>("ring", std::vector<unsigned>{3}, std::vector<hierarchy_level>{{"node", 1}});
  for (node_id n = 0; n < 3; ++n) one_way->add_node({"a", "b"});
  for (node_id n = 0; n < 3; ++n) one_way->connect(n, 0, (n + 1) % 3, 1, 1, 1);
  try {
    make_updown(one_way, names_of(*one_way), 1, false);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "n.json: no way of full-duplex links leads from 'n1' to 'n0', as up*/down* routing needs; "
                 "use routing "
                 "table");
  }
}

/// Two leaves, 0 and 1, over nine spines: nine ports are on shortest paths. The first seven are offered, beginning with
/// port 1, by the number of the destination; up*/down* has this port, and goes down from its root.
TEST(updown, offers_seven_ports_and_the_escape_at_most) {
  const auto net =
      std::make_shared<netlist>("leaves", std::vector<unsigned>{11}, std::vector<hierarchy_level>{{"node", 1}});
  for (node_id leaf = 0; leaf < 2; ++leaf) net->add_node({"0", "1", "2", "3", "4", "5", "6", "7", "8"});
  for (node_id spine = 2; spine < 11; ++spine) net->add_node({"0", "1"});
  for (port_id leaf = 0; leaf < 2; ++leaf)
    for (port_id s = 0; s < 9; ++s) {
      net->connect(leaf, s, 2u + s, leaf, 1, 1);
      net->connect(2u + s, leaf, leaf, s, 1, 1);
    }
  const auto routing = make_updown(net, names_of(*net), 4, true);
  EXPECT_EQ(routing->options_at_most(), 8u);
  EXPECT_EQ(routing->escape_vcs(), 1);
  route_option options[routing_function::max_options];
  ASSERT_EQ(routing->route({0, net->local_port(0), 0, 1, 0}, options), 8u);
  for (unsigned k = 0; k < 7; ++k) {
    EXPECT_EQ(options[k].out_port, (k + 1) % 7);
    EXPECT_EQ(options[k].vcs, 0b1110);
    EXPECT_EQ(options[k].state, 0u);
  }
  EXPECT_EQ(options[7].out_port, 1);
  EXPECT_EQ(options[7].vcs, 1);
  EXPECT_EQ(options[7].state, 3u) << "down, and escaped";
}

/// From an end of a line of three, whose root is in its middle, a head that has gone down has no way on.
TEST(updown, goes_up_in_a_state_that_no_packet_has) {
  const auto net =
      std::make_shared<netlist>("line", std::vector<unsigned>{3}, std::vector<hierarchy_level>{{"node", 1}});
  for (node_id n = 0; n < 3; ++n) net->add_node({"a", "b"});
  for (node_id n = 0; n < 2; ++n) {
    net->connect(n, 0, n + 1, 1, 1, 1);
    net->connect(n + 1, 1, n, 0, 1, 1);
  }
  const auto routing = make_updown(net, names_of(*net), 1, false);
  route_option option[routing_function::max_options];
  ASSERT_EQ(routing->route({0, 0, 0, 2, 1}, option), 1u);
  EXPECT_EQ(option[0].out_port, 0);
  EXPECT_EQ(option[0].state, 0u);
}

}  // namespace
}  // namespace toriscope
