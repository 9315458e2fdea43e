// SPDX-License-Identifier: Apache-2.0
// The wiring of TTN, TESH and STTN against the rules of Rahman et al. 2009, Sect. 2, and Al Faisal, Rahman
// 2009, Sect. II, written down once more by address digits.
#include "topologies/ttn/ttn.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "topologies/bfs_oracle.h"

namespace toriscope::ttn_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> port_names(const netlist& net, const std::vector<unsigned>& digits) {
  const node_id node = net.node_at(digits);
  std::vector<std::string> names;
  for (port_id p = 0; p < net.ports(node).size(); ++p) names.push_back(net.port_name(node, p));
  return names;
}

/// Where the link that leaves `node` by that port comes in: "12.03 L2_V_in0"; "-" if there is none.
std::string far_end(const netlist& net, node_id node, const std::string& port) {
  const link_id l = net.ports(node)[net.port_named(node, port)].out;
  if (l == no_link) return "-";
  return net.address(net.link(l).to) + " " + net.port_name(net.link(l).to, net.link(l).to_port);
}

TEST(ttn, modules_and_addresses) {
  const auto two = build_ttn({2, 0, true});
  EXPECT_EQ(two->name(), "ttn");
  EXPECT_EQ(two->path(two->node_at({1, 2, 0, 3})), "bm_1_2.node_0_3");
  const auto four = build_ttn({4, 0, true});
  EXPECT_EQ(four->node_count(), 65536u);
  EXPECT_EQ(four->path(four->node_at({3, 2, 1, 0, 0, 1, 2, 3})), "L3_3_2.L2_1_0.bm_0_1.node_2_3");
  EXPECT_EQ(four->address(four->node_at({3, 2, 1, 0, 0, 1, 2, 3})), "32.10.01.23");
}

TEST(ttn, the_basic_module_is_a_torus) {
  for (const unsigned q : {0u, 1u, 2u}) {
    const auto net = build_ttn({2, q, true});
    for (node_id node = 0; node < net->node_count(); ++node) {
      const auto d = net->digits(node);
      const auto in_bm = [&](unsigned row, unsigned column) {
        return net->address(net->node_at({d[0], d[1], row % 4, column % 4}));
      };
      EXPECT_EQ(far_end(*net, node, "x+"), in_bm(d[2], d[3] + 1) + " x-");
      EXPECT_EQ(far_end(*net, node, "x-"), in_bm(d[2], d[3] + 3) + " x+");
      EXPECT_EQ(far_end(*net, node, "y+"), in_bm(d[2] + 1, d[3]) + " y-");
      EXPECT_EQ(far_end(*net, node, "y-"), in_bm(d[2] + 3, d[3]) + " y+");
    }
  }
}

TEST(tesh, the_basic_module_is_a_mesh) {
  const auto net = build_ttn({2, 0, true, ttn_kind::tesh});
  EXPECT_EQ(net->name(), "tesh");
  for (node_id node = 0; node < net->node_count(); ++node) {
    const auto d = net->digits(node);
    std::vector<std::string> bm_ports;
    for (const std::string& port : port_names(*net, d))
      if (port[0] != 'L') bm_ports.push_back(port);
    std::vector<std::string> expected;
    const auto add = [&](const char* port, const char* back, int row, int column) {
      if (row < 0 || row > 3 || column < 0 || column > 3) return;
      expected.emplace_back(port);
      const auto at = {d[0], d[1], static_cast<unsigned>(row), static_cast<unsigned>(column)};
      EXPECT_EQ(far_end(*net, node, port), net->address(net->node_at(at)) + " " + back);
    };
    const int row = static_cast<int>(d[2]);
    const int column = static_cast<int>(d[3]);
    add("x+", "x-", row, column + 1);
    add("x-", "x+", row, column - 1);
    add("y+", "y-", row + 1, column);
    add("y-", "y+", row - 1, column);
    EXPECT_EQ(bm_ports, expected);
  }
}

TEST(tesh, has_the_gates_of_the_ttn) {
  for (const ttn_shape& shape : {ttn_shape{2, 2, false}, ttn_shape{3, 1, true}, ttn_shape{4, 0, true}}) {
    ttn_shape mesh = shape;
    mesh.kind = ttn_kind::tesh;
    const auto gates = [](const netlist& net) {
      std::set<std::string> all;
      for (node_id node = 0; node < net.node_count(); ++node)
        for (const std::string& port : port_names(net, net.digits(node)))
          if (port[0] == 'L') all.insert(net.address(node) + " " + port + " to " + far_end(net, node, port));
      return all;
    };
    EXPECT_EQ(gates(*build_ttn(mesh)), gates(*build_ttn(shape)));
  }
}

