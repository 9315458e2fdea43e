// SPDX-License-Identifier: Apache-2.0
// Degree, links, distances and paths against breadth-first searches by Boost, closed formulas and the values
// worked out for the papers' networks.
#include "topologies/analysis/distances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "base/error_of_test.h"
#include "topologies/analysis/analysis.h"
#include "topologies/bfs_oracle.h"
#include "topologies/path.h"

namespace toriscope {
namespace {

topology with_links(const std::string& spec, const std::string& links) {
  topology_options options;
  options.links = links;
  topology t = make_for_analysis(spec, options);
  t.cyclic_digits = static_cast<unsigned>(t.wiring->radices().size() - 2);  // all but those of the BM
  return t;
}

distance_summary by_boost(const netlist& net) {
  std::vector<double> pairs;
  for (node_id source = 0; source < net.node_count(); ++source)
    for (const unsigned distance : bfs_distances(net, source)) {
      if (pairs.size() <= distance) pairs.resize(distance + 1, 0);
      ++pairs[distance];
    }
  return summarise_distances(std::move(pairs), net.node_count());
}

TEST(digit_rotations, of_rings_meshes_and_hierarchies) {
  const digit_rotations torus(*make_topology("torus:6x5").wiring);
  EXPECT_EQ(torus.turn(0), 1u);
  EXPECT_EQ(torus.turn(1), 1u);
  EXPECT_EQ(torus.nodes_each(), 30u);
  EXPECT_EQ(torus.representatives(), std::vector<node_id>{0});
  const digit_rotations mesh(*make_topology("mesh:4x4").wiring);
  EXPECT_EQ(mesh.nodes_each(), 1u);
  const digit_rotations ttn(*make_topology("ttn:2,3,0").wiring);
  for (unsigned digit = 0; digit < 4; ++digit) EXPECT_EQ(ttn.turn(digit), 1u) << digit;
  EXPECT_EQ(ttn.turn(4), 4u) << "the gates stand still";
  EXPECT_EQ(ttn.representatives().size(), 16u);
}

/// A ring in which every other node has a chord to the next but one.
netlist ring_with_chords() {
  netlist net("chords", {12}, {{"node", 1}});
  for (node_id n = 0; n < 12; ++n) net.add_node({"+", "-", "out", "in"});
  for (node_id n = 0; n < 12; ++n) {
    net.connect(n, 0, (n + 1) % 12, 1, 1, 1);
    net.connect((n + 1) % 12, 1, n, 0, 1, 1);
    if (n % 2 == 0) net.connect(n, 2, (n + 4) % 12, 3, 1, 1);
  }
  return net;
}

TEST(digit_rotations, by_more_than_one) {
  const netlist net = ring_with_chords();
  const digit_rotations turns(net);
  EXPECT_EQ(turns.turn(0), 2u);
  EXPECT_EQ(turns.representatives(), (std::vector<node_id>{0, 1}));
  EXPECT_EQ(searched_distances(net, turns)->pairs, by_boost(net).pairs);
}

/// A ring whose links come in by another port at every other node.
TEST(digit_rotations, keep_the_ports_at_both_ends) {
  netlist net("ports", {4}, {{"node", 1}});
  for (node_id n = 0; n < 4; ++n) net.add_node({"out", "in", "also_in"});
  for (node_id n = 0; n < 4; ++n) net.connect(n, 0, (n + 1) % 4, static_cast<port_id>(1 + n % 2), 1, 1);
  EXPECT_EQ(digit_rotations(net).turn(0), 2u);
}

TEST(distances, by_boost_whatever_the_way) {
  for (const char* spec : {"mesh:5x7", "torus:4x6", "torus:3x4x2", "ucube:5,2", "cube:2,7", "ttn:2,2,1"}) {
    const topology t = make_for_analysis(spec, {});
    const distance_summary expected = by_boost(*t.wiring);
    const distance_summary searched = searched_distances(*t.wiring, digit_rotations(*t.wiring)).value();
    EXPECT_EQ(searched.pairs, expected.pairs) << spec;
    EXPECT_DOUBLE_EQ(searched.mean_all, expected.mean_all) << spec;
    const auto product = product_distances(*t.wiring);
    EXPECT_EQ(product.has_value(), std::string(spec).substr(0, 3) != "ttn") << spec;
    if (product) {
      EXPECT_EQ(product->pairs, expected.pairs) << spec;
    }
  }
  const netlist chords = ring_with_chords();
  EXPECT_FALSE(product_distances(chords) && product_distances(chords)->pairs != by_boost(chords).pairs);
}

TEST(distances, no_product_when_a_step_is_missing_at_one_node) {
  // A 2x2 mesh with one link twice and one not at all: as many links as a mesh.
  netlist net("bent", {2, 2}, {{"node", 2}});
  for (node_id n = 0; n < 4; ++n) net.add_node({"a", "b", "c"});
  const auto join = [&](node_id a, port_id p, node_id b, port_id q) {
    net.connect(a, p, b, q, 1, 1);
    net.connect(b, q, a, p, 1, 1);
  };
  join(0, 0, 1, 0);
  join(0, 1, 1, 1);
  join(0, 2, 2, 0);
  join(1, 2, 3, 0);
  EXPECT_FALSE(product_distances(net));
}

TEST(distances, closed_formulas) {
  for (const unsigned k : {4u, 16u, 64u, 200u}) {
    const std::string size = std::to_string(k) + "x" + std::to_string(k);
    const auto torus = product_distances(*make_topology("torus:" + size).wiring);
    const auto mesh = product_distances(*make_topology("mesh:" + size).wiring);
    ASSERT_TRUE(torus && mesh);
    EXPECT_EQ(torus->diameter, k);
    EXPECT_EQ(mesh->diameter, 2 * (k - 1));
    EXPECT_NEAR(torus->mean_all, k / 2.0, 1e-9);
    EXPECT_NEAR(mesh->mean_all, 2.0 * (k * 1.0 * k - 1) / (3.0 * k), 1e-9);
    EXPECT_NEAR(mesh->mean_distinct, 2.0 * k / 3, 1e-9);
  }
  const auto cube = product_distances(*make_topology("cube:2,12").wiring);
  EXPECT_EQ(cube->diameter, 12u);
  EXPECT_DOUBLE_EQ(cube->mean_all, 6);
  const auto one_way = product_distances(*make_topology("ucube:8,3").wiring);
  EXPECT_EQ(one_way->diameter, 21u);
  EXPECT_DOUBLE_EQ(one_way->mean_all, 10.5) << "Dally 1990, Eq. 11: n (k-1) / 2";
}

/// By hand: 4 values with 8 steps and 6 with 12; 8 nodes in a circle, one link each, until nothing is found.
TEST(distances, have_no_answer_when_more_steps_are_needed) {
  const topology torus = make_topology("torus:4x6");
  EXPECT_TRUE(product_distances(*torus.wiring, 4 * 8 + 6 * 12));
  EXPECT_FALSE(product_distances(*torus.wiring, 4 * 8 + 6 * 12 - 1));
  const topology circle = make_topology("ucube:8,1");
  const digit_rotations turns(*circle.wiring);
  ASSERT_EQ(turns.representatives().size(), 1u);
  EXPECT_TRUE(searched_distances(*circle.wiring, turns, 8));
  EXPECT_FALSE(searched_distances(*circle.wiring, turns, 7));
  // 400 sources are two sets, each of which goes over 1,520 links more than once.
  const topology mesh = make_topology("mesh:20x20");
  EXPECT_FALSE(searched_distances(*mesh.wiring, digit_rotations(*mesh.wiring), 2 * 1520));
}

TEST(distances, more_sources_than_one_search_takes) {
  const topology t = make_topology("mesh:20x20");
  EXPECT_EQ(searched_distances(*t.wiring, digit_rotations(*t.wiring))->pairs,
            product_distances(*t.wiring)->pairs);
}

TEST(distances, cut_in_two) {
  netlist net("apart", {4}, {{"node", 1}});
  for (node_id n = 0; n < 4; ++n) net.add_node({"a"});
  for (const node_id n : {0u, 2u}) {
    net.connect(n, 0, n + 1, 0, 1, 1);
    net.connect(n + 1, 0, n, 0, 1, 1);
  }
  const distance_summary d = searched_distances(net, digit_rotations(net)).value();
  EXPECT_FALSE(d.connected);
  EXPECT_EQ(d.diameter, 1u);
  EXPECT_DOUBLE_EQ(d.mean_distinct, 1);
  EXPECT_DOUBLE_EQ(d.mean_all, .5) << "of the eight pairs that are connected";
}

/// 0 to 1 to 2, one way; `closed`: and to 0. `twice`: with two links from 0 to 1.
topology one_way_line(bool closed, bool twice) {
  topology line;
  line.wiring =
      std::make_shared<netlist>("line", std::vector<unsigned>{3}, std::vector<hierarchy_level>{{"node", 1}});
  for (node_id n = 0; n < 3; ++n) line.wiring->add_node({"a", "b", "c", "d"});
  for (node_id n = 0; n < (closed ? 3u : 2u); ++n) line.wiring->connect(n, 0, (n + 1) % 3, 1, 1, 1);
  if (twice) line.wiring->connect(0, 2, 1, 3, 1, 1);
  return line;
}

TEST(analysis, says_when_the_network_is_not_connected) {
  analysis_request request;
  request.routed = false;
  for (const bool twice : {false, true}) {
    const topology apart = one_way_line(false, twice);
    EXPECT_EQ(product_distances(*apart.wiring).has_value(), !twice) << "both ways of finding distances";
    EXPECT_THAT(analyse(apart, 4, request).notes,
                testing::ElementsAre("the network is not connected: distances are of the pairs that are"));
    EXPECT_THAT(analyse(one_way_line(true, twice), 4, request).notes, testing::IsEmpty());
  }
}

struct golden {
  const char* spec;
  const char* links;
  unsigned degree;
  std::uint64_t wires;
  unsigned diameter;
  double mean;
  unsigned connectivity;
  std::uint64_t cut;
};

TEST(analysis, golden_values_of_the_ttn) {
  for (const golden& g : {golden{"ttn:2,2,0", "U", 6, 544, 15, 7.4375, 4, 8},
                          {"ttn:2,2,0", "B", 6, 544, 13, 6.4375, 4, 8},
                          {"ttn:2,2,1", "U", 6, 576, 14, 6.96875, 4, 16},
                          {"ttn:2,2,1", "B", 6, 576, 12, 5.96875, 4, 16},
                          {"ttn:2,3,0", "U", 6, 9216, 24, 12.59375, 4, 128},
                          {"ttn:2,3,0", "B", 6, 9216, 20, 10.59375, 4, 128}}) {
    analysis_request request;
    request.partition = request.diversity = request.density = false;
    const network_analysis a = analyse(with_links(g.spec, g.links), 16, request);
    EXPECT_EQ(a.wiring.degree_max, g.degree) << g.spec << g.links;
    EXPECT_EQ(a.wiring.degree_min, 4u) << g.spec << g.links;
    EXPECT_EQ(a.wiring.links, g.wires) << g.spec << g.links;
    EXPECT_EQ(a.routed->diameter, g.diameter) << g.spec << g.links;
    EXPECT_DOUBLE_EQ(a.routed->mean_all, g.mean) << g.spec << g.links;
    EXPECT_EQ(a.arc_connectivity, g.connectivity) << g.spec << g.links;
    EXPECT_EQ(a.cut.links, g.cut) << g.spec << g.links;
  }
  EXPECT_NEAR(analyse(with_links("ttn:2,3,0", "U"), 16).routed->mean_distinct, 12.5968, 5e-5);
  EXPECT_NEAR(analyse(with_links("ttn:2,3,1", "U"), 16).routed->mean_all, 12.88, 5e-3);
  EXPECT_NEAR(analyse(with_links("ttn:2,3,1", "B"), 16).routed->mean_all, 10.78, 5e-3);
}

TEST(analysis, gives_what_is_asked_for) {
  analysis_request request;
  EXPECT_EQ(analyse(make_topology("mesh:3x3"), 4, request).shortest_paths->max, 6.0)
      << "from corner to corner";
  EXPECT_TRUE(analyse(make_topology("mesh:3x3"), 4, request).routes);
  request.diversity = request.routed = false;
  const network_analysis less = analyse(make_topology("mesh:3x3"), 4, request);
  EXPECT_FALSE(less.shortest_paths);
  EXPECT_FALSE(less.routed);
  EXPECT_TRUE(less.arc_connectivity && less.partition_bound && less.density);
  request.connectivity = request.partition = request.density = false;
  const network_analysis least = analyse(make_topology("mesh:3x3"), 4, request);
  EXPECT_FALSE(least.arc_connectivity || least.partition_bound || least.density);
  EXPECT_THAT(least.notes, testing::IsEmpty()) << "what was not asked for is not left out";
}

TEST(analysis, has_no_channel_loads_without_a_routing) {
  EXPECT_EQ(error_of([] { analyse(make_topology("star:3"), 4, {}, uniform_traffic(6, false)); }),
            "channel load needs a routing algorithm, and this network has none");
}

TEST(analysis, cost_is_by_the_routed_diameter_where_there_is_one) {
  analysis_request request;
  request.partition = request.diversity = request.density = false;
  EXPECT_EQ(analyse(with_links("ttn:2,2,0", "U"), 16, request).cost(), 6u * 15);
  request.routed = false;
  const network_analysis a = analyse(with_links("ttn:2,2,0", "U"), 16, request);
  EXPECT_LT(a.shortest->diameter, 15u);
  EXPECT_EQ(a.cost(), std::nullopt) << "not asked for, and that by the shortest is another";
  EXPECT_FALSE(a.distances());
  const network_analysis star = analyse(make_topology("star:3"), 16, request);
  EXPECT_EQ(star.cost(), star.wiring.degree_max * star.shortest->diameter) << "no routing is known";
}

TEST(analysis, notes_that_routes_may_differ_where_routing_is_adaptive) {
  topology_options options;
  EXPECT_THAT(analyse(make_topology("mesh:3x3", options), 4).notes, testing::IsEmpty());
  options.routing = "adaptive";
  EXPECT_THAT(analyse(make_topology("mesh:3x3", options), 4).notes,
              testing::Contains(testing::StartsWith("routed: by the first option of every hop")));
}

/// On a line: on to the destination, or back, as long as there is a link.
class there_or_back final : public routing_function {
 public:
  explicit there_or_back(std::shared_ptr<const netlist> line) : line_(std::move(line)) {}
  unsigned route(const route_request& request, route_option* options) const override {
    if (request.node == request.destination) {
      options[0] = {line_->local_port(request.node), 1, 0};
      return 1;
    }
    const bool plus = request.destination > request.node;
    unsigned count = 0;
    for (const char* port : {plus ? "x+" : "x-", plus ? "x-" : "x+"}) {
      const port_id p = line_->port_named(request.node, port);
      if (line_->ports(request.node)[p].out != no_link) options[count++] = {p, 1, 0};
    }
    return count;
  }
  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return 2; }

