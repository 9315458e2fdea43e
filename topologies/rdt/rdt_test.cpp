// SPDX-License-Identifier: Apache-2.0
// Wiring of the RDT, judged by coordinates alone; distances against an independent exhaustive search; files
// of assignments.
#include "topologies/rdt/rdt.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "base/test_file.h"
#include "topologies/bfs_oracle.h"
#include "topologies/path.h"
#include "topologies/rdt/rdt_assignment_file.h"
#include "topologies/rdt/rdt_test_shapes.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Ranks by class as Sect. 2.2 and 3 of the paper print them.
unsigned printed_rank(const std::string& assignment, unsigned x, unsigned y) {
  static const std::map<std::string, std::map<unsigned, std::set<std::pair<unsigned, unsigned>>>> printed{
      {"alpha", {{1, {{1, 0}, {3, 1}}}, {2, {{0, 0}, {2, 1}}}, {3, {{1, 1}, {3, 0}}}, {4, {{0, 1}, {2, 0}}}}},
      {"beta", {{1, {{1, 0}, {2, 1}, {0, 1}}}, {2, {{0, 0}, {3, 1}, {1, 1}}}, {3, {{3, 0}}}, {4, {{2, 0}}}}}};
  const unsigned b = y % 2;
  const unsigned a = (x + 2 * ((y - b) / 2)) % 4;
  for (const auto& [rank, classes] : printed.at(assignment))
    if (classes.count({a, b})) return rank;
  return 0;
}

/// The other end of each link of a node, by the vectors of the ranks; each neighbour of a rank once, none
/// that is the node itself.
std::multiset<node_id> expected_neighbours(const std::string& assignment, unsigned size, unsigned x,
                                           unsigned y) {
  static const std::vector<std::pair<int, int>> vectors[] = {
      {{1, 0}, {0, 1}}, {{2, 2}, {2, -2}}, {{8, 0}, {0, 8}}, {{16, 16}, {16, -16}}, {{64, 0}, {0, 64}}};
  std::multiset<node_id> result;
  for (unsigned rank = 0; rank <= 4; ++rank) {
    if (rank > 0 && assignment != "perfect" && printed_rank(assignment, x, y) != rank) continue;
    std::set<node_id> of_rank;
    for (const auto& [dx, dy] : vectors[rank])
      for (const int sign : {1, -1})
        of_rank.insert((y + 1024 + sign * dy) % size * size + (x + 1024 + sign * dx) % size);
    of_rank.erase(y * size + x);
    result.insert(of_rank.begin(), of_rank.end());
  }
  return result;
}

TEST(rdt, links_by_coordinates) {
  for (const std::string assignment : {"alpha", "beta", "perfect"})
    for (const unsigned size : {16u, 32u, 64u, 128u}) {
      const auto net = build_rdt(shape_of(assignment, size));
      ASSERT_EQ(net->node_count(), size * size);
      for (node_id node = 0; node < net->node_count(); ++node) {
        std::multiset<node_id> found;
        for (const netlist_port& port : net->ports(node)) {
          const netlist_link& out = net->link(port.out);
          const netlist_link& in = net->link(port.in);
          ASSERT_EQ(out.to, in.from) << "full duplex";
          ASSERT_EQ(out.to_port, in.from_port);
          found.insert(out.to);
        }
        ASSERT_EQ(found, expected_neighbours(assignment, size, node % size, node / size))
            << assignment << " " << size << " " << net->address(node);
      }
    }
}

std::vector<std::string> ports_of(const netlist& net, const std::vector<unsigned>& address) {
  std::vector<std::string> names;
  const node_id node = net.node_at(address);
  for (port_id p = 0; p < net.local_port(node); ++p) names.push_back(net.port_name(node, p));
  return names;
}