TEST(sttn, each_level_has_a_side) {
  const auto net = build_ttn({5, 0, true, ttn_kind::sttn});
  EXPECT_EQ(net->name(), "sttn");
  std::vector<std::string> sides;
  for (const std::string level : {"L2", "L3", "L4", "L5"})
    for (const std::string gate : {"_V_out0", "_V_in0", "_H_out0", "_H_in0"})
      for (node_id node = 0; node < 16; ++node) {
        const auto names = port_names(*net, net->digits(node));
        if (std::count(names.begin(), names.end(), level + gate) == 1)
          sides.push_back(net->address(node).substr(12));
      }
  EXPECT_THAT(sides, ElementsAre("00", "01", "02", "03",    // Level 2: the top row
                                 "33", "32", "31", "30",    // Level 3: the bottom row
                                 "03", "13", "23", "33",    // Level 4: the right column
                                 "30", "20", "10", "00"));  // Level 5: the left column
  EXPECT_THAT(port_names(*net, net->digits(0)), ElementsAre("x+", "x-", "y+", "y-", "L2_V_out0", "L5_H_in0"));
  EXPECT_EQ(far_end(*net, net->node_at({1, 2, 3, 0, 1, 2, 3, 0, 0, 0}), "L2_V_out0"),
            "12.30.12.00.01 L2_V_in0");
  EXPECT_EQ(far_end(*net, net->node_at({1, 3, 3, 0, 1, 2, 3, 0, 1, 0}), "L5_H_out0"),
            "10.30.12.30.00 L5_H_in0");
}

TEST(ttn, gates_of_level_two) {
  const auto net = build_ttn({2, 0, true});
  EXPECT_THAT(port_names(*net, {1, 2, 0, 0}), ElementsAre("x+", "x-", "y+", "y-", "L2_V_out0", "L2_V_in0"));
  EXPECT_THAT(port_names(*net, {1, 2, 0, 3}), ElementsAre("x+", "x-", "y+", "y-", "L2_H_out0", "L2_H_in0"));
  EXPECT_THAT(port_names(*net, {1, 2, 3, 0}), ElementsAre("x+", "x-", "y+", "y-"));
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 4; ++column) {
      const auto bm = [](unsigned r, unsigned c) { return std::to_string(r % 4) + std::to_string(c % 4); };
      EXPECT_EQ(far_end(*net, net->node_at({row, column, 0, 0}), "L2_V_out0"),
                bm(row + 1, column) + ".00 L2_V_in0");
      EXPECT_EQ(far_end(*net, net->node_at({row, column, 0, 3}), "L2_H_out0"),
                bm(row, column + 1) + ".03 L2_H_in0");
      EXPECT_EQ(far_end(*net, net->node_at({row, column, 0, 0}), "L2_V_in0"), "-") << "one way";
    }
}

TEST(ttn, full_duplex_gates_go_both_ways) {
  const auto net = build_ttn({2, 0, false});
  EXPECT_EQ(far_end(*net, net->node_at({3, 1, 0, 0}), "L2_V_out0"), "01.00 L2_V_in0");
  EXPECT_EQ(far_end(*net, net->node_at({0, 1, 0, 0}), "L2_V_in0"), "31.00 L2_V_out0");
  for (const netlist_link& wire : net->links()) {
    const link_id back = net->ports(wire.to)[wire.to_port].out;
    ASSERT_NE(back, no_link);
    EXPECT_EQ(net->link(back).to, wire.from);
    EXPECT_EQ(net->link(back).to_port, wire.from_port);
    EXPECT_EQ(net->link(back).length, wire.length);
  }
}

