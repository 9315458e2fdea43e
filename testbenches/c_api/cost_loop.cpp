// SPDX-License-Identifier: Apache-2.0
// For tests: the loop of cost_loop.c in C++, stepped without SystemC's kernel, or cycle by cycle with it
// (c_api_cost.py).
//   cost_loop CYCLES [kernel]
#include <cstdlib>
#include <iostream>
#include <optional>

#include "network/network.h"
#include "network/simulation_context.h"
#include "testbenches/simulation/configuration/resolved_run.h"
#include "testbenches/simulation/simulate.h"

namespace {

using namespace toriscope;

struct traffic : traffic_source, packet_sink {
  void packets_at(cycle_t, std::vector<packet_request>& out) override {
    state = state * 6364136223846793005u + 1442695040888963407u;
    out.push_back({static_cast<node_id>(state >> 40 & 63), static_cast<node_id>(state >> 50 & 63), 8, 0});
  }
  void packet_received(packet_id, const packet_record& packet, cycle_t received) override {
    latency += received - packet.created;
  }
  std::uint64_t state = 1;
  std::uint64_t latency = 0;
};

void loop(cycle_t cycles, bool kernel) {
  const named_config named = config_from_text(R"({"topology": "torus:8x8"})", "configuration");
  const auto [config, made] = resolve(named.config, named.given);
  network net("torus", made.wiring, made.routing, config.network);
  const sc_core::sc_time period(1, sc_core::SC_NS);
  std::optional<sc_core::sc_clock> clock;
  if (kernel)
    net.clk(clock.emplace("clk", period));
  else
    net.leave_kernel(period);
  traffic packets;
  net.set_source(&packets);
  net.add_sink(&packets);
  if (kernel) sc_core::sc_start(0.5 * period);
  while (net.cycles_done() < cycles) kernel ? sc_core::sc_start(period) : net.step();
  std::cout << packets.latency << '\n';
}

}  // namespace

int sc_main(int argc, char** argv) {
  const cycle_t cycles = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  if (argc > 2) return loop(cycles, true), 0;
  const toriscope::simulation_context context;
  const toriscope::simulation_context::entry here(context);
  loop(cycles, false);
  return 0;
}