// Addresses are (y, x).
TEST(rdt, ports_have_the_names_of_rank_and_direction) {
  const auto net = build_rdt(shape_of("alpha", 64));
  EXPECT_THAT(ports_of(*net, {0, 0}),
              ElementsAre("x+", "x-", "y+", "y-", "r2_h+", "r2_h-", "r2_v+", "r2_v-"));
  EXPECT_THAT(ports_of(*net, {0, 1}),
              ElementsAre("x+", "x-", "y+", "y-", "r1_h+", "r1_h-", "r1_v+", "r1_v-"));
  EXPECT_THAT(ports_of(*net, {0, 2}), ElementsAre("x+", "x-", "y+", "y-")) << "rank 4";
  const auto to = [&](const std::vector<unsigned>& address, const std::string& port) {
    const node_id from = net->node_at(address);
    const netlist_link& wire = net->link(net->ports(from)[net->port_named(from, port)].out);
    return net->address(wire.to) + " " + net->port_name(wire.to, wire.to_port);
  };
  EXPECT_EQ(to({0, 1}, "r1_h+"), "2_3 r1_h-");
  EXPECT_EQ(to({0, 1}, "r1_v+"), "62_3 r1_v-");
  EXPECT_EQ(to({0, 1}, "r1_v-"), "2_63 r1_v+");
  EXPECT_EQ(to({0, 0}, "r2_v+"), "8_0 r2_v-");
  EXPECT_EQ(to({0, 3}, "r3_h-"), "48_51 r3_h+");
  EXPECT_EQ(to({63, 0}, "y+"), "0_0 y-");
}

// Ranks that are large for the base: ways to the same neighbour are one link, ways to the node itself none.
TEST(rdt, small_bases) {
  const auto n32 = build_rdt(shape_of("alpha", 32));
  EXPECT_THAT(ports_of(*n32, {0, 3}), ElementsAre("x+", "x-", "y+", "y-", "r3_h+"));
  EXPECT_THAT(ports_of(*n32, {0, 19}), ElementsAre("x+", "x-", "y+", "y-", "r3_h-"));
  EXPECT_THAT(ports_of(*n32, {0, 2}), ElementsAre("x+", "x-", "y+", "y-")) << "rank 4";
  const auto n16 = build_rdt(shape_of("alpha", 16));
  EXPECT_THAT(ports_of(*n16, {0, 0}), ElementsAre("x+", "x-", "y+", "y-", "r2_h+", "r2_v+"));
  EXPECT_THAT(ports_of(*n16, {0, 3}), ElementsAre("x+", "x-", "y+", "y-")) << "rank 3";
  const auto n128 = build_rdt(shape_of("alpha", 128));
  EXPECT_THAT(ports_of(*n128, {64, 2}), ElementsAre("x+", "x-", "y+", "y-", "r4_h+", "r4_v-"));
  EXPECT_EQ(build_rdt(shape_of("perfect", 32))->ports(0).size(), 4u + 4 + 4 + 1);
  EXPECT_EQ(build_rdt(shape_of("perfect", 256))->ports(0).size(), 4u * 5);
}

// Links: 2 per node of the base torus; a rank with 4 ports adds 2 per node that has it, with 2 ports 1, with
// 1 port 1/2.
TEST(rdt, counts_of_links) {
  EXPECT_EQ(physical_links(*build_rdt(shape_of("alpha", 32))), 2048u + 2 * 256 + 2 * 256 + 128);
  EXPECT_EQ(physical_links(*build_rdt(shape_of("beta", 32))), 2048u + 2 * 384 + 2 * 384 + 64);
  EXPECT_EQ(physical_links(*build_rdt(shape_of("alpha", 64))), 8192u + 3 * 2 * 1024);
  EXPECT_EQ(physical_links(*build_rdt(shape_of("alpha", 128))), 32768u + 3 * 2 * 4096 + 4096);
  EXPECT_EQ(physical_links(*build_rdt(shape_of("perfect", 64))), 4096u * 2 * 4);
}

TEST(rdt, lengths_and_levels) {
  const auto net = build_rdt(shape_of("perfect", 64));
  for (const netlist_link& wire : net->links()) {
    const auto distance = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
    ASSERT_EQ(wire.length, distance(wire.from % 64, wire.to % 64) + distance(wire.from / 64, wire.to / 64));
    ASSERT_EQ(wire.level, wire.from_port / 4 + 1u);
  }
}

struct distances {
  unsigned diameter = 0;
  double mean_all = 0;
};

/// From one node of each class: all nodes of a class see the same network.
distances measure(const netlist& net) {
  const unsigned size = net.radices()[0];
  distances result;
  for (unsigned y = 6; y < 8; ++y)
    for (unsigned x = 5; x < 9; ++x)
      for (const unsigned d : bfs_distances(net, y * size + x)) {
        result.diameter = std::max(result.diameter, d);
        result.mean_all += d / (8.0 * size * size);
      }
  return result;
}

