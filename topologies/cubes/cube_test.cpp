// SPDX-License-Identifier: Apache-2.0
#include "topologies/cubes/cube.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "topologies/bfs_oracle.h"
#include "topologies/cubes/behind_test.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using testing::ElementsAre;

std::vector<std::string> port_names(const netlist& net, node_id node) {
  std::vector<std::string> names;
  for (port_id p = 0; p < net.ports(node).size(); ++p) names.push_back(net.port_name(node, p));
  return names;
}

TEST(cube, a_mesh_has_borders) {
  const auto net = build_cube({"mesh", {3, 4}, false, false});
  EXPECT_EQ(net->name(), "mesh");
  EXPECT_EQ(net->node_count(), 12u);
  EXPECT_EQ(net->links().size(), 2u * (3 * 3 + 4 * 2));
  EXPECT_THAT(port_names(*net, net->node_at({0, 0})), ElementsAre("x+", "y+"));
  EXPECT_THAT(port_names(*net, net->node_at({1, 1})), ElementsAre("x+", "x-", "y+", "y-"));
  EXPECT_THAT(port_names(*net, net->node_at({2, 3})), ElementsAre("x-", "y-"));
  EXPECT_EQ(behind(*net, net->node_at({1, 1}), "y+"), net->node_at({2, 1}));
  EXPECT_EQ(behind(*net, net->node_at({1, 1}), "x-"), net->node_at({1, 0}));
  EXPECT_EQ(net->path(net->node_at({2, 3})), "node_2_3");
}

TEST(cube, a_torus_wraps) {
  const auto net = build_cube({"torus", {3, 5}, true, false});
  EXPECT_EQ(net->links().size(), 60u);
  for (node_id node = 0; node < 15; ++node) {
    const auto digits = net->digits(node);
    EXPECT_THAT(port_names(*net, node), ElementsAre("x+", "x-", "y+", "y-"));
    EXPECT_EQ(behind(*net, node, "x+"), net->node_at({digits[0], (digits[1] + 1) % 5}));
    EXPECT_EQ(behind(*net, node, "x-"), net->node_at({digits[0], (digits[1] + 4) % 5}));
    EXPECT_EQ(behind(*net, node, "y+"), net->node_at({(digits[0] + 1) % 3, digits[1]}));
    EXPECT_EQ(behind(*net, node, "y-"), net->node_at({(digits[0] + 2) % 3, digits[1]}));
  }
}

TEST(cube, a_full_duplex_link_has_both_sides_on_the_same_two_ports) {
  for (const cube_shape& shape :
       {cube_shape{"torus", {3, 5}, true, false}, cube_shape{"mesh", {4, 3, 2}, false, false},
        cube_shape{"torus", {2, 2, 3}, true, false}}) {
    const auto net = build_cube(shape);
    for (const netlist_link& wire : net->links()) {
      const link_id back = net->ports(wire.to)[wire.to_port].out;
      ASSERT_NE(back, no_link);
      EXPECT_EQ(net->link(back).to, wire.from);
      EXPECT_EQ(net->link(back).to_port, wire.from_port);
      const std::string& there = net->port_name(wire.from, wire.from_port);
      const std::string& here = net->port_name(wire.to, wire.to_port);
      EXPECT_EQ(there.substr(0, there.size() - 1), here.substr(0, here.size() - 1));
      EXPECT_NE(there.back(), here.back()) << "+ leads to -";
    }
  }
}

// The decision for k = 2 (cube.h): one full-duplex link, x+ at 0 and x- at 1.
TEST(cube, a_ring_of_two_is_one_link) {
  const auto net = build_cube({"torus", {2}, true, false});
  EXPECT_EQ(net->links().size(), 2u);
  EXPECT_THAT(port_names(*net, 0), ElementsAre("x+"));
  EXPECT_THAT(port_names(*net, 1), ElementsAre("x-"));
  EXPECT_EQ(behind(*net, 0, "x+"), 1u);
  EXPECT_EQ(behind(*net, 1, "x-"), 0u);
  const auto binary = build_cube({"cube", std::vector<unsigned>(10, 2), true, false});
  EXPECT_EQ(binary->links().size(), 10u * 1024u);
  for (node_id node = 0; node < 1024; ++node) {
    EXPECT_EQ(binary->ports(node).size(), 10u);
    for (const netlist_port& port : binary->ports(node))
      EXPECT_EQ(__builtin_popcount(binary->link(port.out).to ^ node), 1);
  }
}

TEST(cube, a_unidirectional_ring_of_two_is_the_same_link) {
  const auto both = build_cube({"cube", {2, 2, 2}, true, false});
  const auto one = build_cube({"cube", {2, 2, 2}, true, true});
  ASSERT_EQ(both->links().size(), one->links().size());
  for (link_id l = 0; l < both->links().size(); ++l) {
    EXPECT_EQ(both->link(l).from, one->link(l).from);
    EXPECT_EQ(both->link(l).to, one->link(l).to);
    EXPECT_EQ(both->link(l).from_port, one->link(l).from_port);
  }
}

TEST(cube, a_dimension_of_one_has_no_link) {
  const auto net = build_cube({"torus", {1, 4, 1}, true, false});
  EXPECT_EQ(net->links().size(), 8u);
  for (node_id node = 0; node < 4; ++node) EXPECT_THAT(port_names(*net, node), ElementsAre("y+", "y-"));
}