 private:
  const std::shared_ptr<const netlist> line_;
};

TEST(analysis, counts_no_routes_where_they_may_go_in_circles) {
  topology line = make_topology("torus:4");
  line.cyclic_digits = 0;
  line.routing = std::make_shared<there_or_back>(line.wiring);
  const network_analysis a = analyse(line, 1);
  EXPECT_FALSE(a.routes);
  EXPECT_THAT(a.notes, testing::Contains("number of routes: options can lead in circles, there is no bound"));
}

TEST(analysis, counts_no_routes_where_one_of_two_is_drawn) {
  topology_options options;
  options.routing = "o1turn";
  const network_analysis a = analyse(make_topology("mesh:4x4", options), 4);
  EXPECT_FALSE(a.routes);
  EXPECT_THAT(a.notes, testing::Contains("number of routes: not counted where routes are drawn"));
}

/// By hand: 2000 nodes on a line have 4 million pairs.
TEST(analysis, leaves_the_routes_of_large_adaptive_networks_out) {
  topology line = make_topology("torus:2000");
  line.cyclic_digits = 0;
  line.routing = std::make_shared<there_or_back>(line.wiring);
  analysis_request request;
  request.routed = request.connectivity = request.partition = request.density = false;
  EXPECT_THAT(analyse(line, 1, request).notes,
              testing::Contains("number of routes: left out, too large (too many pairs of nodes)"));
  // 3.5 million pairs, with a route each.
  EXPECT_TRUE(analyse(make_topology("mesh:13x12x12"), 1, request).routes);
}

/// By hand: 676 nodes have 456,976 pairs, with 676 routes each.
TEST(analysis, leaves_drawn_routes_out_by_their_number) {
  topology_options options;
  options.routing = "valiant";
  analysis_request request;
  request.connectivity = request.partition = request.density = request.diversity = false;
  const network_analysis a = analyse(make_for_analysis("torus:26x26", options), 16, request);
  EXPECT_FALSE(a.routed);
  EXPECT_THAT(a.notes, testing::Contains(testing::StartsWith("routed distances: left out, too large")));
}

/// By hand: 2^18 nodes, 6.9e10 pairs of them; distances of a mesh are those of its two lines.
TEST(analysis, leaves_what_large_networks_would_take_too_long_for_out) {
  const network_analysis mesh = analyse(make_topology("mesh:512x512"), 1);
  EXPECT_THAT(mesh.notes,
              testing::ElementsAre(
                  "routed distances: left out, too large (no symmetry of the routing is known that makes them fewer)",
                  "arc connectivity: left out, too large (at most 131072 nodes)",
                  "partition bound: left out, too large (at most 8192 nodes)",
                  "number of shortest paths: left out, too large (too many pairs of nodes)"));
  ASSERT_TRUE(mesh.shortest);
  EXPECT_EQ(mesh.shortest->diameter, 1022u);
  EXPECT_EQ(mesh.cost(), std::nullopt) << "it is by routed distances where there is a routing";
  EXPECT_FALSE(mesh.routed || mesh.arc_connectivity || mesh.partition_bound || mesh.shortest_paths);
}

/// A ring of 400,000 nodes with a chord: 1,563 sets of sources, each of which goes over 800,002 links.
TEST(analysis, leaves_the_distances_of_large_networks_without_a_symmetry_out) {
  topology ring;
  const auto wiring =
      std::make_shared<netlist>("ring", std::vector<unsigned>{400000}, std::vector<hierarchy_level>{{"node", 1}});
  for (node_id n = 0; n < 400000; ++n) wiring->add_node({"next", "last", "over"});
  const auto join = [&](node_id a, port_id p, node_id b, port_id q) {
    wiring->connect(a, p, b, q, 1, 1);
    wiring->connect(b, q, a, p, 1, 1);
  };
  for (node_id n = 0; n < 400000; ++n) join(n, 0, (n + 1) % 400000, 1);
  join(0, 2, 15000, 2);
  ring.wiring = wiring;
  analysis_request request;
  request.connectivity = request.partition = request.density = request.diversity = false;
  const network_analysis large = analyse(ring, 1, request);
  EXPECT_FALSE(large.shortest);
  EXPECT_THAT(large.notes, testing::ElementsAre("shortest distances: left out, too large (no symmetry makes them "
                                                "fewer than all pairs of nodes)",
                                                "routed distances: this network has no routing algorithm"));
  EXPECT_EQ(large.cost(), std::nullopt);
}

TEST(analysis, takes_the_rule_of_the_paper_only_where_none_is_named) {
  topology_options options;
  options.vc_rule = "none_of_these";
  EXPECT_THROW(make_for_analysis("ttn:2,2,0", options), std::invalid_argument);
  EXPECT_EQ(error_of([] { make_for_analysis("torus:0x4", {}); }),
            "topology 'torus:0x4': a dimension of 0 nodes; the least is 1");
}

/// Two classes of VCs are more than one VC has, and three message classes do not divide 16.
TEST(analysis, is_of_networks_with_vcs_enough_whatever_those_of_a_run) {
  topology_options options;
  options.vcs = 1;
  options.message_classes = 3;
  const topology t = make_for_analysis("torus:4x4", options);
  EXPECT_EQ(t.choice.vc_rule, "balanced");
  route_option arrived[routing_function::max_options];
  ASSERT_EQ(t.routing->route({0, t.wiring->local_port(0), 0, 0, 0}, arrived), 1u);
  EXPECT_EQ(arrived[0].vcs, 0xffff);
}

TEST(analysis, counts_ports_and_wires) {
  const wiring_counts mesh = count_wiring(*make_topology("mesh:3x3").wiring);
  EXPECT_EQ(mesh.degree_min, 2u);
  EXPECT_EQ(mesh.degree_max, 4u);
  EXPECT_EQ(mesh.links, 12u);
  EXPECT_EQ(mesh.directed_links, 24u);
  EXPECT_EQ(mesh.total_length, 12u);
  const wiring_counts one_way = count_wiring(*make_topology("ucube:4,2").wiring);
  EXPECT_EQ(one_way.degree_max, 4u) << "two ports that send, two that receive";
  const wiring_counts butterfly = count_wiring(*make_topology("butterfly:2,3").wiring);
  EXPECT_EQ(butterfly.degree_max, 4u) << "two ports that send to others than they receive from";
  EXPECT_EQ(butterfly.degree_min, 2u);
  EXPECT_EQ(one_way.links, 32u);
  EXPECT_EQ(one_way.directed_links, 32u);
  for (const char* spec : {"ttn:2,2,2", "torus:4x2", "mesh:2x5"})
    for (const char* links : {"U", "B"}) {
      const topology t = with_links(spec, links);
      EXPECT_EQ(count_wiring(*t.wiring).links, physical_links(*t.wiring)) << spec << links;
    }
  const wiring_counts crossbar = count_wiring(*make_topology("crossbar:4").wiring);
  EXPECT_EQ(crossbar.degree_min + crossbar.degree_max, 0u);
  EXPECT_EQ(crossbar.links + crossbar.directed_links + crossbar.total_length, 0u);
  EXPECT_EQ(crossbar.longest, 0u);
  EXPECT_TRUE(crossbar.has_lengths);
  for (const char* spec : {"fattree:2,2", "chiplets:fattree:2,2+mesh:2x2", "chiplets:mesh:2x2+fattree:2,2"})
    EXPECT_FALSE(count_wiring(*make_topology(spec).wiring).has_lengths) << spec;
  // Rahman et al. 2009, Sect. 4.7: 3 in a BM, 12 at Level 2, 48 at Level 3.
  EXPECT_EQ(count_wiring(*make_topology("ttn:2,2,0").wiring).longest, 12u);
  EXPECT_EQ(count_wiring(*make_topology("ttn:2,3,0").wiring).longest, 48u);
}

TEST(path_diversity, of_one_node_is_none) {
  netlist one("one", {1}, {{"node", 1}});
  one.add_node(std::vector<std::string_view>{});
  const path_diversity d = count_shortest_paths(one, digit_rotations(one));
  EXPECT_EQ(d.mean, 0);
  EXPECT_EQ(d.max, 0);
}

/// 0 twice to 1 to 2: 2, 2 and 1 paths, and three pairs without any.
TEST(path_diversity, counts_parallel_links_each_and_pairs_without_a_path) {
  const topology line = one_way_line(false, true);
  const path_diversity d = count_shortest_paths(*line.wiring, digit_rotations(*line.wiring));
  EXPECT_DOUBLE_EQ(d.mean, 5. / 6);
  EXPECT_EQ(d.max, 2);
}

/// Two terminals at each of two lower switches, two switches above them: one way to the neighbour, two to the others.
TEST(path_diversity, of_routes_between_terminals) {
  topology_options options;
  options.routing = "adaptive";
  const std::optional<path_diversity> tree = analyse(make_topology("fattree:2,2", options), 4).routes;
  ASSERT_TRUE(tree);
  EXPECT_DOUBLE_EQ(tree->mean, 5. / 3);
  EXPECT_EQ(tree->max, 2);
  // Of 8 terminals at 12 switches 7 are others: one at the same switch, two over two ways, four over four.
  const std::optional<path_diversity> higher = analyse(make_topology("fattree:2,3", options), 4).routes;
  ASSERT_TRUE(higher);
  EXPECT_DOUBLE_EQ(higher->mean, (1 + 2 * 2 + 4 * 4) / 7.);
  EXPECT_EQ(higher->max, 4);
  const std::optional<path_diversity> mesh = analyse(make_topology("mesh:3x3"), 4).routes;
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->mean, 1);
  EXPECT_EQ(mesh->max, 1);
}