// The paper's Table 2 prints 9 / 4.73, 9 / 4.57, 10 / 5.81, 10 / 5.85, 12 / 7.16, 12 / 7.35: between the
// shortest paths, which these are, and the routes; no definition tried gives the printed means.
TEST(rdt, shortest_paths) {
  struct golden {
    const char* assignment;
    unsigned size;
    unsigned diameter;
    double mean_all;
  };
  for (const golden& row :
       {golden{"alpha", 16, 6, 3.7959}, golden{"beta", 16, 6, 3.4541}, golden{"alpha", 32, 7, 4.7100},
        golden{"beta", 32, 6, 4.3933}, golden{"alpha", 64, 9, 5.6456}, golden{"beta", 64, 8, 5.5651},
        golden{"alpha", 128, 10, 6.6113}, golden{"beta", 128, 10, 6.6857}}) {
    const distances found = measure(*build_rdt(shape_of(row.assignment, row.size)));
    EXPECT_EQ(found.diameter, row.diameter) << row.assignment << " " << row.size;
    EXPECT_NEAR(found.mean_all, row.mean_all, 0.00005) << row.assignment << " " << row.size;
  }
}

TEST(rdt, all_nodes_of_a_class_see_the_same_network) {
  const auto net = build_rdt(shape_of("beta", 32));
  double total = 0;
  for (node_id node = 0; node < net->node_count(); ++node)
    for (const unsigned d : bfs_distances(*net, node)) total += d;
  EXPECT_NEAR(total / (1024.0 * 1024.0), measure(*net).mean_all, 1e-9);
}

TEST(rdt, arc_connectivity_is_the_least_degree) {
  EXPECT_EQ(arc_connectivity(*build_rdt(shape_of("alpha", 32))), 4u);
  EXPECT_EQ(arc_connectivity(*build_rdt(shape_of("perfect", 16))), 10u);
}

class assignment_file : public testing::Test {
 protected:
  std::string path_ = test_file("rdt_assignment.json");

