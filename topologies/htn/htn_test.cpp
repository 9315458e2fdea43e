// SPDX-License-Identifier: Apache-2.0
// The wiring of the hierarchical torus networks against their rules, written down once more by address
// digits, and against the values of independent exhaustive searches.
#include "topologies/htn/htn.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "topologies/bfs_oracle.h"
#include "topologies/htn/htn_test_shapes.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using testing::ElementsAre;

TEST(htn, says_of_which_networks_its_vc_rules_were_proven) {
  const auto note = [](const char* spec) { return make_topology(spec).vc_rule_note; };
  EXPECT_THAT(note("htn:4,4,2,1"), testing::StartsWith("acyclic: free of deadlock"));
  EXPECT_THAT(note("htn:4,2,3,0"),
              testing::StartsWith("acyclic in the smaller networks with as many levels"));
}

/// Where the link that leaves by that port comes in: "12.003 L2_X-"; "-" if there is no such port.
std::string far_end(const netlist& net, const std::vector<unsigned>& digits, const std::string& port) {
  const node_id node = net.node_at(digits);
  for (port_id p = 0; p < net.ports(node).size(); ++p)
    if (net.port_name(node, p) == port) {
      const netlist_link& wire = net.link(net.ports(node)[p].out);
      return net.address(wire.to) + " " + net.port_name(wire.to, wire.to_port);
    }
  return "-";
}

std::pair<std::size_t, std::size_t> degrees(const netlist& net) {
  std::pair<std::size_t, std::size_t> least_and_most{99, 0};
  for (node_id node = 0; node < net.node_count(); ++node) {
    least_and_most.first = std::min(least_and_most.first, net.ports(node).size());
    least_and_most.second = std::max(least_and_most.second, net.ports(node).size());
  }
  return least_and_most;
}

struct distances {
  unsigned diameter = 0;
  double mean_all = 0;
};
/// From the nodes of one BM: as all BMs are alike where the rings close, from all of them.
distances shortest(const netlist& net, const htn_shape& shape) {
  distances result;
  std::uint64_t total = 0;
  for (node_id source = 0; source < shape.bm_nodes(); ++source)
    for (const unsigned d : bfs_distances(net, source)) {
      result.diameter = std::max(result.diameter, d);
      total += d;
    }
  result.mean_all = static_cast<double>(total) / shape.bm_nodes() / net.node_count();
  return result;
}

TEST(htn, modules_and_addresses) {
  const auto two = build_htn(htn(4, 4, 2, 0));
  EXPECT_EQ(two->name(), "htn");
  EXPECT_EQ(two->node_count(), 1024u);
  EXPECT_EQ(two->path(two->node_at({1, 2, 0, 3, 1})), "bm_1_2.node_0_3_1");
  const auto three = build_htn(htn(4, 4, 3, 0));
  EXPECT_EQ(three->path(three->node_at({3, 2, 1, 0, 0, 1, 2})), "L2_3_2.bm_1_0.node_0_1_2");
  EXPECT_EQ(three->address(three->node_at({1, 1, 3, 1, 2, 3, 0})), "11.31.230");
  const auto mh3dt = build_htn({htn_kind::mh3dt, 4, 3, 2, 2});
  EXPECT_EQ(mh3dt->name(), "mh3dt");
  EXPECT_EQ(mh3dt->path(mh3dt->node_at({2, 0, 1, 3, 2, 1})), "bm_2_0_1.node_3_2_1");
}

TEST(htn, the_basic_module_is_a_torus_or_a_mesh) {
  for (const htn_shape& shape :
       {htn(4, 2, 2, 1), htn(3, 2, 2, 1), htn(5, 2, 2, 0), htn_shape{htn_kind::mh3dt, 4, 2, 2, 2},
        htn_shape{htn_kind::h3dt, 4, 2, 2, 0}}) {
    const auto net = build_htn(shape);
    for (node_id node = 0; node < net->node_count(); ++node) {
      const auto here = net->digits(node);
      for (unsigned d = 0; d < 3; ++d) {
        auto there = here;
        unsigned& digit = there[there.size() - 1 - d];
        const bool wraps = digit + 1 == shape.m;
        digit = (digit + 1) % shape.m;
        const std::string name(1, "xyz"[d]);
        const bool exists = shape.torus_bm() || !wraps;
        EXPECT_EQ(far_end(*net, here, name + "+"),
                  exists ? net->address(net->node_at(there)) + " " + name + "-" : "-");
        if (exists) {
          EXPECT_EQ(far_end(*net, there, name + "-"), net->address(node) + " " + name + "+");
        }
      }
    }
  }
}

