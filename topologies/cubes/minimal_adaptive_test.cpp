// SPDX-License-Identifier: Apache-2.0
// Minimal adaptive routing: its options against what the distances say, and Duato's condition.
#include "topologies/cubes/minimal_adaptive.h"

#include <gmock/gmock.h>

#include <set>

#include "topologies/bfs_oracle.h"
#include "topologies/path.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

const std::vector<cube_shape>& shapes() {
  static const std::vector<cube_shape> all{
      {"mesh", {4, 5}, false, false},   {"mesh", {2, 3, 4}, false, false},
      {"torus", {4, 4}, true, false},   {"torus", {3, 6}, true, false},
      {"torus", {2, 8}, true, false},   {"torus", {1, 5, 2}, true, false},
      {"cube", {3, 3, 3}, true, false}, {"ucube", {4, 4}, true, true},
      {"ucube", {3, 5}, true, true},    {"hypercube", {2, 2, 2, 2}, true, false}};
  return all;
}

std::vector<std::vector<unsigned>> all_distances(const netlist& net) {
  std::vector<std::vector<unsigned>> all;
  for (node_id node = 0; node < net.node_count(); ++node) all.push_back(bfs_distances(net, node));
  return all;
}

// The ports of the adaptive options are all those that come nearer, no more and no less; the last option is
// the hop of dimension order, on the escape VCs only.
TEST(minimal_adaptive, offers_every_hop_on_a_shortest_way_and_then_the_escape) {
  for (const cube_shape& shape : shapes()) {
    const auto net = build_cube(shape);
    const unsigned vcs = 4;
    const auto routing = make_minimal_adaptive(shape, ring_ties::balanced, vcs);
    const auto escape = make_dimension_order(shape, ring_ties::balanced, vcs);
    const auto distance = all_distances(*net);
    for (node_id node = 0; node < net->node_count(); ++node)
      for (node_id destination = 0; destination < net->node_count(); ++destination) {
        if (node == destination) continue;
        const route_request request{node, net->local_port(node), 0, destination, 0};
        route_option options[routing_function::max_options];
        const unsigned count = routing->route(request, options);
        ASSERT_LE(count, routing->options_at_most());
        std::set<port_id> adaptive;
        for (unsigned i = 0; i + 1 < count; ++i) {
          EXPECT_TRUE(adaptive.insert(options[i].out_port).second) << "offered twice";
          EXPECT_EQ(options[i].vcs & routing->escape_vcs(), 0);
        }
        std::set<port_id> nearer;
        for (port_id p = 0; p < net->ports(node).size(); ++p) {
          const link_id l = net->ports(node)[p].out;
          if (l != no_link && distance[net->link(l).to][destination] < distance[node][destination])
            nearer.insert(p);
        }
        EXPECT_EQ(adaptive, nearer) << shape.name << " " << net->address(node) << " to "
                                    << net->address(destination);
        route_option in_order;
        escape->route(request, &in_order);
        EXPECT_EQ(options[count - 1].out_port, in_order.out_port);
        EXPECT_EQ(options[count - 1].vcs & ~routing->escape_vcs(), 0);
      }
  }
}

TEST(minimal_adaptive, meets_the_condition_of_duato) {
  for (const cube_shape& shape : shapes())
    for (const ring_ties ties : {ring_ties::balanced, ring_ties::nowrap, ring_ties::positive})
      for (const unsigned more : {0u, 2u}) {
        const unsigned vcs = minimal_adaptive_vcs(shape) + more;
        const auto proof = prove(*build_cube(shape), *make_minimal_adaptive(shape, ties, vcs), vcs);
        EXPECT_EQ(proof.outcome, proof_outcome::proven) << shape.name << ": " << proof.reason;
      }
}

// Seven dimensions and more: fewer ways are offered, the escape always.
TEST(minimal_adaptive, many_dimensions) {
  const cube_shape shape{"hypercube", std::vector<unsigned>(9, 2), true, false};
  const auto net = build_cube(shape);
  const auto routing = make_minimal_adaptive(shape, ring_ties::balanced, 2);
  EXPECT_EQ(routing->options_at_most(), 8u);
  route_option options[routing_function::max_options];
  ASSERT_EQ(routing->route({0, 9, 0, 511, 0}, options), 8u);
  EXPECT_EQ(options[0].out_port, 0);
  EXPECT_EQ(options[6].out_port, 6);
  EXPECT_EQ(options[7].out_port, 8) << "the highest dimension";
  EXPECT_EQ(options[7].vcs, 1);
  EXPECT_EQ(prove(*net, *routing, 2).outcome, proof_outcome::proven);
}

TEST(minimal_adaptive, vcs_and_options) {
  const auto options = [](const cube_shape& shape) {
    return make_minimal_adaptive(shape, ring_ties::balanced, 4)->options_at_most();
  };
  EXPECT_EQ(options({"torus", {8, 8}, true, false}), 5u) << "two ways round each ring";
  EXPECT_EQ(options({"torus", {3, 5}, true, false}), 3u);
  EXPECT_EQ(options({"mesh", {8, 8}, false, false}), 3u);
  EXPECT_EQ(minimal_adaptive_vcs({"torus", {8, 8}, true, false}), 3u);
  EXPECT_EQ(minimal_adaptive_vcs({"mesh", {8, 8}, false, false}), 2u);
  EXPECT_EQ(minimal_adaptive_vcs({"hypercube", {2, 2}, true, false}), 2u);
  EXPECT_THROW(make_minimal_adaptive({"torus", {8, 8}, true, false}, ring_ties::balanced, 2),
               std::invalid_argument);
  topology_options few;
  few.routing = "adaptive";
  few.vcs = 2;
  EXPECT_THROW(make_topology("torus:8x8", few), std::invalid_argument);
  EXPECT_EQ(make_topology("mesh:8x8", few).choice.vc_rule, "duato");
}

}  // namespace
}  // namespace toriscope
