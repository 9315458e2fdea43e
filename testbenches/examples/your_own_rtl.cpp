// SPDX-License-Identifier: Apache-2.0
// A user's RTL router in some nodes of a mesh, from its description: docs/your_own_rtl.md.
#include <cstdio>
#include <exception>
#include <systemc>

#include "network/network.h"
#include "rtl_models/user_rtl/user_rtl_routers.h"
#include "topologies/registry.h"

using namespace toriscope;

int sc_main(int argc, char* argv[]) try {
  topology_options options;
  options.routing = "xy";
  const topology mesh = make_topology("mesh:4x4", options);
  network_config config;
  config.router.vcs = options.vcs;
  const user_rtl_routers user_routers(router_description::read(argc > 1 ? argv[1] : "wormhole.json"),
                                      *mesh.wiring, *mesh.routing, config, {5, 6, 9, 10});
  network net("mesh", mesh.wiring, mesh.routing, config, user_routers.factory());
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  net.clk(clock);
  for (node_id from = 0; from < 16; ++from)
    for (node_id to = 0; to < 16; ++to) net.send({from, to, 4});
  sc_core::sc_start(2000, sc_core::SC_NS);
  std::printf("%lu packets arrived, %s\n", static_cast<unsigned long>(net.counters().packets_received),
              net.idle() ? "none is left" : "some are left");
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
