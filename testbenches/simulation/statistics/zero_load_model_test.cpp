// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/zero_load_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "topologies/path.h"
#include "topologies/registry.h"

namespace toriscope::zero_load_model_test {
namespace {

network_config config_of(pipeline p, unsigned depth) {
  network_config config;
  config.router.pipeline = p;
  config.router.depth = depth;
  return config;
}

std::uint64_t t0(const network_config& config, std::uint64_t routers, unsigned delay, std::uint32_t flits) {
  const topology any = make_topology("mesh:1x2");
  return zero_load_model(any.wiring, any.routing, config)
      .formula(routers, (routers - 1) * delay, delay, flits);
}

TEST(zero_load_model, figures_that_two_simulators_agree_on) {
  // four_stage, 16 flits, H = 1, 2, 5, 9, all delays 1
  const network_config config = config_of(pipeline::four_stage, 8);
  EXPECT_EQ(t0(config, 1, 1, 16), 20u);
  EXPECT_EQ(t0(config, 2, 1, 16), 24u);
  EXPECT_EQ(t0(config, 5, 1, 16), 36u);
  EXPECT_EQ(t0(config, 9, 1, 16), 52u);
}

TEST(zero_load_model, a_buffer_shorter_than_the_credit_loop_slows_the_body) {
  // x + 2D = 3 with D = 1: two flits in three cycles; 15 flits behind the head: 7 * 3 + 1
  EXPECT_EQ(t0(config_of(pipeline::four_stage, 2), 1, 1, 16), 3u + 2 + 22);
  EXPECT_EQ(t0(config_of(pipeline::four_stage, 3), 1, 1, 16), 3u + 2 + 15);
  // single_cycle: x + 2D = 2D = 10 with D = 5; 15 = 3 * 4 + 3: 30 + 3
  EXPECT_EQ(t0(config_of(pipeline::single_cycle, 4), 3, 5, 16), 10u + 2 + 33);
}

TEST(zero_load_model, paper2009_passes_a_flit_in_two_cycles) {
  // 16 flits over H - 1 links: H moves, H - 1 links, 2 links of the interface, 30 behind the head: 2 (H - 1) + 33
  EXPECT_EQ(t0(config_of(pipeline::paper2009, 1), 5, 1, 16), 2u * 4 + 33);
}

TEST(zero_load_model, flit_by_flit_is_the_formula_when_all_delays_are_equal) {
  const topology mesh = make_topology("mesh:1x6");
  for (link_id l = 0; l < mesh.wiring->links().size(); ++l) mesh.wiring->link(l).delay_cycles = 3;
  for (const unsigned depth : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
    network_config config = config_of(pipeline::four_stage, depth);
    config.injection_delay_cycles = 3;
    const zero_load_model model(mesh.wiring, mesh.routing, config);
    for (node_id to = 1; to < 6; ++to)
      for (const std::uint32_t flits : {1u, 2u, 7u, 16u, 33u})
        EXPECT_EQ(model.latency(0, to, flits), model.formula(to + 1, 3 * to, 3, flits))
            << depth << ' ' << to << ' ' << flits;
  }
}

TEST(zero_load_model, counted_hops_tell_what_the_walk_tells) {
  const topology torus = make_topology("torus:3x4");
  for (link_id l = 0; l < torus.wiring->links().size(); ++l) torus.wiring->link(l).delay_cycles = 2;
  for (const unsigned depth : {2u, 5u, 8u}) {  // below the credit loop no hops are counted
    const zero_load_model model(torus.wiring, torus.routing, config_of(pipeline::four_stage, depth));
    packet_record arrived;
    for (arrived.destination = 0; arrived.destination < 12; ++arrived.destination)
      for (const std::uint32_t flits : {1u, 16u}) {
        arrived.flits = flits;
        arrived.hops =
            static_cast<std::uint32_t>(walk(*torus.wiring, *torus.routing, 0, arrived.destination, 4).size());
        EXPECT_EQ(model.latency(0, arrived), model.latency(0, arrived.destination, flits)) << depth;
      }
  }
}

/// The buffers of the interface have credits, too, which come back after 11 cycles: a buffer of 8 is below that.
TEST(zero_load_model, counted_hops_know_of_the_credits_of_the_interface) {
  const topology torus = make_topology("torus:3x4");
  network_config config = config_of(pipeline::four_stage, 8);
  config.limited_reception = true;
  config.ejection_delay_cycles = 5;
  const zero_load_model model(torus.wiring, torus.routing, config);
  packet_record arrived;
  arrived.destination = 1;
  arrived.hops = 1;
  arrived.flits = 16;
  EXPECT_EQ(model.latency(0, arrived), model.latency(0, 1, 16));
}

TEST(zero_load_model, a_packet_to_its_own_node_by_hand) {
  // Depth 1: the head is granted in 3, its credit shown in 4, flit 1 sent in 4 and granted in 5, flit 2 in 7
  // ... flit 15 in 33, received in 35.
  const topology mesh = make_topology("mesh:1x6");
  EXPECT_EQ(zero_load_model(mesh.wiring, mesh.routing, config_of(pipeline::four_stage, 1)).latency(2, 2, 16),
            35u);
}

/// The options of another routing, the first of them twice or once.
struct with_options final : routing_function {
  with_options(std::shared_ptr<const routing_function> r, bool one_more, bool by_queues)
      : inner(std::move(r)), twice(one_more), queues(by_queues) {}
  unsigned route(const route_request& at, route_option* options) const override {
    EXPECT_TRUE(at.node != 0 || at.in_vc == 0) << "right after injection";
    const unsigned count = inner->route(at, options);
    if (twice) options[count] = options[0];
    return twice ? count + 1 : count;
  }
  unsigned state_bits() const override { return inner->state_bits(); }
  unsigned options_at_most() const override { return 2; }
  bool compares_queues() const override { return queues; }
  std::shared_ptr<const routing_function> inner;
  bool twice, queues;
};

TEST(zero_load_model, a_head_whose_options_are_compared_by_queues_has_one) {
  const topology mesh = make_topology("mesh:1x3");
  network_config config = config_of(pipeline::custom, 8);
  config.router.adaptive_delay_cycles = 2;
  const auto latency = [&](bool twice, bool queues) {
    const auto routing = std::make_shared<with_options>(mesh.routing, twice, queues);
    return zero_load_model(mesh.wiring, routing, config).latency(0, 1, 1);
  };
  // Two routers of RC, VA, SA and ST, a link, two links of the interface.
  EXPECT_EQ(latency(false, true), 2u * 3 + 1 + 2);
  EXPECT_EQ(latency(true, true), 2u * 3 + 1 + 2);
  EXPECT_EQ(latency(false, false), 2u * 3 + 1 + 2);
  EXPECT_EQ(latency(true, false), 2u * (3 + 2) + 1 + 2) << "RC takes two cycles more";
}

/// Nodes that may have values of their own, and have none, are worked out flit by flit.
TEST(zero_load_model, flit_by_flit_is_the_formula_where_that_holds) {
  std::uint64_t seed = 0;
  const auto below = [&seed](std::uint64_t n) { return static_cast<unsigned>(mix(++seed) % n); };
  for (int run = 0; run < 300; ++run) {
    const topology plain = make_topology("mesh:1x6"), own = make_topology("mesh:1x6");
    own.wiring->set_node_values(std::vector<own_node_values>(6));
    for (link_id l = 0; l < plain.wiring->links().size(); ++l) {
      const auto delay = static_cast<std::uint16_t>(1 + below(5));
      plain.wiring->link(l).delay_cycles = own.wiring->link(l).delay_cycles = delay;
    }
    network_config config = config_of(pipeline::custom, 1 + below(14));
    config.router.custom_stages = {below(3), below(3), below(2), 1 + below(2)};
    config.router.lookahead = below(2) == 1;
    config.router.speculative = config.router.custom_stages.va == 1 && below(2) == 1;
    config.injection_delay_cycles = 1 + below(5);
    config.ejection_delay_cycles = 1 + below(5);
    config.credit_delay_cycles = below(3);
    config.limited_reception = below(2) == 1;
    const zero_load_model formula(plain.wiring, plain.routing, config), flit_by_flit(own.wiring, own.routing, config);
    EXPECT_FALSE(flit_by_flit.hops_tell());
    for (node_id to = 0; to < 6; ++to)
      for (const std::uint32_t flits : {1u, 2u, 7u, 20u})
        EXPECT_EQ(formula.latency(1, to, flits), flit_by_flit.latency(1, to, flits))
            << run << ' ' << to << ' ' << flits;
  }
}

/// In router 1 there is room for a flit: from the second on they leave router 0 every 3 cycles, in 8, 11 ... 50, after
/// the head in 3, which needs 2 cycles more in router 1. The last leaves router 1 in 52 and router 2 in 54, and is in
/// its destination in 56.
TEST(zero_load_model, a_node_may_have_a_shorter_buffer) {
  const topology mesh = make_topology("mesh:1x3");
  mesh.wiring->set_node_values({{}, {0, 1, ""}, {}});
  EXPECT_EQ(zero_load_model(mesh.wiring, mesh.routing, config_of(pipeline::four_stage, 8)).latency(0, 2, 16), 56u);
}

/// Of 4096 answers the last is remembered: those of pairs that have one place in common are not mixed up.
TEST(zero_load_model, remembers_which_pair_an_answer_is_of) {
  const topology row = make_topology("mesh:1x128");
  const zero_load_model model(row.wiring, row.routing, config_of(pipeline::four_stage, 8));
  for (int turn = 0; turn < 2; ++turn)
    for (const node_id source : {0u, 32u, 64u})
      for (const std::uint32_t flits : {3u, 4u}) {
        const unsigned hops = source < 40 ? 40 - source : source - 40;
        EXPECT_EQ(model.latency(source, 40, flits), 4 * hops + 5 + flits - 1) << source;
      }
  const topology long_row = make_topology("mesh:1x8192");
  const zero_load_model of_long_row(long_row.wiring, long_row.routing, config_of(pipeline::four_stage, 8));
  for (const node_id to : {1u, 4097u, 1u}) EXPECT_EQ(of_long_row.latency(0, to, 1), 4u * to + 5);
}

/// Of two ways to the opposite corner the one that begins downwards has longer links.
TEST(zero_load_model, remembers_which_way_an_answer_is_of) {
  topology_options options;
  options.routing = "o1turn";
  const topology mesh = make_topology("mesh:3x3", options);
  mesh.wiring->link(mesh.wiring->ports(0)[mesh.wiring->port_named(0, "y+")].out).delay_cycles = 8;
  const zero_load_model model(mesh.wiring, mesh.routing, config_of(pipeline::four_stage, 64));
  std::vector<std::uint64_t> found;
  for (const route_state drawn : {0u, 1u, 0u, 1u}) found.push_back(model.latency(0, 8, 1, drawn));
  EXPECT_EQ(std::min(found[0], found[1]), 4u * 4 + 5);
  EXPECT_EQ(std::max(found[0], found[1]), 4u * 4 + 5 + 7);
  EXPECT_EQ(found[2], found[0]);
  EXPECT_EQ(found[3], found[1]);
}

TEST(zero_load_model, walks_the_route_with_its_delays) {
  topology torus = make_topology("mesh:1x4");
  torus.wiring->link(0).delay_cycles = 1;
  for (link_id l = 0; l < torus.wiring->links().size(); ++l)
    torus.wiring->link(l).delay_cycles = static_cast<std::uint16_t>(1 + torus.wiring->links()[l].from);
  const zero_load_model model(torus.wiring, torus.routing, config_of(pipeline::single_cycle, 64));
  EXPECT_EQ(model.latency(0, 0, 1), 2u);
  EXPECT_EQ(model.latency(0, 3, 1), 1u + 2 + 3 + 2);
  EXPECT_EQ(model.latency(3, 1, 10), 4u + 3 + 2 + 9);
}

/// four_stage: the credit loop is x + 2 D = 5 with D = 2.
TEST(zero_load_model, hops_tell_where_buffers_are_as_long_as_the_credit_loop_and_links_are_alike) {
  const topology torus = make_topology("torus:3x4");
  for (link_id l = 0; l < torus.wiring->links().size(); ++l) torus.wiring->link(l).delay_cycles = 2;
  const auto tell = [&](unsigned depth) {
    return zero_load_model(torus.wiring, torus.routing, config_of(pipeline::four_stage, depth)).hops_tell();
  };
  EXPECT_FALSE(tell(4));
  EXPECT_TRUE(tell(5));
  torus.wiring->link(3).flit_cycles = 2;
  EXPECT_FALSE(tell(5));
  torus.wiring->link(3).flit_cycles = 1;
  torus.wiring->link(3).delay_cycles = 1;
  EXPECT_FALSE(tell(5));
}

/// The credit loop of the interface, too: x + 2 D = 7 with D = 3.
TEST(zero_load_model, hops_tell_where_the_interface_is_near_enough_and_pairs_have_one_route) {
  const topology torus = make_topology("torus:3x4");
  network_config config = config_of(pipeline::four_stage, 6);
  const auto tell = [&](const topology& t) { return zero_load_model(t.wiring, t.routing, config).hops_tell(); };
  config.injection_delay_cycles = 3;
  EXPECT_FALSE(tell(torus));
  config.router.depth = 7;
  EXPECT_TRUE(tell(torus));
  config.ejection_delay_cycles = 4;
  EXPECT_TRUE(tell(torus)) << "there are no credits from the destination";
  config.limited_reception = true;
  EXPECT_FALSE(tell(torus));
  config.router.depth = 9;
  EXPECT_TRUE(tell(torus));
  const zero_load_model model(torus.wiring, torus.routing, config);
  for (const std::uint32_t flits : {1u, 16u}) {
    EXPECT_EQ(model.latency_over(0, flits), 3 + 3 + 4 + flits - 1) << "P - 1 = 3";
    EXPECT_EQ(model.latency_over(2, flits), 3 * 3 + 3 + 2 + 4 + flits - 1);
  }
  EXPECT_TRUE(model.one_route());
  EXPECT_FALSE(tell(make_topology("crossbar:4"))) << "there are no links";
  topology adaptive = torus;
  adaptive.routing = std::make_shared<with_options>(torus.routing, true, false);
  EXPECT_FALSE(tell(adaptive));
  EXPECT_FALSE(zero_load_model(adaptive.wiring, adaptive.routing, config).one_route());
}

}  // namespace
}  // namespace toriscope::zero_load_model_test
