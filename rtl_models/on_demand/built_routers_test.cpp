// SPDX-License-Identifier: Apache-2.0
// Which nodes are rejected before anything is built: the Verilator that is named is not there. What is built
// runs in networks of the program's tests (cosim_test.cpp).
#include "rtl_models/on_demand/built_routers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error_of_test.h"
#include "topologies/registry.h"

namespace toriscope::built_routers_test {
namespace {

/// Of node 1 in a row of three.
std::string said_of_node_1(const network_config& config, const topology& made) {
  setenv("TORISCOPE_VERILATOR", "/nowhere/verilator", 1);
  const std::string said =
      error_of([&] { built_routers(*made.wiring, *made.routing, config, {1}, built_routers::options{}); });
  unsetenv("TORISCOPE_VERILATOR");
  return said.substr(0, said.find(';'));
}

TEST(built_routers, nodes_that_the_rtl_cannot_stand_in_for) {
  const topology made = make_topology("mesh:3");
  network_config config;
  EXPECT_EQ(said_of_node_1(config, made).substr(0, 34), "'/nowhere/verilator' cannot be run");
  const link_id from_1 = made.wiring->ports(1)[0].out, to_1 = made.wiring->ports(1)[0].in;
  config.dead_links = {{to_1, 100}};
  EXPECT_EQ(said_of_node_1(config, made).substr(0, 34), "'/nowhere/verilator' cannot be run");
  config.dead_links = {{to_1, 100}, {from_1, 100}};
  EXPECT_EQ(said_of_node_1(config, made), "mesh.node_1: the RTL router does not know of dead links");
  config.dead_links = {};
  config.router.pipeline = pipeline::paper2009;
  config.router.depth = 1;
  EXPECT_EQ(said_of_node_1(config, made), "mesh.node_1: the RTL router is single_cycle or four_stage");
}

TEST(built_routers, registers_begin_with_zeros_unless_a_seed_is_given) {
  EXPECT_EQ(built_routers::options{}.random_state_seed, 0);
  EXPECT_EQ(rtl_instance_start{}.random_state_seed, 0);
}

/// By the header of sv/router.sv: 64 bits of a flit by port, a credit by VC, 7 bits by output VC, 8 by port.
TEST(built_routers, pins_of_the_rtl) {
  rtl_parameters parameters;
  parameters.ports = 3;
  parameters.vcs = 2;
  parameters.destination_bits = 6;
  std::string pins;
  for (const rtl_design::pin& p : router_design(parameters).pins)
    pins += p.name + ' ' + std::to_string(p.bits) + (p.is_output ? " out\n" : "\n");
  EXPECT_EQ(pins,
            "clk_i 1\nrst_i 1\nslots_i 42\nflit_cycles_i 24\nnode_i 6\nflit_i 192\ncredit_i 6\n"
            "flit_o 192 out\ncredit_o 6 out\n");
}

}  // namespace
}  // namespace toriscope::built_routers_test
