// SPDX-License-Identifier: Apache-2.0
// Dimension-order routing: every route is walked and judged by what the addresses alone say about it.
#include "topologies/cubes/dimension_order.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "topologies/bfs_oracle.h"
#include "topologies/path.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

struct network_case {
  cube_shape shape;
  ring_ties ties;
};

const std::vector<network_case>& cases() {
  static const std::vector<network_case> all = [] {
    std::vector<network_case> result;
    const std::vector<cube_shape> one_way_only = {
        {"mesh", {4, 5}, false, false},  {"mesh", {2, 3, 4}, false, false}, {"mesh", {7}, false, false},
        {"ucube", {4, 4}, true, true},   {"ucube", {3, 3, 3}, true, true},  {"ucube", {2, 2, 2}, true, true},
        {"ucube", {5, 1, 2}, true, true}};
    for (const cube_shape& shape : one_way_only) result.push_back({shape, ring_ties::nowrap});
    const std::vector<cube_shape> tori = {
        {"torus", {8, 8}, true, false},     {"torus", {4, 6}, true, false},
        {"torus", {3, 5}, true, false},     {"torus", {2, 2}, true, false},
        {"torus", {1, 9}, true, false},     {"torus", {2, 3, 4, 1}, true, false},
        {"cube", {2, 2, 2, 2}, true, false}};
    for (const cube_shape& shape : tori)
      for (const ring_ties ties : {ring_ties::nowrap, ring_ties::positive, ring_ties::balanced})
        result.push_back({shape, ties});
    return result;
  }();
  return all;
}

/// Calls f(net, hops, source, destination) for all pairs of all cases.
template <class Function>
void for_all_routes(unsigned vcs, Function f) {
  for (const network_case& c : cases()) {
    const auto net = build_cube(c.shape);
    const auto routing = make_dimension_order(c.shape, c.ties, vcs);
    for (node_id source = 0; source < net->node_count(); ++source)
      for (node_id destination = 0; destination < net->node_count(); ++destination)
        f(c, *net, *routing, walk(*net, *routing, source, destination, vcs), source, destination);
  }
}

