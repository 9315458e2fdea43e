// SPDX-License-Identifier: Apache-2.0
// Message classes over the VC rules: each class is routed as a network of V/N VCs would be, and the deadlock
// proof runs on the whole.
#include "topologies/message_class_routing.h"

#include <gtest/gtest.h>

#include "topologies/path.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/registry.h"

namespace toriscope::message_class_routing_test {
namespace {

topology_options with_vcs(unsigned vcs, unsigned classes = 1, const char* rule = "safe") {
  topology_options options;
  options.vc_rule = rule;
  options.vcs = vcs;
  options.message_classes = classes;
  return options;
}

TEST(message_class_routing, a_class_sees_the_rule_on_its_own_vcs) {
  const topology plain = make_topology("torus:4x4", with_vcs(2));
  const topology classes = make_topology("torus:4x4", with_vcs(6, 3));
  EXPECT_EQ(classes.routing->state_bits(), plain.routing->state_bits());
  for (node_id source = 0; source < 16; ++source)
    for (node_id destination = 0; destination < 16; ++destination)
      for (std::uint8_t vc = 0; vc < 6; ++vc) {
        const port_id local = plain.wiring->local_port(source);
        route_option expected[routing_function::max_options], got[routing_function::max_options];
        const unsigned count = plain.routing->route(
            {source, local, static_cast<std::uint8_t>(vc % 2), destination, 0}, expected);
        ASSERT_EQ(classes.routing->route({source, local, vc, destination, 0}, got), count);
        for (unsigned k = 0; k < count; ++k) {
          EXPECT_EQ(got[k].out_port, expected[k].out_port);
          EXPECT_EQ(got[k].state, expected[k].state);
          EXPECT_EQ(got[k].vcs, expected[k].vcs * (1u << (vc / 2 * 2)));
        }
      }
}

/// By hand: each class has one VC.
TEST(message_class_routing, routes_that_are_walked_are_those_of_the_first_class) {
  const topology mesh = make_topology("mesh:3x3", with_vcs(2, 2));
  const std::vector<hop> hops = walk(*mesh.wiring, *mesh.routing, 0, 8, 2);
  ASSERT_EQ(hops.size(), 4u);
  for (const hop& h : hops) EXPECT_EQ(h.vc, 0);
}

TEST(message_class_routing, the_deadlock_proof_runs_on_it) {
  for (const char* const spec : {"torus:5x4", "ttn:2,2,0"}) {
    const unsigned vcs = spec[1] == 'o' ? 2 : 4;
    const topology plain = make_topology(spec, with_vcs(vcs));
    const topology classes = make_topology(spec, with_vcs(2 * vcs, 2));
    const channel_dependencies one = find_channel_dependencies(*plain.wiring, *plain.routing, vcs);
    const channel_dependencies two = find_channel_dependencies(*classes.wiring, *classes.routing, 2 * vcs);
    EXPECT_TRUE(two.acyclic()) << two.in_words(*classes.wiring);
    EXPECT_EQ(two.channels, 2 * one.channels);
    EXPECT_EQ(two.dependencies, 2 * one.dependencies) << "a class depends on itself only";
  }
  const topology cyclic = make_topology("ttn:2,2,0", with_vcs(4, 2, "paper"));
  EXPECT_FALSE(find_channel_dependencies(*cyclic.wiring, *cyclic.routing, 4).acyclic());
}

TEST(message_class_routing, says_what_does_not_fit) {
  const auto message = [](const topology_options& options) -> std::string {
    try {
      make_topology("torus:4x4", options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(with_vcs(4, 3)), "4 VCs cannot be divided evenly among 3 message classes");
  EXPECT_EQ(
      message(with_vcs(2, 2)),
      "topology 'torus:4x4': VC rule balanced needs at least 2 VCs, not 1 (each of 2 message classes has "
      "1 of the 2 VCs)");
  EXPECT_THROW(message_class_routing(nullptr, 0), std::invalid_argument);
}

/// Names escape VCs beyond those of a class.
struct wide_escape final : routing_function {
  unsigned route(const route_request&, route_option*) const override { return 1; }
  unsigned state_bits() const override { return 0; }
  vc_mask escape_vcs() const override { return 0b1110; }
};

TEST(message_class_routing, each_class_has_the_escape_among_its_own_vcs) {
  const auto inner = std::make_shared<wide_escape>();
  EXPECT_EQ(message_class_routing(inner, 3).escape_vcs(), 0b0110110110110110) << "the second and third of three";
  EXPECT_EQ(message_class_routing(inner, 1).escape_vcs(), 0) << "the first is none of them";
  EXPECT_EQ(message_class_routing(inner, 8).escape_vcs(), 0b0000111000001110);
}

TEST(message_class_routing, weighs_the_ways_of_each_class_as_one_class_would) {
  topology_options options = with_vcs(8, 2);
  options.routing = "ugal";
  const topology t = make_topology("torus:8", options);
  EXPECT_TRUE(t.routing->compares_queues());
  for (const std::uint8_t vc : {std::uint8_t{0}, std::uint8_t{4}}) {
    // From 0 to 3, over 6: 3 links to the one side, 2 + 3 to the other.
    unsigned weights[2] = {};
    t.routing->weigh({0, t.wiring->local_port(0), vc, 3, 6}, 2, weights);
    EXPECT_EQ(weights[0], 3U);
    EXPECT_EQ(weights[1], 5U);
  }
}

}  // namespace
}  // namespace toriscope::message_class_routing_test
