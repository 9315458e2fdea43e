// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_eligibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topologies/registry.h"
#include "topologies/route_arithmetic.h"

namespace toriscope::rtl_eligibility_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

topology network_of(const std::string& spec) {
  topology_options options;
  options.vcs = 2;
  return make_topology(spec, options);
}

router_config config_of(unsigned depth) {
  router_config config;
  config.vcs = 2;
  config.depth = depth;
  return config;
}

/// Those of sv/router.sv, and what each field is called there.
TEST(rtl_parameters, have_the_defaults_of_the_rtl) {
  EXPECT_EQ(to_string(rtl_parameters{}),
            "PORTS 5, VCS 4, DEPTH 8, DST_BITS 4, STATE_BITS 1, FOUR_STAGE 0, LOCAL_PORTS 1, "
            "LOCAL_CREDITS 0, DRAINED 0, OPTIONS 1, CLASS_BITS 0, INDEX_BITS 0, IN_VCS 4, OUT_DEPTH 0, "
            "NARROW 0, WEIGHT_BITS 0");
  EXPECT_EQ(rtl_start{}.random_state_seed, 0) << "zeros";
}

TEST(rtl_parameters, differ_in_each_field) {
  const auto differs = [](auto change) {
    rtl_parameters other;
    change(other);
    return other != rtl_parameters{} && !(other == rtl_parameters{});
  };
  EXPECT_FALSE(differs([](rtl_parameters&) {}));
  for (unsigned rtl_parameters::*const number :
       {&rtl_parameters::ports, &rtl_parameters::local_ports, &rtl_parameters::vcs, &rtl_parameters::in_vcs,
        &rtl_parameters::depth, &rtl_parameters::out_depth, &rtl_parameters::destination_bits,
        &rtl_parameters::state_bits})
    EXPECT_TRUE(differs([&](rtl_parameters& p) { p.*number = 9 + p.*number; }));
  for (bool rtl_parameters::*const flag : {&rtl_parameters::four_stage, &rtl_parameters::narrow,
                                           &rtl_parameters::local_credits, &rtl_parameters::drained})
    EXPECT_TRUE(differs([&](rtl_parameters& p) { p.*flag = true; }));
  for (unsigned route_table_format::*const number :
       {&route_table_format::options, &route_table_format::weight_bits, &route_table_format::class_bits,
        &route_table_format::index_bits})
    EXPECT_TRUE(differs([&](rtl_parameters& p) { p.table.*number = 7; }));
}

/// The middle of a row of three has links to two neighbours, and four of twelve terminals.
TEST(rtl_parameters, of_a_node) {
  const topology made = network_of("cmesh:3,4");
  router_config own = config_of(6);
  own.pipeline = pipeline::single_cycle;
  EXPECT_EQ(to_string(parameters_of(*made.wiring, 1, flit_layout(12, 0), config_of(6), own, true)),
            "PORTS 6, VCS 2, DEPTH 6, DST_BITS 4, STATE_BITS 0, FOUR_STAGE 0, LOCAL_PORTS 4, "
            "LOCAL_CREDITS 1, DRAINED 0, OPTIONS 1, CLASS_BITS 0, INDEX_BITS 0, IN_VCS 2, OUT_DEPTH 0, "
            "NARROW 0, WEIGHT_BITS 0");
}

TEST(rtl_parameters, constants_of_arithmetic_are_one_number) {
  route_arithmetic arithmetic;
  EXPECT_EQ(to_verilog(arithmetic), "512'h0");
  arithmetic.words[0] = 0x20;
  arithmetic.words[1] = 0xa;
  EXPECT_EQ(to_verilog(arithmetic), "512'ha0000000000000020");
}

/// Where a single node is not as the network says, the first or the last.
TEST(rtl_parameters, the_largest_depth_behind_a_router) {
  const topology made = network_of("mesh:3");
  netlist& wiring = *made.wiring;
  EXPECT_EQ(out_depth_of(wiring, config_of(4)), 0u);
  wiring.set_node_values({{0, 7}, {}, {}});
  EXPECT_EQ(out_depth_of(wiring, config_of(4)), 7u);
  wiring.set_node_values({{}, {}, {0, 3}});
  EXPECT_EQ(out_depth_of(wiring, config_of(4)), 4u);
  wiring.set_node_values({{1, 0}, {}, {}});
  EXPECT_EQ(out_depth_of(wiring, config_of(4)), 4u);
  EXPECT_FALSE(has_narrow_links(wiring));
  wiring.link(3).flit_cycles = 2;
  EXPECT_TRUE(has_narrow_links(wiring));
}

