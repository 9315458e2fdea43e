// SPDX-License-Identifier: Apache-2.0
// What the proof and the analysis of large networks depend on: routes look at the destination no further than
// to the first digit that differs, and know nothing of where a digit above the basic module has its zero.
#include <gtest/gtest.h>

#include <random>

#include "topologies/path.h"
#include "topologies/registry.h"
#include "topologies/ttn/ttn.h"
#include "topologies/ttn/ttn_routing.h"

namespace toriscope::ttn_symmetry_test {
namespace {

/// Calls f(shape, ties, rule, vcs) for all that choose_ttn_vc_rule() takes with L = 2 or 3.
template <class Function>
void for_all_rules(unsigned levels, Function f) {
  constexpr unsigned vcs = 7;
  for (const ttn_kind kind : {ttn_kind::ttn, ttn_kind::tesh, ttn_kind::sttn})
    for (unsigned q = 0; q <= (kind == ttn_kind::sttn ? 0u : levels == 2 ? 2u : 1u); ++q)
      for (const bool one_way : {true, false})
        for (const ring_ties ties : {ring_ties::nowrap, ring_ties::positive})
          for (const ttn_vc_rule rule : ttn_vc_rules()) {
            if (kind == ttn_kind::tesh && ties != ring_ties::nowrap) continue;  // a mesh has no ties
            const ttn_shape shape{levels, q, one_way, kind};
            try {
              choose_ttn_vc_rule(shape, ties, to_string(rule), vcs);
            } catch (const std::invalid_argument&) {
              continue;
            }
            f(shape, ties, rule, vcs);
          }
}

/// The digits of `destination` down to the first that differs from the node's, the others as the node's; all
/// of them where only the basic module's differ.
node_id up_to_first_difference(node_id node, node_id destination) {
  if ((node ^ destination) >> 4 == 0) return destination;
  unsigned digit = 15;
  while (((node ^ destination) >> (2 * digit)) == 0) --digit;
  const node_id below = (node_id{1} << (2 * digit)) - 1;
  return (destination & ~below) | (node & below);
}

route_option option_of(const routing_function& routing, const route_request& request) {
  route_option option;
  routing.route(request, &option);
  return option;
}

bool equal(const route_option& one, const route_option& two) {
  return one.out_port == two.out_port && one.vcs == two.vcs && one.state == two.state;
}

TEST(ttn_symmetry, options_depend_on_the_destination_to_the_first_difference) {
  for_all_rules(2, [](const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule, unsigned vcs) {
    const auto routing = make_ttn_routing(shape, ties, rule, vcs);
    EXPECT_TRUE(routing->reads_to_first_difference());
    const ttn_port_map ports(shape);
    for (node_id node = 0; node < shape.nodes(); ++node)
      for (port_id in_port = 0; in_port <= ports.count[node & 15]; ++in_port)
        for (route_state state = 0; (state >> routing->state_bits()) == 0; ++state)
          for (node_id destination = 0; destination < shape.nodes();) {
            // Destinations that agree down to the first difference follow each other.
            const node_id known = up_to_first_difference(node, destination);
            const route_option option = option_of(*routing, {node, in_port, 0, known, state});
            for (; destination < shape.nodes() && up_to_first_difference(node, destination) == known;
                 ++destination)
              if (!equal(option, option_of(*routing, {node, in_port, 0, destination, state})))
                FAIL() << "node " << node << " to " << destination;
          }
  });
}

TEST(ttn_symmetry, options_depend_on_the_destination_to_the_first_difference_in_large_networks) {
  std::mt19937 random(23);
  for_all_rules(3, [&](const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule, unsigned vcs) {
    const auto routing = make_ttn_routing(shape, ties, rule, vcs);
    const ttn_port_map ports(shape);
    for (int i = 0; i < 20000; ++i) {
      const node_id node = random() % shape.nodes();
      const auto in_port = static_cast<port_id>(random() % (ports.count[node & 15] + 1u));
      const route_state state = random() & ((1u << routing->state_bits()) - 1);
      const node_id destination = random() % shape.nodes();
      const node_id known = up_to_first_difference(node, destination);
      ASSERT_TRUE(equal(option_of(*routing, {node, in_port, 0, destination, state}),
                        option_of(*routing, {node, in_port, 0, known, state})))
          << "node " << node << " to " << destination;
    }
  });
}

/// The node with digit i turned by one.
node_id turned(node_id node, unsigned digit) {
  const node_id ones = node_id{3} << (2 * digit);
  return (node & ~ones) | ((node + (node_id{1} << (2 * digit))) & ones);
}

std::vector<port_id> output_ports(const std::vector<hop>& hops) {
  std::vector<port_id> ports;
  for (const hop& h : hops) ports.push_back(h.out_port);
  return ports;
}

TEST(ttn_symmetry, turning_a_digit_changes_no_wire) {
  for_all_rules(2, [](const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule, unsigned) {
    if (rule != ttn_vc_rule::paper || ties != ring_ties::nowrap) return;
    const auto net = build_ttn(shape);
    for (const netlist_link& wire : net->links())
      for (const unsigned digit : {2u, 3u}) {
        const link_id l = net->ports(turned(wire.from, digit))[wire.from_port].out;
        ASSERT_NE(l, no_link);
        EXPECT_EQ(net->link(l).to, turned(wire.to, digit));
        EXPECT_EQ(net->link(l).to_port, wire.to_port);
      }
  });
}

TEST(ttn_symmetry, turning_a_digit_changes_no_route) {
  for_all_rules(2, [](const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule, unsigned vcs) {
    if (rule != ttn_vc_rule::paper) return;  // ports are the same under every rule
    const auto net = build_ttn(shape);
    const auto routing = make_ttn_routing(shape, ties, rule, vcs);
    for (node_id source = 0; source < 256; ++source)
      for (node_id destination = 0; destination < 256; ++destination) {
        const auto ports = output_ports(walk(*net, *routing, source, destination, vcs));
        for (const unsigned digit : {2u, 3u})
          ASSERT_EQ(ports, output_ports(
                               walk(*net, *routing, turned(source, digit), turned(destination, digit), vcs)));
      }
  });
}

TEST(ttn_symmetry, turning_a_digit_changes_no_route_in_large_networks) {
  std::mt19937 random(29);
  for_all_rules(3, [&](const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule, unsigned vcs) {
    if (rule != ttn_vc_rule::paper) return;
    const auto net = build_ttn(shape);
    const auto routing = make_ttn_routing(shape, ties, rule, vcs);
    for (int i = 0; i < 5000; ++i) {
      const node_id source = random() % shape.nodes();
      const node_id destination = random() % shape.nodes();
      const unsigned digit = 2 + static_cast<unsigned>(random() % 4);
      ASSERT_EQ(output_ports(walk(*net, *routing, source, destination, vcs)),
                output_ports(walk(*net, *routing, turned(source, digit), turned(destination, digit), vcs)));
    }
  });
}

TEST(ttn_symmetry, the_registry_says_so) {
  EXPECT_EQ(make_topology("ttn:2,2,1").cyclic_digits, 2u);
  EXPECT_EQ(make_topology("tesh:2,3,0").cyclic_digits, 4u);
  EXPECT_EQ(make_topology("sttn:2,3,0").cyclic_digits, 4u);
}

}  // namespace
}  // namespace toriscope::ttn_symmetry_test
