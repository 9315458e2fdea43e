// SPDX-License-Identifier: Apache-2.0
// Candidates for witnesses: their packets cross the channels of the cycle. That they freeze a network is
// shown by simulation, in testbenches/program.
#include "topologies/proof/witness.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <tuple>

#include "topologies/path.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/proof/talking_pairs.h"
#include "topologies/registry.h"

namespace toriscope::witness_test {
namespace {

TEST(witness, every_packet_holds_a_channel_and_asks_for_the_next) {
  topology_options options;
  options.vc_rule = "paper";
  options.vcs = 2;
  const topology made = make_topology("ttn:2,2,0", options);
  const netlist& net = *made.wiring;
  const std::vector<channel> cycle = prove(net, *made.routing, 2).cycle;
  const std::vector<cycle_step> steps = routes_over(net, *made.routing, 2, cycle, 8);
  ASSERT_EQ(steps.size(), cycle.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const channel& next = cycle[(i + 1) % cycle.size()];
    EXPECT_EQ(steps[i].vcs, 1u);
    ASSERT_FALSE(steps[i].routes.empty());
    unsigned last_hops = 0;
    for (const cycle_route& route : steps[i].routes) {
      const auto hops = walk(net, *made.routing, route.source, route.destination, 2);
      ASSERT_GT(hops.size(), route.hops);
      EXPECT_EQ(hops[route.hops - 1].link, cycle[i].link);
      EXPECT_EQ(hops[route.hops - 1].vc, cycle[i].vc);
      EXPECT_EQ(hops[route.hops].link, next.link);
      EXPECT_EQ(hops[route.hops].vc, next.vc);
      EXPECT_GE(route.hops, last_hops) << "the nearest come first";
      last_hops = route.hops;
      const auto same = [&](const cycle_route& r) { return r.source == route.source; };
      EXPECT_LE(std::count_if(steps[i].routes.begin(), steps[i].routes.end(), same), 2)
          << "an interface sends its packets one after the other";
    }
  }

  witness_settings settings;
  settings.hop_cycles = 3;
  settings.times = 2;
  const std::vector<witness_packet> packets = witness_candidate(steps, settings);
  ASSERT_EQ(packets.size(), 2 * cycle.size());
  for (std::size_t i = 0; i + 1 < packets.size(); ++i) EXPECT_LE(packets[i].cycle, packets[i + 1].cycle);
  EXPECT_EQ(packets.front().flits, 16u);
  EXPECT_EQ(packets.front().cycle, 0u) << "the farthest starts at once";
  const cycle_route& first = steps[0].routes[0];
  EXPECT_EQ(std::count_if(packets.begin(), packets.end(),
                          [&](const witness_packet& p) {
                            return p.source == first.source && p.destination == first.destination;
                          }),
            1)
      << "the first of the routes that cost the least";
}

/// Round a ring, to any terminal of a node.
class one_way_round final : public routing_function {
 public:
  explicit one_way_round(const netlist& net) : net_(net) {}
  unsigned route(const route_request& request, route_option* options) const override {
    const netlist_terminal& to = net_.terminal(request.destination);
    options[0] = {to.exit == request.node ? to.exit_port : port_id{0}, 1, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  const netlist& net_;
};

/// By hand. Node n has the terminals 2n and 2n + 1, and the link n to node n + 1.
TEST(witness, has_packets_of_all_terminals_of_a_node) {
  netlist ring("ring", {4}, {{"node", 1}});
  for (node_id n = 0; n < 4; ++n) ring.add_node({"next", "last"});
  std::vector<channel> cycle;
  for (node_id n = 0; n < 4; ++n) cycle.push_back({ring.connect(n, 0, (n + 1) % 4, 1, 1, 1), 0});
  ring.set_terminals({0, 0, 1, 1, 2, 2, 3, 3});
  const one_way_round routing(ring);
  std::vector<std::vector<unsigned>> routes;
  const std::vector<cycle_step> steps = routes_over(ring, routing, 1, cycle, 7);
  for (const cycle_route& r : steps.at(1).routes)
    routes.push_back({r.source, r.destination, r.hops});
  EXPECT_THAT(routes, testing::ElementsAre(testing::ElementsAre(2, 0, 1), testing::ElementsAre(2, 1, 1),
                                           testing::ElementsAre(3, 0, 1), testing::ElementsAre(3, 1, 1),
                                           testing::ElementsAre(0, 6, 2), testing::ElementsAre(0, 7, 2),
                                           testing::ElementsAre(1, 6, 2)));
}

/// A step whose routes begin at sources of their own, ever farther off.
TEST(witness, drawn_routes_are_not_much_longer_than_the_shortest) {
  cycle_step step;
  for (unsigned hops = 1; hops <= 60; ++hops) step.routes.push_back({1000 + hops, 0, hops});
  std::set<terminal_id> chosen;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    witness_settings settings;
    settings.seed = seed;
    const std::vector<witness_packet> packets = witness_candidate({step}, settings);
    ASSERT_EQ(packets.size(), 1u);
    EXPECT_TRUE(seed > 0 || packets[0].source == 1001);
    std::mt19937 random(seed);
    std::vector<unsigned> costs;
    for (unsigned hops = 1; seed > 0 && hops <= 60; ++hops)
      costs.push_back(hops + static_cast<unsigned>(random() % 8));
    const auto least = std::min_element(costs.begin(), costs.end());
    EXPECT_TRUE(seed == 0 || packets[0].source == 1001 + (least - costs.begin())) << seed;
    chosen.insert(packets[0].source);
  }
  EXPECT_GT(chosen.size(), 1u);
  EXPECT_LE(*chosen.rbegin(), 1008u);
}

/// A ring of 8 with a dateline between 7 and 0: behind it, in the upper half of the VCs, packets do not hold VC 0.
TEST(witness, a_packet_holds_the_channel_right_behind_its_source) {
  topology_options options;
  options.vc_rule = "dateline";
  const topology made = make_topology("ring:8", options);
  const netlist& net = *made.wiring;
  const link_id first = net.ports(0)[0].out, second = net.ports(1)[0].out;
  ASSERT_EQ(net.link(first).to, 1u);
  ASSERT_EQ(net.link(second).to, 2u);
  const std::vector<cycle_step> steps = routes_over(net, *made.routing, 4, {{first, 0}, {second, 0}}, 8);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].vcs, 2u);
  std::vector<std::array<unsigned, 3>> routes;
  for (const cycle_route& r : steps[0].routes) routes.push_back({r.source, r.destination, r.hops});
  EXPECT_THAT(routes, testing::ElementsAre(std::array<unsigned, 3>{0, 2, 1}, std::array<unsigned, 3>{0, 3, 1}));
  EXPECT_TRUE(steps[1].routes.empty()) << "none goes back";
}

/// Hop h of a walk round a ring is in VC h: VC 0 where it is asked of anything that no walk comes to.
struct hop_by_hop_vcs final : routing_function {
  unsigned route(const route_request& at, route_option* options) const override {
    const bool as_walked = at.in_port == 2 ? at.in_vc == 0 && at.state == 0 : at.in_vc == at.state;
    const route_state hop = at.state + 1;
    options[0] = {port_id{0}, static_cast<vc_mask>(as_walked ? 1u << hop : 1u), hop};
    if (at.node == at.destination) options[0] = {port_id{2}, 1, 0};
    return 1;
  }
  unsigned state_bits() const override { return 2; }
};

netlist one_way_ring(node_id nodes) {
  netlist ring("ring", {nodes}, {{"node", 1}});
  for (node_id n = 0; n < nodes; ++n) ring.add_node({"next", "last"});
  for (node_id n = 0; n < nodes; ++n) ring.connect(n, 0, (n + 1) % nodes, 1, 1, 1);
  return ring;
}

/// By hand. Link n goes from node n to node n + 1.
TEST(witness, a_route_holds_and_wants_the_vcs_of_the_cycle) {
  const netlist ring = one_way_ring(4);
  const std::vector<cycle_step> steps = routes_over(ring, hop_by_hop_vcs{}, 4, {{0, 1}, {1, 2}, {2, 3}}, 8);
  std::vector<std::vector<unsigned>> routes;
  for (unsigned s = 0; s < steps.size(); ++s) {
    EXPECT_EQ(steps[s].held.link, s);
    EXPECT_EQ(steps[s].held.vc, s + 1);
    EXPECT_EQ(steps[s].vcs, 1u);
    for (const cycle_route& r : steps[s].routes) routes.push_back({s, r.source, r.destination, r.hops});
  }
  EXPECT_THAT(routes, testing::ElementsAre(testing::ElementsAre(0, 0, 2, 1), testing::ElementsAre(0, 0, 3, 1),
                                           testing::ElementsAre(1, 0, 3, 2)));
}

/// 4 million walks for a cycle: after 500 sources with 2000 destinations each, a step of four has had its part.
TEST(witness, routes_are_looked_for_in_a_limited_number_of_walks) {
  const netlist ring = one_way_ring(2000);
  const std::vector<channel> cycle{{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  const auto found = [&](terminal_id source) {
    talking_pairs pairs(1, 1);
    pairs.add(source, 2, 0);
    const std::vector<cycle_step> steps = routes_over(ring, one_way_round(ring), 1, cycle, 8, &pairs);
    std::vector<unsigned> hops;
    for (const cycle_route& r : steps.at(0).routes) hops.push_back(r.hops);
    return hops;
  };
  EXPECT_THAT(found(1500), testing::ElementsAre(501)) << "the 501st source";
  EXPECT_THAT(found(1499), testing::IsEmpty()) << "the 502nd source";
}

/// By hand. A packet more of a source weighs as much as 64 hops; among equals the first is taken.
TEST(witness, packets_of_a_candidate) {
  cycle_step first, second;
  first.routes = {{20, 9, 66}, {10, 8, 1}};
  second.routes = {{20, 7, 2}, {30, 6, 66}, {31, 5, 66}};
  witness_settings settings;
  settings.hop_cycles = 7;
  settings.flits = 5;
  settings.times = 3;
  using row = std::tuple<std::uint64_t, terminal_id, terminal_id, unsigned>;
  std::vector<row> packets;
  for (const witness_packet& p : witness_candidate({first, second}, settings))
    packets.emplace_back(p.cycle, p.source, p.destination, p.flits);
  EXPECT_THAT(packets, testing::ElementsAre(row{0, 20, 9, 5}, row{0, 30, 6, 5}, row{0, 31, 5, 5},
                                            row{448, 20, 7, 5}, row{455, 10, 8, 5}, row{455, 10, 8, 5}));
}

TEST(witness, no_routes_no_packets) { EXPECT_TRUE(witness_candidate({cycle_step{}}, {}).empty()); }

}  // namespace
}  // namespace toriscope::witness_test