  const std::string& write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  std::string refusal(const std::string& spec, const std::string& routing = "") {
    try {
      topology_options options;
      options.routing = routing;
      make_topology(spec, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(assignment_file, gives_the_network_of_the_name) {
  write(
      R"({"class_ranks": {"0,0": 2, "1,0": 1, "2,0": 4, "3,0": 3, "0,1": 1, "1,1": 2, "2,1": 1, "3,1": 2}})");
  EXPECT_EQ(read_rdt_assignment(path_), rdt_beta());
  const topology made = make_topology("rdt:" + path_ + ",32");
  EXPECT_EQ(made.choice.spec, "rdt:" + path_ + ",32");
  const topology beta = make_topology("rdt:beta,32");
  ASSERT_EQ(made.wiring->links().size(), beta.wiring->links().size());
  for (link_id l = 0; l < beta.wiring->links().size(); ++l)
    ASSERT_EQ(made.wiring->link(l).to, beta.wiring->link(l).to);
}

TEST_F(assignment_file, is_refused_in_one_line) {
  const std::string head = "topology 'rdt:" + path_ + ",32': " + path_ + ": ";
  const auto says = [&](const std::string& text) { return refusal("rdt:" + write(text) + ",32"); };
  EXPECT_THAT(says("{"), testing::EndsWith(path_ + ":1: the JSON ends too early"));
  EXPECT_EQ(says("[1]"), head + R"(expected one object, {"class_ranks": {"0,0": 2, ... "3,1": 1}})");
  const std::string ranks =
      R"("class_ranks": {"0,0": 2, "1,0": 1, "2,0": 4, "3,0": 3, "0,1": 1, "1,1": 2, "2,1": 1, "3,1": 2})";
  EXPECT_EQ(says("{" + ranks + "}"), "");
  for (const std::string& other :
       {"{" + ranks + R"(, "name": "mine"})", std::string(R"({"ranks": {}})"), std::string(R"({"class_ranks": 3})")})
    EXPECT_EQ(says(other), head + R"(expected one object, {"class_ranks": {"0,0": 2, ... "3,1": 1}})") << other;
  EXPECT_EQ(says(R"({"class_ranks": {"4,0": 1}})"),
            head + R"(class_ranks: class "4,0" is not one of the eight, "a,b" with a = 0..3 and b = 0..1)");
  EXPECT_EQ(says(R"({"class_ranks": {"0,0": 1}})"), head + "class_ranks: '1,0' is missing");
  EXPECT_EQ(says(R"({"class_ranks": {"0,0": 5}})"),
            head + "class_ranks.0,0: expected a whole number from 0 to 4, not 5");
  EXPECT_EQ(refusal("rdt:gamma,32"),
            "topology 'rdt:gamma,32': 'gamma' is none of alpha, beta, perfect, and no file that can be read");
}

TEST(rdt_class, is_named_by_its_place_in_a_block) {
  std::string names;
  for (unsigned number = 0; number < rdt_classes; ++number) names += rdt_class_name(number);
  EXPECT_EQ(names, "(0,0)(1,0)(2,0)(3,0)(0,1)(1,1)(2,1)(3,1)");
}

TEST_F(assignment_file, that_leaves_no_way_is_refused) {
  write(
      R"({"class_ranks": {"0,0": 1, "1,0": 1, "2,0": 3, "3,0": 3, "0,1": 1, "1,1": 1, "2,1": 3, "3,1": 3}})");
  EXPECT_THAT(refusal("rdt:" + path_ + ",64"),
              HasSubstr("no class has rank 2, which the reduction of vectors needs"));
  write(
      R"({"class_ranks": {"0,0": 1, "1,0": 1, "2,0": 1, "3,0": 1, "0,1": 1, "1,1": 1, "2,1": 1, "3,1": 2}})");
  EXPECT_THAT(refusal("rdt:" + path_ + ",64", "floating3"),
              HasSubstr("no float of floating3 leads from nodes of class (0,0) to nodes of rank 2"));
  write(
      R"({"class_ranks": {"0,0": 1, "1,0": 1, "2,0": 1, "3,0": 1, "0,1": 0, "1,1": 0, "2,1": 0, "3,1": 0}})");
  EXPECT_EQ(refusal("rdt:" + path_ + ",64"), "") << "with rank 1 alone there is a way";
}

TEST_F(assignment_file, of_rank_1_everywhere_needs_no_floats) {
  write(
      R"({"class_ranks": {"0,0": 1, "1,0": 1, "2,0": 1, "3,0": 1, "0,1": 1, "1,1": 1, "2,1": 1, "3,1": 1}})");
  for (const char* method : {"floating3", "floating4"}) {
    topology_options options;
    options.routing = method;
    const topology made = make_topology("rdt:" + path_ + ",16", options);
    EXPECT_EQ(made.routing->options_at_most(), 1U) << method;
    // 6 in x and in y are three hops of (2,2).
    EXPECT_EQ(routed_distance(*made.wiring, *made.routing, 0, 6 * 16 + 6, 4), 3U) << method;
  }
}

TEST(rdt, has_five_sizes) {
  for (const unsigned size : {16, 32, 64, 128, 256})
    EXPECT_EQ(make_topology("rdt:alpha," + std::to_string(size)).wiring->node_count(), size * size);
}

TEST(rdt, specs_and_rules_are_refused_in_one_line) {
  const auto refusal = [](const std::string& spec, const std::string& routing, const std::string& rule,
                          unsigned vcs = 4) -> std::string {
    try {
      topology_options options;
      options.routing = routing;
      options.vc_rule = rule;
      options.vcs = vcs;
      make_topology(spec, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("rdt:alpha", "", "safe"),
            "topology 'rdt:alpha': expected an assignment (alpha, beta, perfect or a file) and a size N: "
            "rdt:alpha,32");
  EXPECT_EQ(refusal("rdt:alpha,48", "", "safe"),
            "topology 'rdt:alpha,48': N = 48; the base torus is N x N with N = 16, 32, 64, 128 or 256 (up to "
            "2^16 nodes, ranks up to 4)");
  EXPECT_EQ(refusal("rdt:alpha,32", "vector", "safe"),
            "topology 'rdt:alpha,32': routing vector needs every rank at every node, as rdt:perfect,32 has; "
            "with an assignment: floating3, floating4");
  EXPECT_EQ(refusal("rdt:alpha,32", "floating", "safe"),
            "topology 'rdt:alpha,32': no VC rule free of deadlock is known for routing floating; floating3 "
            "and floating4 have one, and --vc-rule paper is the cyclic rule as printed");
  EXPECT_EQ(refusal("rdt:alpha,32", "floating3", "paper"),
            "topology 'rdt:alpha,32': VC rule 'paper' is not made for routing floating3; it has: safe, "
            "floating3");
  EXPECT_EQ(refusal("rdt:alpha,32", "floating4", "safe", 3),
            "topology 'rdt:alpha,32': VC rule floating4 needs at least 4 VCs, not 3");
  EXPECT_EQ(refusal("rdt:perfect,32", "vector", "safe", 1),
            "topology 'rdt:perfect,32': VC rule dateline needs at least 2 VCs, not 1");
  EXPECT_EQ(refusal("rdt:alpha,32", "floating", "paper"), "");
  EXPECT_EQ(refusal("rdt:perfect,32", "floating", "safe"), "") << "nothing floats";
}

}  // namespace
}  // namespace toriscope