/// Node 1 of a row of three: two links, then a port of the RTL without a link, then its own, by two VCs each.
TEST(rtl_eligibility, constants_of_a_node) {
  const topology made = network_of("mesh:3");
  netlist& wiring = *made.wiring;
  rtl_parameters rtl;
  rtl.ports = 4;
  rtl.vcs = 2;
  EXPECT_THAT(slots_behind(wiring, 1, config_of(1), rtl), IsEmpty()) << "all are alike";
  EXPECT_THAT(flit_cycles_behind(wiring, 1, rtl), IsEmpty());
  const port_id to_0 = wiring.port_named(1, "x-");
  wiring.set_node_values({{1, 0}, {}, {}});
  rtl.out_depth = out_depth_of(wiring, config_of(1));
  EXPECT_EQ(rtl.out_depth, 1u);
  std::vector<unsigned> slots{1, 1, 1, 1, 0, 0, 1, 1};
  slots[to_0 * 2u + 1] = 0;  // node 0 has one VC
  EXPECT_EQ(slots_behind(wiring, 1, config_of(1), rtl), slots);
  rtl.narrow = true;
  wiring.link(wiring.ports(1)[to_0].out).flit_cycles = 4;
  std::vector<unsigned> cycles{1, 1, 1, 1};
  cycles[to_0] = 4;
  EXPECT_EQ(flit_cycles_behind(wiring, 1, rtl), cycles);
}

/// Ports 0 and 1 are links; of the RTL's six, 2 and 3 are tied off, 4 is the node's own.
TEST(rtl_eligibility, ports_of_rtl_with_more_of_them) {
  const topology made = network_of("mesh:3");
  rtl_parameters rtl;
  rtl.ports = 6;
  rtl.local_ports = 2;
  const auto of_rtl = [&](unsigned p) { return port_of_rtl(*made.wiring, 1, p, rtl); };
  const auto of_node = [&](unsigned q) { return port_of_node(*made.wiring, 1, q, rtl); };
  EXPECT_THAT((std::vector<unsigned>{of_rtl(0), of_rtl(1), of_rtl(2)}), ElementsAre(0, 1, 4));
  EXPECT_THAT((std::vector<unsigned>{of_node(0), of_node(1), of_node(4)}), ElementsAre(0, 1, 2));
  for (const unsigned tied : {2u, 3u, 5u}) EXPECT_GE(of_node(tied), made.wiring->port_count(1)) << tied;
}

TEST(rtl_eligibility, pipelines_and_policies_of_the_rtl) {
  router_config config;
  for (const pipeline p : {pipeline::single_cycle, pipeline::four_stage}) {
    config.pipeline = p;
    EXPECT_EQ(obstacle_to_rtl(config), "");
  }
  config.pipeline = pipeline::custom;
  EXPECT_THAT(obstacle_to_rtl(config), HasSubstr("; the network is staged with other policies"));
}

/// Node 0 sends to node 1 alone: node 2 may have what it likes. A VC or a slot of its own is one alone.
TEST(rtl_eligibility, a_users_router_has_neighbours_like_it) {
  const topology made = network_of("mesh:3");
  netlist& wiring = *made.wiring;
  const auto said = [&](std::vector<own_node_values> values) {
    wiring.set_node_values(std::move(values));
    return obstacle_to_user_rtl(wiring, 0, false);
  };
  EXPECT_EQ(said({}), "");
  EXPECT_EQ(said({{}, {}, {2, 2}}), "");
  EXPECT_EQ(said({{0, 0, "single_cycle"}, {}, {}}), "");
  EXPECT_THAT(said({{}, {1, 0}, {}}), HasSubstr("so have those behind it; node_1 has its own"));
  EXPECT_THAT(said({{}, {0, 1}, {}}), HasSubstr("so have those behind it; node_1 has its own"));
  EXPECT_THAT(said({{2, 2}, {}, {}}), HasSubstr("so have those behind it; node_0 has its own"));
  EXPECT_THAT(obstacle_to_user_rtl(*network_of("mesh:3").wiring, 0, true),
              HasSubstr("does not compare queues"));
}

}  // namespace
}  // namespace toriscope::rtl_eligibility_test