TEST(ttn, gates_of_higher_levels_and_groups) {
  const auto five = build_ttn({5, 0, true});
  const auto end = [](const netlist& net, const std::vector<unsigned>& digits, const std::string& port) {
    return far_end(net, net.node_at(digits), port);
  };
  EXPECT_EQ(end(*five, {1, 2, 3, 0, 1, 2, 3, 0, 3, 0}, "L3_V_out0"), "12.30.22.30.30 L3_V_in0");
  EXPECT_EQ(end(*five, {1, 2, 3, 0, 1, 2, 3, 0, 3, 3}, "L3_H_out0"), "12.30.13.30.33 L3_H_in0");
  EXPECT_EQ(end(*five, {1, 2, 3, 0, 1, 2, 3, 0, 0, 2}, "L4_V_out0"), "12.00.12.30.01 L4_V_in0");
  EXPECT_EQ(end(*five, {1, 2, 3, 0, 1, 2, 3, 0, 2, 0}, "L4_H_out0"), "12.31.12.30.10 L4_H_in0");
  EXPECT_EQ(end(*five, {1, 2, 3, 0, 1, 2, 3, 0, 3, 2}, "L5_V_out0"), "22.30.12.30.31 L5_V_in0");
  EXPECT_EQ(end(*five, {1, 2, 3, 0, 1, 2, 3, 0, 2, 3}, "L5_H_out0"), "13.30.12.30.13 L5_H_in0");
  const auto four_groups = build_ttn({2, 2, true});
  EXPECT_EQ(end(*four_groups, {3, 1, 3, 0}, "L2_V_out1"), "01.30 L2_V_in1");
  EXPECT_EQ(end(*four_groups, {3, 1, 0, 2}, "L2_V_out2"), "01.01 L2_V_in2");
  EXPECT_EQ(end(*four_groups, {3, 3, 2, 3}, "L2_H_out3"), "30.13 L2_H_in3");
  const auto two_groups = build_ttn({3, 1, true});
  EXPECT_EQ(end(*two_groups, {3, 1, 0, 0, 0, 2}, "L2_V_out1"), "31.10.01 L2_V_in1");
  EXPECT_EQ(end(*two_groups, {3, 1, 0, 0, 3, 0}, "L3_V_out0"), "01.00.30 L3_V_in0");
  EXPECT_EQ(end(*two_groups, {3, 1, 0, 0, 3, 2}, "L3_V_out1"), "01.00.31 L3_V_in1");
}

// Lemma 1: a BM has 16 free ports; a node at most six links.
TEST(ttn, uses_each_free_port_once) {
  for (const ttn_shape& shape : {ttn_shape{5, 0, true}, ttn_shape{3, 1, true}, ttn_shape{2, 2, false},
                                 ttn_shape{5, 0, true, ttn_kind::sttn}}) {
    const ttn_port_map ports(shape);
    unsigned gates = 0;
    for (unsigned node = 0; node < 16; ++node) {
      const bool row_border = node / 4 == 0 || node / 4 == 3;
      const bool column_border = node % 4 == 0 || node % 4 == 3;
      EXPECT_EQ(ports.count[node], 4u + (row_border ? 1 : 0) + (column_border ? 1 : 0));
      gates += ports.count[node] - 4u;
    }
    EXPECT_EQ(gates, 16u);
  }
}

TEST(ttn, lengths_and_levels) {
  // Rahman et al. 2009, Sect. 4.7: longest wires 3, 12 and 48. Gates of q = 1 and of STTN lie apart by a node or two.
  using lengths = std::set<std::pair<unsigned, unsigned>>;
  const lengths of_ttn = {{1, 1}, {1, 3}, {2, 4}, {2, 12}, {3, 16}, {3, 48}};
  lengths of_q1 = of_ttn;
  of_q1.insert({{2, 5}, {2, 13}, {3, 17}, {3, 49}});
  const lengths of_sttn = {{1, 1}, {1, 3}, {2, 5}, {2, 11}, {2, 13}, {3, 15}, {3, 17}, {3, 49}};
  for (const auto& [shape, expected] :
       {std::pair{ttn_shape{3, 0, true}, of_ttn}, {ttn_shape{3, 1, false}, of_q1},
        {ttn_shape{3, 0, true, ttn_kind::sttn}, of_sttn}}) {
    const auto net = build_ttn(shape);
    lengths found;
    for (const netlist_link& wire : net->links()) {
      found.emplace(wire.level, wire.length);
      const std::string& port = net->port_name(wire.from, wire.from_port);
      EXPECT_EQ(wire.level, port[0] == 'L' ? port[1] - '0' : 1);
    }
    EXPECT_EQ(found, expected);
    // Oracle: along x and y between the addresses, outermost pair of digits first.
    for (const netlist_link& wire : net->links()) {
      const std::vector<unsigned> a = net->digits(wire.from), b = net->digits(wire.to);
      int x = 0, y = 0;
      for (std::size_t i = 0; i < a.size(); i += 2) {
        x = 4 * x + int(a[i]) - int(b[i]);
        y = 4 * y + int(a[i + 1]) - int(b[i + 1]);
      }
      ASSERT_EQ(wire.length, unsigned(std::abs(x) + std::abs(y))) << wire.from << " to " << wire.to;
    }
  }
}