// Level l owns the z-planes (l-2) 2^q .. (l-1) 2^q - 1.
TEST(htn, gates) {
  for (const htn_shape& shape : {htn(4, 4, 2, 0), htn(4, 4, 2, 1), htn(4, 4, 2, 2), htn(4, 2, 3, 1),
                                 htn(2, 3, 2, 1), htn(3, 2, 3, 0)}) {
    const auto net = build_htn(shape);
    const unsigned m = shape.m;
    for (node_id node = 0; node < net->node_count(); ++node) {
      const auto here = net->digits(node);
      const std::size_t bm = here.size() - 3;
      for (unsigned level = 2; level <= shape.levels; ++level) {
        const bool own =
            here[bm] >= (level - 2) << shape.connectivity && here[bm] < (level - 1) << shape.connectivity;
        const std::size_t y_digit = bm - 2 * (level - 1);
        for (const bool y : {true, false}) {
          auto there = here;
          unsigned& subnet = there[y ? y_digit : y_digit + 1];
          subnet = (subnet + 1) % shape.n;
          unsigned& coordinate = there[y ? bm + 1 : bm + 2];
          const bool leaves = own && coordinate == m - 1;
          coordinate = 0;
          const std::string name = "L" + std::to_string(level) + (y ? "_Y" : "_X");
          EXPECT_EQ(far_end(*net, here, name + "+"),
                    leaves ? net->address(net->node_at(there)) + " " + name + "-" : "-");
          if (leaves) {
            EXPECT_EQ(far_end(*net, there, name + "-"), net->address(node) + " " + name + "+");
          }
        }
      }
    }
    // Rahman et al. 2012, Sect. II.A: 4m 2^q ports of a BM for each level, of 4m^2.
    const htn_port_map ports(shape);
    unsigned gates = 0;
    for (unsigned node = 0; node < shape.bm_nodes(); ++node)
      for (const std::string& name : ports.names(node)) gates += name[0] == 'L' ? 1 : 0;
    EXPECT_EQ(gates, (shape.levels - 1) * (4 * m << shape.connectivity));
  }
}

TEST(htn, port_names) {
  const htn_port_map ports(htn(4, 4, 3, 0));
  EXPECT_THAT(ports.names(0), ElementsAre("x+", "x-", "y+", "y-", "z+", "z-", "L2_Y-", "L2_X-"));
  EXPECT_THAT(ports.names(16 + 12 + 3), ElementsAre("x+", "x-", "y+", "y-", "z+", "z-", "L3_Y+", "L3_X+"));
  EXPECT_THAT(ports.names(32), ElementsAre("x+", "x-", "y+", "y-", "z+", "z-"));
}

// Of two nodes in a ring each is the other's only neighbour: one pair of links in the BM. A ring of two BMs
// has two pairs, which join different nodes.
TEST(htn, rings_of_two) {
  const auto net = build_htn(htn(2, 2, 2, 0));
  EXPECT_EQ(net->node_count(), 32u);
  EXPECT_EQ(far_end(*net, {0, 0, 0, 0, 0}, "x+"), "00.001 x-");
  EXPECT_EQ(far_end(*net, {0, 0, 0, 0, 0}, "x-"), "-");
  EXPECT_EQ(far_end(*net, {0, 0, 0, 0, 1}, "L2_X+"), "01.000 L2_X-");
  EXPECT_EQ(far_end(*net, {0, 1, 0, 0, 1}, "L2_X+"), "00.000 L2_X-");
  EXPECT_EQ(physical_links(*net), 4u * 12u + 4u * 2u * 2u);
}

TEST(htn_paper, golden_values) {
  struct row {
    unsigned q, links, diameter;
    double mean;
  };
  for (const row& r : {row{0, 3200, 16, 7.6875}, row{1, 3328, 15, 7.21875}, row{2, 3584, 14, 6.75}}) {
    const htn_shape shape = htn(4, 4, 2, r.q);
    const auto net = build_htn(shape);
    EXPECT_EQ(physical_links(*net), r.links);
    EXPECT_EQ(degrees(*net), (std::pair<std::size_t, std::size_t>{6, 8}));
    EXPECT_EQ(arc_connectivity(*net), 6u);
    const distances d = shortest(*net, shape);
    EXPECT_EQ(d.diameter, r.diameter);
    EXPECT_EQ(d.mean_all, r.mean);
  }
}