TEST(cube, one_way_links) {
  const auto net = build_cube({"ucube", {3, 3}, true, true});
  EXPECT_EQ(net->links().size(), 18u);
  for (node_id node = 0; node < 9; ++node) {
    EXPECT_THAT(port_names(*net, node), ElementsAre("x+", "x-", "y+", "y-"));
    for (port_id p = 0; p < 4; ++p) {
      EXPECT_EQ(net->ports(node)[p].out != no_link, p % 2 == 0) << "+ sends";
      EXPECT_EQ(net->ports(node)[p].in != no_link, p % 2 == 1) << "- receives";
    }
  }
  EXPECT_EQ(behind(*net, net->node_at({1, 2}), "x+"), net->node_at({1, 0}));
}

TEST(cube, dimensions_by_name) {
  EXPECT_EQ(dimension_name(0), "x");
  EXPECT_EQ(dimension_name(2), "z");
  EXPECT_EQ(dimension_name(3), "d3");
  const auto net = build_cube({"cube", {3, 3, 3, 3, 3}, true, false});
  EXPECT_THAT(port_names(*net, 0),
              ElementsAre("x+", "x-", "y+", "y-", "z+", "z-", "d3+", "d3-", "d4+", "d4-"));
  EXPECT_EQ(behind(*net, 0, "d4+"), 81u) << "the first digit is the highest dimension";
}

TEST(cube, lengths_in_a_plane) {
  const auto net = build_cube({"torus", {4, 4, 8}, true, false});  // z y x
  std::map<std::string, std::map<unsigned, unsigned>> links;       // by dimension: length, how many
  for (const netlist_link& wire : net->links())
    ++links[net->port_name(wire.from, wire.from_port).substr(0, 1)][wire.length];
  using counts = std::map<unsigned, unsigned>;
  EXPECT_EQ(links["x"], (counts{{1, 2 * 7 * 16}, {7, 2 * 16}}));
  EXPECT_EQ(links["y"], (counts{{1, 2 * 3 * 32}, {3, 2 * 32}}));
  EXPECT_EQ(links["z"], (counts{{8, 2 * 3 * 32}, {24, 2 * 32}})) << "z lies along x, a plane apart";
}

// Distances in closed form against the wires.
TEST(cube, distances_are_those_of_rings_and_rows) {
  for (const cube_shape& shape :
       {cube_shape{"mesh", {4, 5}, false, false}, cube_shape{"torus", {4, 5}, true, false},
        cube_shape{"torus", {2, 1, 3, 4}, true, false}, cube_shape{"ucube", {4, 4, 4}, true, true},
        cube_shape{"ucube", {2, 3}, true, true}}) {
    const auto net = build_cube(shape);
    for (node_id source = 0; source < net->node_count(); ++source) {
      const std::vector<unsigned> found = bfs_distances(*net, source);
      const auto s = net->digits(source);
      for (node_id destination = 0; destination < net->node_count(); ++destination) {
        const auto d = net->digits(destination);
        unsigned expected = 0;
        for (std::size_t i = 0; i < s.size(); ++i) {
          const unsigned k = shape.radices[i];
          const unsigned forth = (d[i] + k - s[i]) % k;
          const unsigned back = (s[i] + k - d[i]) % k;
          if (!shape.wrap)
            expected += std::max(s[i], d[i]) - std::min(s[i], d[i]);
          else
            expected += shape.unidirectional ? forth : std::min(forth, back);
        }
        EXPECT_EQ(found[destination], expected) << net->address(source) << " " << net->address(destination);
      }
    }
  }
}

TEST(cube, arc_connectivity) {
  EXPECT_EQ(arc_connectivity(*build_cube({"mesh", {4, 4}, false, false})), 2u);
  EXPECT_EQ(arc_connectivity(*build_cube({"torus", {4, 4}, true, false})), 4u);
  EXPECT_EQ(arc_connectivity(*build_cube({"cube", {2, 2, 2, 2}, true, false})), 4u);
}

TEST(cube, is_named_without_leading_zeros) {
  for (const char* spec : {"cube:4,1", "cube:3,2", "ucube:5,1", "ring:7", "hypercube:1", "torus:2x3x4"})
    EXPECT_EQ(make_topology(spec).choice.spec, spec);
  EXPECT_EQ(make_topology("cube:04,01").choice.spec, "cube:4,1");
}

TEST(cube, says_whether_its_links_go_both_ways) {
  for (const char* spec : {"mesh:2x3", "torus:3x3", "cube:3,2", "ring:5", "hypercube:3", "ccc:3"})
    EXPECT_EQ(make_topology(spec).choice.links, "B") << spec;
  EXPECT_EQ(make_topology("ucube:3,2").choice.links, "U");
}

TEST(cube, a_hypercube_is_a_binary_cube_by_another_name) {
  const topology hypercube = make_topology("hypercube:5");
  const topology cube = make_topology("cube:2,5");
  EXPECT_EQ(hypercube.wiring->name(), "hypercube");
  EXPECT_EQ(hypercube.choice.spec, "hypercube:5");
  EXPECT_EQ(hypercube.choice.ties, "");
  EXPECT_EQ(hypercube.choice.vc_rule, "single");
  ASSERT_EQ(hypercube.wiring->links().size(), cube.wiring->links().size());
  for (link_id l = 0; l < cube.wiring->links().size(); ++l) {
    EXPECT_EQ(hypercube.wiring->link(l).from, cube.wiring->link(l).from);
    EXPECT_EQ(hypercube.wiring->link(l).to, cube.wiring->link(l).to);
    EXPECT_EQ(__builtin_popcount(cube.wiring->link(l).from ^ cube.wiring->link(l).to), 1);
  }
}

TEST(cmesh, has_as_many_terminals_at_a_router_as_there_are_ports) {
  EXPECT_EQ(make_topology("cmesh:3x3,27").wiring->terminal_count(), 9u * 27);
  EXPECT_THAT([] { make_topology("cmesh:3x3,28"); },
              testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr(
                  "28 terminals at a router of 4 links; all ports together are at most 31")));
}

}  // namespace
}  // namespace toriscope