std::size_t first_difference(const std::vector<unsigned>& a, const std::vector<unsigned>& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

TEST(dimension_order, routes_are_shortest_paths) {
  for (const network_case& c : cases()) {
    const auto net = build_cube(c.shape);
    const auto routing = make_dimension_order(c.shape, c.ties, 2);
    for (node_id source = 0; source < net->node_count(); ++source) {
      const std::vector<unsigned> shortest = bfs_distances(*net, source);
      for (node_id destination = 0; destination < net->node_count(); ++destination)
        EXPECT_EQ(routed_distance(*net, *routing, source, destination, 2), shortest[destination]);
    }
  }
}

TEST(dimension_order, corrects_the_most_significant_digit_first) {
  for_all_routes(2, [](const network_case&, const netlist& net, const routing_function&,
                       const std::vector<hop>& hops, node_id, node_id) {
    std::size_t least = 0;
    for (const hop& h : hops) {
      const auto from = net.digits(net.link(h.link).from);
      const auto to = net.digits(net.link(h.link).to);
      const std::size_t changed = first_difference(from, to);
      EXPECT_GE(changed, least);
      least = changed;
    }
  });
}

// The numbering of Dally and Seitz, worked out from addresses alone: if the channels of every route have
// rising numbers, no cycle is possible. Judged for every VC that an option allows, not only the one walked.
TEST(dimension_order, datelines_give_every_route_rising_channel_numbers) {
  for (const unsigned vcs : {2u, 3u, 4u, 5u})
    for_all_routes(vcs, [&](const network_case& c, const netlist& net, const routing_function& routing,
                            const std::vector<hop>& hops, node_id source, node_id destination) {
      long last = -1;
      route_request at{source, net.local_port(source), 0, destination, 0};
      for (const hop& h : hops) {
        route_option option;
        ASSERT_EQ(routing.route(at, &option), 1u);
        const netlist_link& wire = net.link(h.link);
        const auto from = net.digits(wire.from);
        const auto to = net.digits(wire.to);
        const std::size_t digit = first_difference(from, to);
        const unsigned k = c.shape.radices[digit];
        const bool plus = net.port_name(wire.from, wire.from_port).back() == '+';
        // Hops counted from the wrap link on, so that the wrap hop is 0, the one behind it 1 ...
        const unsigned behind_dateline = plus ? (from[digit] + 1) % k : (k - from[digit]) % k;
        if (c.shape.wrap && k > 2) {
          const unsigned half = vcs / 2;  // floor(V/2): where class 1 begins
          const bool low = (option.vcs >> half) == 0;
          const bool high = (option.vcs & ((1u << half) - 1)) == 0;
          ASSERT_TRUE(low != high) << "an option with VCs of both classes";
          ASSERT_TRUE(low || behind_dateline < k);
          const long number = static_cast<long>(digit) * 1000 +
                              (low ? (behind_dateline == 0 ? 999 : static_cast<long>(behind_dateline))
                                   : static_cast<long>(k + behind_dateline));
          ASSERT_FALSE(low && behind_dateline == 0) << "the wrap hop is class 1";
          ASSERT_GT(number, last);
          last = number;
        } else {
          ASSERT_EQ(option.vcs, (1u << vcs) - 1) << "no wrap link: one class";
          const long number = static_cast<long>(digit) * 1000 + (plus ? from[digit] : k - from[digit]);
          ASSERT_GT(number, last);
          last = number;
        }
        at = {wire.to, wire.to_port, h.vc, destination, option.state};
      }
    });
}

TEST(dimension_order, channel_dependencies_are_acyclic) {
  for (const network_case& c : cases()) {
    const auto net = build_cube(c.shape);
    for (const unsigned vcs : {2u, 3u}) {
      const auto found = find_channel_dependencies(*net, *make_dimension_order(c.shape, c.ties, vcs), vcs);
      EXPECT_TRUE(found.acyclic()) << c.shape.name << " " << to_string(c.ties) << ": "
                                   << found.in_words(*net);
    }
  }
}

// Judged by the addresses alone: a packet goes over the wrap link when its digit falls on a way in +, or rises
// on one in -. With 2 VCs class 1 is VC 1.
TEST(dimension_order, wrapping_packets_have_class_1_all_along_the_ring) {
  for (const network_case& c : cases()) {
    if (!c.shape.wrap || c.shape.unidirectional) continue;
    const auto net = build_cube(c.shape);
    const auto routing = make_dimension_order(c.shape, c.ties, 2, false, ring_classes::wrapping);
    EXPECT_TRUE(find_channel_dependencies(*net, *routing, 2).acyclic());
    for (node_id source = 0; source < net->node_count(); ++source)
      for (node_id destination = 0; destination < net->node_count(); ++destination) {
        const auto from = net->digits(source);
        const auto to = net->digits(destination);
        route_request at{source, net->local_port(source), 0, destination, 0};
        for (const hop& h : walk(*net, *routing, source, destination, 2)) {
          route_option option;
          ASSERT_EQ(routing->route(at, &option), 1u);
          const netlist_link& wire = net->link(h.link);
          const std::size_t digit = first_difference(net->digits(wire.from), net->digits(wire.to));
          const bool plus = net->port_name(wire.from, wire.from_port).back() == '+';
          const bool wraps = plus ? to[digit] < from[digit] : to[digit] > from[digit];
          const vc_mask expected = c.shape.radices[digit] <= 2 ? 3 : wraps ? 2 : 1;
          ASSERT_EQ(option.vcs, expected) << source << " to " << destination << " at " << wire.from;
          at = {wire.to, wire.to_port, h.vc, destination, option.state};
        }
      }
  }
}

TEST(dimension_order, ties_in_an_even_ring) {
  const cube_shape ring{"torus", {6}, true, false};
  const auto net = build_cube(ring);
  const auto first_port = [&](ring_ties ties, node_id source) {
    const auto routing = make_dimension_order(ring, ties, 2);
    const auto hops = walk(*net, *routing, source, (source + 3) % 6, 2);
    return net->port_name(source, hops.at(0).out_port);
  };
  for (node_id source = 0; source < 6; ++source) {
    EXPECT_EQ(first_port(ring_ties::positive, source), "x+");
    EXPECT_EQ(first_port(ring_ties::balanced, source), source % 2 == 0 ? "x+" : "x-");
    EXPECT_EQ(first_port(ring_ties::nowrap, source), source < 3 ? "x+" : "x-");
  }
}

// Uniform traffic: with positive ties the + links of an 8-ring carry 10 routes for every 6 of the - links.
TEST(dimension_order, balanced_ties_balance_the_links) {
  const cube_shape shape{"torus", {8, 8}, true, false};
  const auto net = build_cube(shape);
  const auto loads = [&](ring_ties ties) {
    const auto routing = make_dimension_order(shape, ties, 2);
    std::map<char, unsigned> load;  // by sign
    for (node_id source = 0; source < 64; ++source)
      for (node_id destination = 0; destination < 64; ++destination)
        for (const hop& h : walk(*net, *routing, source, destination, 2))
          ++load[net->port_name(h.node, h.out_port).back()];
    return load;
  };
  auto positive = loads(ring_ties::positive);
  EXPECT_EQ(positive['+'] * 6, positive['-'] * 10);
  auto balanced = loads(ring_ties::balanced);
  EXPECT_EQ(balanced['+'], balanced['-']);
  auto nowrap = loads(ring_ties::nowrap);
  EXPECT_EQ(nowrap['+'], nowrap['-']);
}

TEST(dimension_order, state_and_vcs_needed) {
  const cube_shape mesh{"mesh", {4, 4}, false, false};
  const cube_shape torus{"torus", {4, 4}, true, false};
  const cube_shape binary{"cube", {2, 2, 2}, true, false};
  EXPECT_EQ(dimension_order_classes(mesh), 1u);
  EXPECT_EQ(dimension_order_classes(binary), 1u);
  EXPECT_EQ(dimension_order_classes(torus), 2u);
  EXPECT_EQ(make_dimension_order(mesh, ring_ties::nowrap, 1)->state_bits(), 0u);
  EXPECT_EQ(make_dimension_order(binary, ring_ties::nowrap, 1)->state_bits(), 0u);
  EXPECT_EQ(make_dimension_order(torus, ring_ties::nowrap, 2)->state_bits(), 1u);
  EXPECT_THROW(make_dimension_order(torus, ring_ties::nowrap, 1), std::invalid_argument);
}

// Symmetries that the proof and the analysis depend on.
TEST(dimension_order, reads_the_destination_to_the_first_difference) {
  for (const network_case& c : cases()) {
    const auto net = build_cube(c.shape);
    const auto routing = make_dimension_order(c.shape, c.ties, 2);
    ASSERT_TRUE(routing->reads_to_first_difference());
    for (node_id node = 0; node < net->node_count(); ++node)
      for (node_id destination = 0; destination < net->node_count(); ++destination) {
        const auto here = net->digits(node);
        auto known = net->digits(destination);
        std::size_t first = 0;
        while (first < known.size() && known[first] == here[first]) ++first;
        for (std::size_t i = first + 1; i < known.size(); ++i) known[i] = here[i];
        for (route_state state = 0; (state >> routing->state_bits()) == 0; ++state) {
          route_option one;
          route_option two;
          routing->route({node, 0, 0, destination, state}, &one);
          routing->route({node, 0, 0, net->node_at(known), state}, &two);
          EXPECT_EQ(one.out_port, two.out_port);
          EXPECT_EQ(one.vcs, two.vcs);
          EXPECT_EQ(one.state, two.state);
        }
      }
  }
}

TEST(dimension_order, digits_that_may_be_turned) {
  const auto cyclic_digits = [](const std::string& spec, const std::string& ties = "") {
    topology_options options;
    options.ties = ties;
    const topology made = make_topology(spec, options);
    const netlist& net = *made.wiring;
    for (unsigned digit = 0; digit < made.cyclic_digits; ++digit) {
      const auto turned = [&](node_id node) {
        auto d = net.digits(node);
        d[digit] = (d[digit] + 1) % net.radices()[digit];
        return net.node_at(d);
      };
      for (node_id source = 0; source < net.node_count(); ++source)
        for (node_id destination = 0; destination < net.node_count(); ++destination) {
          const auto hops = walk(net, *made.routing, source, destination, 4);
          const auto others = walk(net, *made.routing, turned(source), turned(destination), 4);
          EXPECT_EQ(hops.size(), others.size());
          for (std::size_t h = 0; h < std::min(hops.size(), others.size()); ++h) {
            EXPECT_EQ(hops[h].out_port, others[h].out_port);
            EXPECT_EQ(turned(hops[h].node), others[h].node);
          }
        }
    }
    return made.cyclic_digits;
  };
  EXPECT_EQ(cyclic_digits("torus:3x5"), 2u);
  EXPECT_EQ(cyclic_digits("torus:3x4"), 1u) << "balanced ties go by the parity";
  EXPECT_EQ(cyclic_digits("torus:4x3"), 0u);
  EXPECT_EQ(cyclic_digits("torus:4x6", "positive"), 2u);
  EXPECT_EQ(cyclic_digits("mesh:4x4"), 0u);
  EXPECT_EQ(cyclic_digits("mesh:1x4"), 1u);
  EXPECT_EQ(cyclic_digits("ucube:4,2"), 2u);
  EXPECT_EQ(cyclic_digits("cube:2,4"), 4u);
  EXPECT_EQ(cyclic_digits("hypercube:4"), 4u);
  EXPECT_EQ(cyclic_digits("ccc:4"), 4u);
}

// Closed forms for N^2 pairs: k/4 a dimension in an even torus, (k^2-1)/(3k) in a mesh, (k-1)/2 one way
// (Dally 1990, Sect. III); printed for 256 and 4096 nodes in Rahman et al. 2009, Table 1 (10.67, 8, 42.67,
// 32; the mesh rounds k/3).
TEST(dimension_order_paper, mean_distances) {
  const auto measured = [](const cube_shape& shape) {
    return measure_routes(*build_cube(shape), *make_dimension_order(shape, ring_ties::balanced, 2), 2);
  };
  const auto mesh16 = measured({"mesh", {16, 16}, false, false});
  EXPECT_EQ(mesh16.diameter, 30u);
  EXPECT_DOUBLE_EQ(mesh16.mean_all, 2 * (256.0 - 1) / 48);
  EXPECT_DOUBLE_EQ(mesh16.mean_distinct, 2 * 16.0 / 3) << "the printed 10.67";
  const auto torus16 = measured({"torus", {16, 16}, true, false});
  EXPECT_EQ(torus16.diameter, 16u);
  EXPECT_DOUBLE_EQ(torus16.mean_all, 8);
  // 64x64: from each node of the diagonal, every other being at the same distances.
  const cube_shape torus64{"torus", {64, 64}, true, false};
  const auto net = build_cube(torus64);
  const auto routing = make_dimension_order(torus64, ring_ties::balanced, 2);
  for (node_id source = 0; source < 4096; source += 65) {
    unsigned total = 0;
    unsigned farthest = 0;
    for (node_id destination = 0; destination < 4096; ++destination) {
      const unsigned hops = routed_distance(*net, *routing, source, destination, 2);
      total += hops;
      farthest = std::max(farthest, hops);
    }
    EXPECT_EQ(total, 32u * 4096u);
    EXPECT_EQ(farthest, 64u);
  }
  const auto ucube = measured({"ucube", {4, 4, 4, 4}, true, true});
  EXPECT_EQ(ucube.diameter, 12u);
  EXPECT_DOUBLE_EQ(ucube.mean_all, 4 * 3 / 2.0);
  const auto binary = measured({"cube", std::vector<unsigned>(10, 2), true, false});
  EXPECT_EQ(binary.diameter, 10u);
  EXPECT_DOUBLE_EQ(binary.mean_all, 5);
}

}  // namespace
}  // namespace toriscope
