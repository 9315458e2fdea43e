// SPDX-License-Identifier: Apache-2.0
// What CONTRIBUTING.md shows does what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "base/hash.h"
#include "docs/adding/all_to_all.h"
#include "docs/adding/cut_through.h"
#include "docs/adding/half_way_pattern.h"
#include "docs/adding/least_served_arbiters.h"
#include "docs/adding/star.h"
#include "docs/adding/two_stage.h"
#include "docs/adding/wavefront.h"
#include "docs/adding/xy_routing.h"
#include "network/network.h"
#include "router/router_bench.h"
#include "testbenches/simulation/workloads/workload_registry.h"

namespace toriscope {
namespace {

// The registries take them as they are.
static_assert(std::is_convertible_v<decltype(&make_star), decltype(topology_kind::make)>);
static_assert(std::is_base_of_v<traffic_pattern, half_way_pattern>);
static_assert(std::is_convertible_v<decltype(&make_all_to_all), workload_maker*>);

struct hop_counter : packet_sink {
  std::map<std::pair<node_id, node_id>, unsigned> hops;
  void packet_received(packet_id, const packet_record& p, cycle_t) override {
    hops[{p.source, p.destination}] = p.hops;
  }
};

// One network per process is the rule of SystemC; several side by side before the start are fine.
TEST(adding, networks_deliver_every_pair_over_the_hops_expected) {
  const topology star = make_star("6", {});
  const topology mesh = make_topology("mesh:3x5");
  const auto xy = std::make_shared<xy_routing>(*mesh.wiring, 4);
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  network star_net("star", star.wiring, star.routing, {});
  network mesh_net("mesh", mesh.wiring, xy, {});
  hop_counter star_hops, mesh_hops;
  workload_setup setup;
  setup.wiring = mesh.wiring;
  const std::unique_ptr<workload> exchange = make_all_to_all(setup);
  network exchange_net("exchange", mesh.wiring, xy, {});
  exchange_net.clk(clock);
  exchange_net.set_source(&exchange->source());
  exchange->attach(exchange_net);
  setup.wiring = make_topology("cmesh:3x3,2").wiring;
  std::vector<packet_request> of_terminals;
  make_all_to_all(setup)->source().packets_at(0, of_terminals);
  EXPECT_EQ(of_terminals.size(), 18u * 17) << "of terminals, not of routers";
  for (auto [net, hops] : {std::pair(&star_net, &star_hops), std::pair(&mesh_net, &mesh_hops)}) {
    net->clk(clock);
    net->add_sink(hops);
    for (node_id s = 0; s < net->wiring().node_count(); ++s)
      for (node_id d = 0; d < net->wiring().node_count(); ++d) net->send({s, d, 3});
  }
  sc_core::sc_start(2, sc_core::SC_US);

  EXPECT_EQ(exchange_net.counters().packets_received, 15u * 14);
  const statistics figures = exchange->figures(exchange_net.cycles_done(), exchange_net.counters());
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(to_text(figures[0].value), "210");
  EXPECT_EQ(to_text(figures[1].value), std::to_string(exchange_net.cycles_done())) << "all of them arrived";
  ASSERT_EQ(star_hops.hops.size(), 36u);
  for (const auto& [pair, hops] : star_hops.hops) {
    const bool hub = pair.first == 0 || pair.second == 0;
    EXPECT_EQ(hops, pair.first == pair.second ? 0u : hub ? 1u : 2u) << pair.first << " to " << pair.second;
  }
  ASSERT_EQ(mesh_hops.hops.size(), 225u);
  for (const auto& [pair, hops] : mesh_hops.hops) {
    const int s = static_cast<int>(pair.first), d = static_cast<int>(pair.second);
    EXPECT_EQ(static_cast<int>(hops), std::abs(s % 5 - d % 5) + std::abs(s / 5 - d / 5)) << s << " to " << d;
  }
  // x first: from corner 0 to corner 14 along the row, then down the column.
  route_option way[routing_function::max_options];
  ASSERT_EQ(xy->route({/*node*/ 0, mesh.wiring->local_port(0), 0, /*destination*/ 14, 0}, way), 1u);
  EXPECT_EQ(mesh.wiring->port_name(0, way[0].out_port), "x+");
  ASSERT_EQ(xy->route({/*node*/ 4, mesh.wiring->port_named(4, "x-"), 0, /*destination*/ 14, 0}, way), 1u);
  EXPECT_EQ(mesh.wiring->port_name(4, way[0].out_port), "y+");
}

TEST(adding, the_least_served_goes_first) {
  arena memory;
  least_served_arbiters bank(memory, 2, 3);
  std::vector<unsigned> served;
  for (int i = 0; i < 7; ++i) {
    const requester a{0, 7}, b{i < 2 ? 1u : 2u, 5};  // 0 always asks, 1 twice, then 2
    EXPECT_NE(bank.before(1, a, b), bank.before(1, b, a));
    served.push_back(bank.before(1, a, b) ? a.number : b.number);
    bank.granted(1, served.back());
  }
  EXPECT_THAT(served, testing::ElementsAre(0, 1, 2, 0, 2, 0, 2));
  EXPECT_TRUE(bank.before(0, {1, 7}, {2, 5})) << "the other arbiter has a state of its own";
}

request_list requests_of(const std::set<std::pair<unsigned, unsigned>>& pairs) {
  request_list list;  // input port p requests output port o by its VC o
  for (const auto& [p, o] : pairs)
    list.push_back(
        {0, static_cast<std::uint16_t>(p), static_cast<std::uint16_t>(o), static_cast<std::uint8_t>(o), 0});
  return list;
}

TEST(adding, wavefront_leaves_no_pair_that_could_still_be_matched) {
  constexpr unsigned ports = 5;
  arena memory;
  wavefront all_ports(memory, {arbiter_kind::round_robin, ports, ports, ports, true});
  tentative_grants space;
  for (std::uint64_t round = 0; round < 300; ++round) {
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (unsigned i = 0; i < ports * ports; ++i)
      if (mix(round, i) % 3 == 0) pairs.insert({i / ports, i % ports});
    request_list grants;
    all_ports.allocate(requests_of(pairs), space, grants);
    std::set<unsigned> inputs, outputs;
    for (const allocation_request& g : grants) {
      EXPECT_EQ(pairs.count({g.requester, g.resource}), 1u);
      EXPECT_TRUE(inputs.insert(g.requester).second && outputs.insert(g.resource).second) << round;
      all_ports.update_priorities(g, true);
    }
    for (const auto& [p, o] : pairs) EXPECT_TRUE(inputs.count(p) + outputs.count(o) > 0) << round;
  }
}

TEST(adding, wavefront_serves_every_pair_in_turn) {
  constexpr unsigned ports = 4;
  std::set<std::pair<unsigned, unsigned>> pairs, served;
  for (unsigned i = 0; i < ports * ports; ++i) pairs.insert({i / ports, i % ports});
  arena memory;
  wavefront all_ports(memory, {arbiter_kind::round_robin, ports, ports, ports, true});
  tentative_grants space;
  for (unsigned round = 0; round < ports; ++round) {
    request_list grants;
    all_ports.allocate(requests_of(pairs), space, grants);
    EXPECT_EQ(grants.size(), ports);
    for (const allocation_request& g : grants) {
      all_ports.update_priorities(g, true);
      EXPECT_TRUE(served.insert({g.requester, g.resource}).second) << "served before another pair was";
    }
  }
}

/// A router with a pipeline of these pages.
template <void (*Step)(router_state&, router_shape, cycle_t)>
struct router_with : router_state {
  using router_state::router_state;
  void step(cycle_t now, arrival_mask arrivals) {
    for (unsigned p = 0; p < ports; ++p) {
      if (arrivals >> credit_arrival(p) & 1u) take_credits(shape, p, now);
      if (arrivals >> flit_arrival(p) & 1u) take_flit(shape, p, now);
    }
    Step(*this, shape, now);
  }
};

/// From cycle 10 on a packet of four flits comes in at port 0, the next one right behind it on another VC. Both
/// leave by port 1, whose credits come back from cycle 30 on, one in two cycles.
template <class Router>
std::map<cycle_t, flit_word> two_packets(router_config config, vc_mask allowed) {
  bench_of<Router> b(config, allowed);
  b.run_to(9);
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned vc = i / 4;
    b.show(10 + i, 0, i % 4 == 0 ? b.head(1, vc) : b.body(i % 4, vc, i % 4 == 3));
    b.run_to(10 + i);
  }
  for (cycle_t t = 30; t < 38; t += 2) {
    b.run_to(t - 1);
    b.credits_in[1]->send(t - 1, {1});
  }
  b.run_to(60);
  return b.sent[1];
}

TEST(adding, two_stages_are_the_configurable_pipeline_with_these_counts) {
  router_config staged = config_of(pipeline::custom);
  staged.custom_stages = {0, 1, 0, 1};
  for (const vc_mask allowed : {vc_mask{1}, vc_mask{3}}) {
    const auto sent = two_packets<router_with<step_two_stage>>(config_of(pipeline::single_cycle), allowed);
    EXPECT_EQ(sent, two_packets<router>(staged, allowed));
    EXPECT_EQ(sent.begin()->first, 11u);
  }
}

void step_cut_through(router_state& r, router_shape n, cycle_t now) {
  r.compute_routes(n);
  r.latch(n);
  if (r.va_worthwhile) allocate_vcs_with_room(r, 4);
  r.latch(n);
  switch_flits(r, n, now, 0);
}

std::vector<cycle_t> cycles_of(const std::map<cycle_t, flit_word>& sent) {
  std::vector<cycle_t> cycles;
  for (const auto& [t, f] : sent) cycles.push_back(t);
  return cycles;
}

TEST(adding, cut_through_waits_for_room_for_the_whole_packet) {
  const router_config config = config_of(pipeline::single_cycle);
  EXPECT_THAT(cycles_of(two_packets<router>(config, 1)),
              testing::ElementsAre(10, 11, 12, 13, 30, 32, 34, 36));
  EXPECT_THAT(cycles_of(two_packets<router_with<step_cut_through>>(config, 1)),
              testing::ElementsAre(10, 11, 12, 13, 36, 37, 38, 39));
}

TEST(adding, half_of_the_packets_go_half_way_round) {
  const half_way_pattern pattern(16);
  random_stream random(1, 5);
  std::map<node_id, unsigned> count;
  for (int i = 0; i < 15000; ++i) ++count[pattern.destination(5, random)];
  EXPECT_EQ(count.count(5), 0u);
  EXPECT_EQ(count.size(), 15u);
  EXPECT_NEAR(count[13], 7500 + 500, 400);
  EXPECT_NEAR(count[0], 500, 150);
}

}  // namespace
}  // namespace toriscope
