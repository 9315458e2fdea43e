// SPDX-License-Identifier: Apache-2.0
// Routes that share what they have in common, against routes walked one by one.
#include "topologies/analysis/routed_analysis.h"

#include <gtest/gtest.h>

#include <limits>

#include "topologies/analysis/analysis.h"
#include "topologies/analysis/route_forest.h"
#include "topologies/path.h"

namespace toriscope {
namespace {

constexpr unsigned vcs = 16;

/// Loads by walking every route, of those that are drawn each with its share.
std::vector<double> walked_loads(const topology& t, const traffic_matrix& traffic) {
  const netlist& net = *t.wiring;
  std::vector<double> loads(net.links().size(), 0);
  const auto send = [&](node_id source, node_id destination, double amount) {
    const route_state states = t.routing->injection_states();
    for (route_state drawn = 0; drawn < states; ++drawn)
      for (const hop& h : walk(net, *t.routing, source, destination, vcs, drawn)) loads[h.link] += amount / states;
  };
  for (node_id source = 0; source < net.node_count(); ++source) {
    const destination_weights row = traffic(source);
    for (node_id destination = 0; destination < net.node_count(); ++destination)
      if (destination != source && row.every_other != 0) send(source, destination, row.every_other);
    for (const auto& [destination, weight] : row.points) send(source, destination, weight);
  }
  return loads;
}

std::vector<topology> networks() {
  std::vector<topology> all;
  for (const char* spec : {"mesh:3x5", "torus:4x6", "ucube:4,2", "ttn:2,2,0", "ttn:2,2,1"})
    for (const char* links : {"U", "B"}) {
      topology_options options;
      options.links = links;
      all.push_back(make_for_analysis(spec, options));
    }
  topology_options as_printed;
  as_printed.ties = "positive";
  as_printed.vc_rule = "paper";
  all.push_back(make_for_analysis("ttn:2,2,0", as_printed));
  for (const char* routing : {"o1turn", "valiant"}) {
    topology_options drawn;
    drawn.routing = routing;
    all.push_back(make_for_analysis("mesh:4x4", drawn));
  }
  return all;
}

TEST(route_forest, hops_as_walked) {
  for (const topology& t : networks()) {
    const netlist& net = *t.wiring;
    route_forest forest(net, *t.routing, vcs);
    for (node_id destination = 0; destination < net.node_count(); destination += 3) {
      forest.aim_at(destination);
      for (node_id source = 0; source < net.node_count(); ++source)
        for (route_state drawn = 0; drawn < t.routing->injection_states(); ++drawn)
          ASSERT_EQ(forest.hops(source, drawn), routed_distance(net, *t.routing, source, destination, vcs, drawn))
              << t.choice.spec << ' ' << source << " to " << destination << ", " << drawn;
    }
  }
}

TEST(routed_analysis, distances_as_walked) {
  for (const topology& t : networks()) {
    const routed_distances expected = measure_routes(*t.wiring, *t.routing, vcs);
    const route_symmetry symmetry(*t.wiring, digit_rotations(*t.wiring), t.cyclic_digits);
    const distance_summary d = routed_distances_of(*t.wiring, *t.routing, vcs, symmetry);
    EXPECT_EQ(d.diameter, expected.diameter) << t.choice.spec;
    EXPECT_DOUBLE_EQ(d.mean_all, expected.mean_all) << t.choice.spec;
    EXPECT_DOUBLE_EQ(d.mean_distinct, expected.mean_distinct) << t.choice.spec;
  }
}

/// A packet to its own terminal crosses all stages of a butterfly, too, and is not one of the distinct pairs.
TEST(routed_analysis, own_pairs_of_a_multistage_network_cross_links) {
  const topology t = make_topology("butterfly:2,3");
  const distance_summary d =
      routed_distances_of(*t.wiring, *t.routing, 16, route_symmetry(*t.wiring, digit_rotations(*t.wiring), 0));
  EXPECT_EQ(d.mean_all, 2);
  EXPECT_EQ(d.mean_distinct, 2);
}

/// Bit reversal sends 0 and 4 over 0's switch of the middle stage, for 0 and 1: both go over its link to the last one.
TEST(routed_analysis, own_packets_of_a_multistage_network_load_links) {
  const topology t = make_topology("butterfly:2,3");
  const route_symmetry none(*t.wiring, digit_rotations(*t.wiring), 0);
  const auto reversed = [](node_id source) {
    const node_id to = (source & 1) * 4 + (source & 2) + source / 4;
    return destination_weights{
        0, to == source ? 1. : 0,
        to == source ? std::vector<std::pair<node_id, double>>{} : std::vector{std::pair(to, 1.)}};
  };
  const channel_loads c = load_channels(*t.wiring, *t.routing, 16, none, reversed);
  EXPECT_EQ(c.mean, 1) << "8 packets over two links each, of 16";
  EXPECT_EQ(c.max, 2);
  EXPECT_EQ(c.bound, .5);
  EXPECT_EQ(load_channels(*t.wiring, *t.routing, 16, none, uniform_traffic(8, true)).mean, 1);
}

/// Eight terminals, at four of twelve switches: the others are 0 links away, twice 2 and four times 4.
TEST(routed_analysis, of_terminals_that_are_fewer_than_switches) {
  const topology t = make_topology("fattree:2,3");
  const route_symmetry none(*t.wiring, digit_rotations(*t.wiring), 0);
  EXPECT_EQ(none.destinations().size(), 8u);
  const distance_summary d = routed_distances_of(*t.wiring, *t.routing, 4, none);
  EXPECT_EQ(d.diameter, 4u);
  EXPECT_TRUE(d.connected);
  EXPECT_DOUBLE_EQ(d.mean_all, 20. / 8);
  EXPECT_DOUBLE_EQ(d.mean_distinct, 20. / 7);
  const channel_loads c = load_channels(*t.wiring, *t.routing, 4, none, uniform_traffic(8, false));
  EXPECT_DOUBLE_EQ(c.mean, 8 * (20. / 7) / 32) << "over 16 wires, both ways";
  EXPECT_NEAR(c.ejection_max, 1, 1e-12);
}

TEST(routed_analysis, loads_as_walked) {
  for (const topology& t : networks()) {
    const node_id nodes = t.wiring->node_count();
    const route_symmetry symmetry(*t.wiring, digit_rotations(*t.wiring), t.cyclic_digits);
    const traffic_matrix uneven = [&](node_id source) {
      destination_weights row{0.25 / nodes, 0, {}};
      if (source % 3 != 0) row.points = {{(source * 7 + 1) % nodes, 0.5}, {0, 0.25}};
      return row;
    };
    const traffic_matrix silent_first = [&](node_id source) {
      return source == 0 ? destination_weights{} : destination_weights{0.5 / nodes, 0, {{0, 0.25}}};
    };
    for (const traffic_matrix& traffic : {uniform_traffic(nodes, false), uneven, silent_first}) {
      const std::vector<double> expected = walked_loads(t, traffic);
      const channel_loads c = load_channels(*t.wiring, *t.routing, vcs, symmetry, traffic);
      for (link_id l = 0; l < expected.size(); ++l) ASSERT_NEAR(c.loads[l], expected[l], 1e-9) << t.choice.spec;
      EXPECT_NEAR(c.max, *std::max_element(expected.begin(), expected.end()), 1e-9);
      EXPECT_DOUBLE_EQ(c.bound, 1 / c.max);
    }
  }
}

TEST(routed_analysis, the_ejection_port_with_the_most) {
  const topology t = make_for_analysis("torus:2x4", {});
  const route_symmetry symmetry(*t.wiring, digit_rotations(*t.wiring), 0);
  const auto loads = [&](const traffic_matrix& traffic) {
    return load_channels(*t.wiring, *t.routing, vcs, symmetry, traffic);
  };
  EXPECT_NEAR(loads(uniform_traffic(8, false)).ejection_max, 1, 1e-12);
  // Half of all packets to node 3, which sends none to itself; the other half to all others.
  const channel_loads hot = loads([](node_id source) {
    return source == 3 ? destination_weights{1 / 7., 0, {}} : destination_weights{.5 / 7, 0, {{3, .5}}};
  });
  EXPECT_NEAR(hot.ejection_max, 7 * (.5 + .5 / 7), 1e-12);
  EXPECT_EQ(hot.sink, 3U);
}

TEST(routed_analysis, symmetry_changes_nothing) {
  for (const char* spec : {"ttn:2,2,0", "ttn:2,2,1"})
    for (const char* links : {"U", "B"}) {
      topology_options options;
      options.links = links;
      const topology t = make_for_analysis(spec, options);
      const digit_rotations turns(*t.wiring);
      const route_symmetry none(*t.wiring, turns, 0);
      const route_symmetry all(*t.wiring, turns, 2);
      EXPECT_EQ(none.destinations().size(), 256u);
      EXPECT_EQ(all.destinations().size(), 16u);
      EXPECT_EQ(routed_distances_of(*t.wiring, *t.routing, vcs, all).pairs,
                routed_distances_of(*t.wiring, *t.routing, vcs, none).pairs);
      const traffic_matrix uniform = uniform_traffic(256, false);
      const channel_loads expected = load_channels(*t.wiring, *t.routing, vcs, none, uniform);
      const channel_loads quick = load_channels(*t.wiring, *t.routing, vcs, all, uniform);
      for (link_id l = 0; l < expected.loads.size(); ++l)
        ASSERT_NEAR(quick.loads[l], expected.loads[l], 1e-9) << spec << links;
    }
}

TEST(routed_analysis, turns_of_the_rdt_by_its_classes) {
  for (const char* routing : {"floating", "floating3", "vector"}) {
    topology_options options;
    options.routing = routing;
    const std::string spec = routing == std::string("vector") ? "rdt:perfect,16" : "rdt:beta,16";
    const topology t = make_for_analysis(spec, options);
    ASSERT_TRUE(t.routes_turn_with_wiring);
    const digit_rotations turns(*t.wiring);
    const route_symmetry none(*t.wiring, turns, 0);
    const route_symmetry all(*t.wiring, turns, 0, true);
    EXPECT_LE(all.destinations().size(), 16u) << routing;
    EXPECT_EQ(routed_distances_of(*t.wiring, *t.routing, vcs, all).pairs,
              routed_distances_of(*t.wiring, *t.routing, vcs, none).pairs)
        << routing;
    const traffic_matrix uniform = uniform_traffic(256, false);
    EXPECT_NEAR(load_channels(*t.wiring, *t.routing, vcs, all, uniform).max,
                load_channels(*t.wiring, *t.routing, vcs, none, uniform).max, 1e-9)
        << routing;
  }
}

TEST(routed_analysis, ties_of_an_8_ring) {
  // Ties all one way: + links carry 1+2+3+4, - links 1+2+3 of every node.
  const auto ring = [](const char* ties) {
    topology_options options;
    options.ties = ties;
    const topology t = make_for_analysis("torus:8x1", options);
    const route_symmetry none(*t.wiring, digit_rotations(*t.wiring), 0);
    return load_channels(*t.wiring, *t.routing, vcs, none, uniform_traffic(8, true));
  };
  const channel_loads positive = ring("positive");
  EXPECT_DOUBLE_EQ(positive.max, 10.0 / 8);
  EXPECT_DOUBLE_EQ(*std::min_element(positive.loads.begin(), positive.loads.end()), 6.0 / 8);
  EXPECT_DOUBLE_EQ(ring("balanced").max, 1);
  EXPECT_DOUBLE_EQ(ring("balanced").bound, 1);
}

TEST(routed_analysis, meshes_and_tori_by_formula) {
  // Uniform traffic, N destinations: kN/4 flits cross the middle of a mesh row by row, k/8 per link of a
  // torus.
  for (const unsigned k : {4u, 8u, 16u}) {
    const std::string size = std::to_string(k) + "x" + std::to_string(k);
    for (const bool wraps : {false, true}) {
      const topology t = make_for_analysis((wraps ? "torus:" : "mesh:") + size, {});
      const route_symmetry none(*t.wiring, digit_rotations(*t.wiring), 0);
      const channel_loads c = load_channels(*t.wiring, *t.routing, vcs, none, uniform_traffic(k * k, true));
      EXPECT_DOUBLE_EQ(c.max, wraps ? k / 8.0 : k / 4.0) << t.choice.spec;
    }
  }
}

TEST(routed_analysis, narrow_links_fill_earlier) {
  topology t = make_for_analysis("mesh:4x1", {});
  for (link_id l = 0; l < t.wiring->links().size(); ++l) t.wiring->link(l).flit_cycles = 3;
  const route_symmetry none(*t.wiring, digit_rotations(*t.wiring), 0);
  const channel_loads c = load_channels(*t.wiring, *t.routing, vcs, none, uniform_traffic(4, true));
  EXPECT_DOUBLE_EQ(c.max, 1);
  EXPECT_DOUBLE_EQ(c.bound, 1.0 / 3);
}

/// On a line of four the links 2 and 3, between nodes 1 and 2, carry 2 times 2 quarters, the others 3 quarters.
TEST(routed_analysis, the_first_of_the_busiest_links_and_the_mean_of_all) {
  const topology t = make_for_analysis("mesh:4x1", {});
  const route_symmetry none(*t.wiring, digit_rotations(*t.wiring), 0);
  const channel_loads c = load_channels(*t.wiring, *t.routing, vcs, none, uniform_traffic(4, true));
  EXPECT_DOUBLE_EQ(c.max, 1);
  EXPECT_EQ(c.busiest, 2u);
  EXPECT_DOUBLE_EQ(c.mean, (4 * .75 + 2 * 1) / 6);
  EXPECT_EQ(c.sink, 0u) << "the first of equal ones";
}

TEST(routed_analysis, packets_to_their_own_nodes_use_no_link) {
  const topology t = make_for_analysis("mesh:4x1", {});
  const route_symmetry none(*t.wiring, digit_rotations(*t.wiring), 0);
  const auto to_itself = [](node_id source) { return destination_weights{0, source == 2 ? 1. : .5, {}}; };
  const channel_loads c = load_channels(*t.wiring, *t.routing, vcs, none, to_itself);
  EXPECT_EQ(c.max, 0);
  EXPECT_EQ(c.mean, 0);
  EXPECT_EQ(c.busiest, 0u);
  EXPECT_EQ(c.bound, std::numeric_limits<double>::infinity());
  EXPECT_EQ(c.ejection_max, 1);
  EXPECT_EQ(c.sink, 2u);
}

TEST(routed_analysis, of_a_network_without_links) {
  const topology t = make_for_analysis("crossbar:4", {});
  const route_symmetry none(*t.wiring, digit_rotations(*t.wiring), 0);
  const channel_loads c = load_channels(*t.wiring, *t.routing, vcs, none, uniform_traffic(4, true));
  EXPECT_EQ(c.max, 0);
  EXPECT_EQ(c.mean, 0);
  EXPECT_EQ(c.busiest, no_link);
  EXPECT_EQ(c.bound, std::numeric_limits<double>::infinity());
  EXPECT_EQ(c.ejection_max, 1);
}

/// Sends everything round the ring for ever.
class round_and_round final : public routing_function {
 public:
  unsigned route(const route_request&, route_option* options) const override {
    options[0] = {0, 1, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }
};

TEST(route_forest, never_arrives) {
  const topology t = make_topology("ucube:4,1");
  const round_and_round routing;
  route_forest forest(*t.wiring, routing, 1);
  forest.aim_at(0);
  EXPECT_THROW(forest.hops(1), std::logic_error);
}

}  // namespace
}  // namespace toriscope