TEST(htn, highest_level) {
  EXPECT_EQ(htn_highest_level(4, 0), 5u);
  EXPECT_EQ(htn_highest_level(4, 1), 3u);
  EXPECT_EQ(htn_highest_level(4, 2), 2u);
  EXPECT_EQ(htn_highest_level(3, 0), 3u);
}

// Planes of a BM of 4x4x4 stand in a square of 8x8 pitches.
TEST(htn, lengths) {
  std::set<std::pair<unsigned, unsigned>> found;
  const auto net = build_htn(htn(4, 4, 2, 0));
  for (const netlist_link& wire : net->links()) found.emplace(wire.level, wire.length);
  // z: 4 to the side, 8 from plane 1 to 2 (back and down) and 3 to 0; between BMs 8 - 3, and 3*8 + 3 back.
  EXPECT_THAT(found, ElementsAre(std::pair(1, 1), std::pair(1, 3), std::pair(1, 4), std::pair(1, 8),
                                 std::pair(2, 5), std::pair(2, 27)));
  std::set<std::pair<unsigned, unsigned>> places;
  const htn_shape shape{htn_kind::mh3dt, 4, 3, 2, 2};
  const auto mh3dt = build_htn(shape);
  for (node_id node = 0; node < mh3dt->node_count(); ++node) {
    const plane_position at = place_in_plane(shape, mh3dt->digits(node));
    EXPECT_TRUE(places.emplace(at.x, at.y).second);
    EXPECT_LT(at.x, 48u);
    EXPECT_LT(at.y, 48u);
  }
}

TEST(mh3dt, gates) {
  const auto net = build_htn({htn_kind::mh3dt, 4, 4, 2, 2});
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(far_end(*net, {1, 2, 3, 0, i, 3}, "L2_X+"), "120.0" + std::to_string(i) + "0 L2_X-");
    EXPECT_EQ(far_end(*net, {1, 2, 3, 2, 3, i}, "L2_Y+"), "133.20" + std::to_string(i) + " L2_Y-");
    const unsigned j = i / 2 * 3;
    const unsigned k = i % 2 * 3;
    EXPECT_EQ(far_end(*net, {1, 2, 3, 0, j, k}, "L2_Z+"),
              "223.2" + std::to_string(j) + std::to_string(k) + " L2_Z-");
  }
  for (const unsigned q : {0u, 1u, 2u}) {
    const htn_port_map ports({htn_kind::mh3dt, 4, 4, 2, q});
    unsigned gates = 0;
    for (unsigned node = 0; node < 64; ++node) gates += ports.count(node) - 6;
    EXPECT_EQ(gates, 6u << q);
  }
}

// Rahman et al. 2009, Table 1. It prints 12864 links: 288 BM links for each ... the wrap links between BMs
// (192) are left out.
TEST(mh3dt_paper, table_1) {
  const htn_shape shape{htn_kind::mh3dt, 4, 4, 2, 2};
  const auto net = build_htn(shape);
  EXPECT_EQ(net->node_count(), 4096u);
  EXPECT_EQ(physical_links(*net), 13056u);
  EXPECT_EQ(physical_links(*net) - 3 * 16 * 4, 12864u) << "without the wrap links between BMs";
  EXPECT_EQ(degrees(*net).second, 8u);
  const distances d = shortest(*net, shape);
  EXPECT_EQ(d.diameter, 18u);
  EXPECT_NEAR(d.mean_all, 9.3662, 0.00005);
  std::size_t cut = 0;
  for (const netlist_link& wire : net->links()) cut += (wire.from < 2048) != (wire.to < 2048) ? 1 : 0;
  EXPECT_EQ(cut / 2, 128u);
}

TEST(h3dt, is_the_mh3dt_without_the_wrap_links_of_its_modules) {
  for (const unsigned q : {0u, 1u, 2u}) {
    const auto mesh = build_htn({htn_kind::h3dt, 4, 4, 2, q});
    const auto torus = build_htn({htn_kind::mh3dt, 4, 4, 2, q});
    EXPECT_EQ(physical_links(*torus) - physical_links(*mesh), 64u * 3 * 16);
    EXPECT_EQ(degrees(*mesh), (std::pair<std::size_t, std::size_t>{3, 6}));
  }
}

}  // namespace
}  // namespace toriscope