// A TESH has no wrap links in the basic module.
TEST(tesh, lengths_and_levels) {
  std::set<std::pair<unsigned, unsigned>> found;
  const auto net = build_ttn({3, 0, true, ttn_kind::tesh});
  for (const netlist_link& wire : net->links()) found.emplace(wire.level, wire.length);
  EXPECT_THAT(found, ElementsAre(std::pair(1, 1), std::pair(2, 4), std::pair(2, 12), std::pair(3, 16),
                                 std::pair(3, 48)));
}

TEST(ttn, lemma_two) {
  EXPECT_EQ(ttn_highest_level(0), 5u);
  EXPECT_EQ(ttn_highest_level(1), 3u);
  EXPECT_EQ(ttn_highest_level(2), 2u);
}

TEST(ttn, a_million_nodes) {
  const auto net = build_ttn({5, 0, true});
  EXPECT_EQ(net->node_count(), 1048576u);
  // 64 links in each of 65536 BMs, 8 rings through each.
  EXPECT_EQ(net->links().size(), 65536u * (64 + 8));
  EXPECT_EQ(net->port_name(1048575, 4), "L3_H_out0");
}

// Physical links, counted once per wire. Table 1 prints 576 and 640 for 256 nodes, 10240 and 12288 for 4096:
// there each inter-BM link is counted at both ends (Eq. 6 counts ports).
TEST(ttn_paper, links) {
  for (const bool one_way : {true, false}) {
    EXPECT_EQ(physical_links(*build_ttn({2, 0, one_way})), 544u);
    EXPECT_EQ(physical_links(*build_ttn({2, 1, one_way})), 576u);
    EXPECT_EQ(physical_links(*build_ttn({3, 0, one_way})), 9216u);
    EXPECT_EQ(physical_links(*build_ttn({3, 1, one_way})), 10240u);
    // The TESH rows print 448, 512, 8192, 10240.
    EXPECT_EQ(physical_links(*build_ttn({2, 0, one_way, ttn_kind::tesh})), 416u);
    EXPECT_EQ(physical_links(*build_ttn({2, 1, one_way, ttn_kind::tesh})), 448u);
    EXPECT_EQ(physical_links(*build_ttn({3, 0, one_way, ttn_kind::tesh})), 7168u);
    EXPECT_EQ(physical_links(*build_ttn({2, 0, one_way, ttn_kind::sttn})), 544u);
  }
}

// Table 1: arc connectivity 4; STTN's Table 1 says 4 too. For TESH both print 2: so it is for TESH(2,2,0),
// where the corners without gates have two links; with gates at all corners it is 3.
TEST(ttn_paper, arc_connectivity) {
  EXPECT_EQ(arc_connectivity(*build_ttn({2, 0, true})), 4u);
  EXPECT_EQ(arc_connectivity(*build_ttn({2, 1, false})), 4u);
  EXPECT_EQ(arc_connectivity(*build_ttn({2, 0, true, ttn_kind::sttn})), 4u);
  EXPECT_EQ(arc_connectivity(*build_ttn({2, 0, true, ttn_kind::tesh})), 2u);
  EXPECT_EQ(arc_connectivity(*build_ttn({2, 1, true, ttn_kind::tesh})), 3u);
}

// The cut between the upper and the lower half of the highest level. Table 1 prints 8 and 16 for 256 nodes,
// which is this; and for 4096 nodes the same 8 and 16, where it is 128 and 256.
TEST(ttn_paper, bisection) {
  const auto cut = [](const ttn_shape& shape) {
    const auto net = build_ttn(shape);
    std::size_t crossing = 0;
    for (const netlist_link& wire : net->links())
      crossing += (wire.from < net->node_count() / 2) != (wire.to < net->node_count() / 2) ? 1 : 0;
    return shape.unidirectional ? crossing : crossing / 2;
  };
  for (const bool one_way : {true, false}) {
    EXPECT_EQ(cut({2, 0, one_way}), 8u);
    EXPECT_EQ(cut({2, 1, one_way}), 16u);
    EXPECT_EQ(cut({3, 0, one_way}), 128u);
    EXPECT_EQ(cut({3, 1, one_way}), 256u);
    // STTN, Eq. 4: 2^(m(2L-3)+1), the same as TTN and TESH.
    for (const ttn_kind kind : {ttn_kind::tesh, ttn_kind::sttn}) {
      EXPECT_EQ(cut({2, 0, one_way, kind}), 8u);
      EXPECT_EQ(cut({3, 0, one_way, kind}), 128u);
    }
  }
}

}  // namespace
}  // namespace toriscope::ttn_test