TEST(path_diversity, of_meshes_by_binomials) {
  const auto net_wiring = make_topology("mesh:4x4").wiring;
  const netlist& net = *net_wiring;
  double sum = 0;
  double most = 0;
  const auto choose = [](unsigned n, unsigned k) {
    return std::round(std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)));
  };
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b) {
      if (a == b) continue;
      const auto dx = static_cast<unsigned>(std::abs(a % 4 - b % 4));
      const auto dy = static_cast<unsigned>(std::abs(a / 4 - b / 4));
      sum += choose(dx + dy, dx);
      most = std::max(most, choose(dx + dy, dx));
    }
  const path_diversity d = count_shortest_paths(net, digit_rotations(net));
  EXPECT_DOUBLE_EQ(d.mean, sum / 240);
  EXPECT_EQ(d.max, most);
  // A port counts once, in whichever VCs: adaptive routing goes all shortest ways, and no other.
  topology_options options;
  options.routing = "adaptive";
  const std::optional<path_diversity> routes = analyse(make_topology("mesh:4x4", options), 4).routes;
  ASSERT_TRUE(routes);
  EXPECT_DOUBLE_EQ(routes->mean, sum / 240);
  EXPECT_EQ(routes->max, most);
  // A hypercube: d! paths over distance d. Mean over 4 dimensions: (4*1 + 6*2 + 4*6 + 1*24) / 15.
  const auto cube_wiring = make_topology("cube:2,4").wiring;
  const netlist& cube = *cube_wiring;
  EXPECT_DOUBLE_EQ(count_shortest_paths(cube, digit_rotations(cube)).mean, 64.0 / 15);
}

}  // namespace
}  // namespace toriscope
