// SPDX-License-Identifier: Apache-2.0
#include "topologies/drawn_routing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "topologies/bfs_oracle.h"
#include "topologies/path.h"
#include "topologies/registry.h"

namespace toriscope::drawn_routing_test {
namespace {

topology made_with(const std::string& spec, const std::string& routing, unsigned vcs) {
  topology_options options;
  options.vcs = vcs;
  options.routing = routing;
  return make_topology(spec, options);
}

/// Links by breadth-first search, from router to router.
class distances {
 public:
  explicit distances(const netlist& net) {
    for (node_id n = 0; n < net.node_count(); ++n) from_.push_back(bfs_distances(net, n));
  }
  unsigned operator()(node_id a, node_id b) const { return from_[a][b]; }

 private:
  std::vector<std::vector<unsigned>> from_;
};

TEST(valiant, goes_over_the_router_that_was_drawn) {
  for (const char* spec :
       {"torus:4x5", "mesh:3x3", "hypercube:4", "cmesh:2x3,2", "flatfly:3,2,2", "dragonfly:2,2,1"}) {
    const topology t = made_with(spec, "valiant", 4);
    const netlist& net = *t.wiring;
    const distances apart(net);
    ASSERT_EQ(t.routing->injection_states(), net.terminal_count()) << spec;
    for (terminal_id s = 0; s < net.terminal_count(); ++s)
      for (terminal_id d = 0; d < net.terminal_count(); ++d)
        for (terminal_id between = 0; between < net.terminal_count(); ++between) {
          const node_id from = net.terminal(s).node, over = net.terminal(between).exit,
                        to = net.terminal(d).exit;
          const std::vector<hop> way = walk(net, *t.routing, s, d, 4, between);
          // Minimal in a dragonfly is by one global link at most, which a search does not know.
          if (spec != std::string("dragonfly:2,2,1")) {
            ASSERT_EQ(way.size(), from == to ? 0 : apart(from, over) + apart(over, to)) << spec;
          }
          bool was_there = false;
          const bool straight = from == over || from == to;
          for (const hop& h : way) {
            was_there = was_there || h.node == over;
            EXPECT_EQ(h.vc < 2, straight || !was_there) << "lower half up to there, upper half from there on";
          }
          EXPECT_TRUE(was_there || straight || to == over);
        }
  }
}

/// What it is for: whatever the pattern, a link carries as much as of uniform traffic, twice.
TEST(valiant, loads_all_links_of_a_ring_alike) {
  const topology t = made_with("torus:8", "valiant", 4);
  const topology direct = made_with("torus:8", "dor", 4);
  const auto busiest = [](const topology& on, auto destination) {
    std::vector<double> loads(on.wiring->links().size());
    for (terminal_id s = 0; s < 8; ++s)
      for (route_state drawn = 0; drawn < on.routing->injection_states(); ++drawn)
        for (const hop& h : walk(*on.wiring, *on.routing, s, destination(s), 4, drawn))
          loads[h.link] += 1. / on.routing->injection_states();
    return *std::max_element(loads.begin(), loads.end());
  };
  const auto tornado = [](terminal_id s) { return (s + 3) % 8; };
  EXPECT_EQ(busiest(direct, tornado), 3);
  EXPECT_NEAR(busiest(t, tornado), 2, 0.3) << "8 nodes, 2 links on average, twice, over 16 links";
}

TEST(o1turn, takes_each_order_with_one_half) {
  const topology t = made_with("mesh:4x4", "o1turn", 6);
  ASSERT_EQ(t.routing->injection_states(), 2U);
  for (const route_state drawn : {0u, 1u}) {
    const std::vector<hop> way = walk(*t.wiring, *t.routing, 0, 15, 6, drawn);
    ASSERT_EQ(way.size(), 6U);
    std::string ports;
    for (const hop& h : way) {
      ports += t.wiring->port_name(h.node, h.out_port).front();
      EXPECT_EQ(h.vc, drawn == 0 ? 0 : 3);
    }
    EXPECT_EQ(ports, drawn == 0 ? "yyyxxx" : "xxxyyy");
  }
}

TEST(fat_tree, draws_all_ways_to_the_top) {
  const topology t = made_with("fattree:3,3", "random", 1);
  std::set<node_id> tops;
  for (route_state drawn = 0; drawn < t.routing->injection_states(); ++drawn) {
    const std::vector<hop> way = walk(*t.wiring, *t.routing, 0, 26, 1, drawn);
    ASSERT_EQ(way.size(), 4U);
    tops.insert(way[2].node);
  }
  EXPECT_EQ(tops.size(), 9U) << "each switch of the top once";
  EXPECT_LT(*tops.rbegin(), 9U);
}

TEST(ugal, weighs_queues_by_the_links_of_the_way) {
  const topology t = made_with("torus:8", "ugal", 4);
  const netlist& net = *t.wiring;
  // From 0 to 3, over 6: 3 links to the one side, 2 + 3 to the other.
  const route_request request{0, net.local_port(0), 0, 3, 6};
  route_option options[routing_function::max_options];
  ASSERT_EQ(t.routing->route(request, options), 2U);
  EXPECT_EQ(net.port_name(0, options[0].out_port), "x+");
  EXPECT_EQ(net.port_name(0, options[1].out_port), "x-");
  unsigned weights[2] = {};
  t.routing->weigh(request, 2, weights);
  EXPECT_EQ(weights[0], 3U);
  EXPECT_EQ(weights[1], 5U);
  // Behind the first router there is nothing to choose.
  EXPECT_EQ(t.routing->route({7, 0, 0, 3, options[1].state}, options), 1U);
}

/// Of a ring of 8 the terminals are 0 to 7, and 8 stands for straight on: a state file may have up to 15.
TEST(valiant, goes_straight_on_in_a_state_that_no_packet_has) {
  const topology t = made_with("torus:8", "valiant", 4);
  for (const std::uint8_t vc : {std::uint8_t{0}, std::uint8_t{2}}) {
    route_option straight[routing_function::max_options], beyond[routing_function::max_options];
    ASSERT_EQ(t.routing->route({1, 0, vc, 3, 8}, straight), 1U);
    for (const route_state state : {9u, 15u}) {
      ASSERT_EQ(t.routing->route({1, 0, vc, 3, state}, beyond), 1U);
      EXPECT_EQ(beyond[0].out_port, straight[0].out_port);
      EXPECT_EQ(beyond[0].vcs, straight[0].vcs);
      EXPECT_EQ(beyond[0].state, straight[0].state);
    }
  }
}

TEST(drawn_routing, needs_halves) {
  const auto error = [](const char* spec, const char* routing, unsigned vcs) -> std::string {
    try {
      made_with(spec, routing, vcs);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(error("torus:4x4", "valiant", 3),
            "topology 'torus:4x4': routing valiant needs an even number of VCs, at least 4, half of them for "
            "each part "
            "of the way; not 3");
  EXPECT_NE(error("torus:4x4", "o1turn", 2), "");
  EXPECT_NE(error("dragonfly:2,2,1", "ugal", 2), "");
  EXPECT_NE(error("flatfly:2,2,2", "ugal", 3), "");
  EXPECT_EQ(error("mesh:4x4", "o1turn", 2), "");
}

}  // namespace
}  // namespace toriscope::drawn_routing_test
