// SPDX-License-Identifier: Apache-2.0
// Every routing of every network at saturation: no watchdog fires and packets go on arriving. Some thousand
// cycles; with TORISCOPE_LONG=1 in the environment 100,000.
#include <memory>
#include <systemc>

#include "network/network.h"
#include "testbenches/reference/child_process.h"
#include "testbenches/reference/every_routing/routed_networks.h"
#include "testbenches/reference/tier.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/traffic/synthetic_source.h"
#include "topologies/proof/deadlock_proof.h"

namespace toriscope::saturation_test {
namespace {

std::string saturate(const routed_network& n, cycle_t cycles) {
  const topology made = make_topology(n.spec, n.options);
  network_config config;
  config.router.vcs = n.options.vcs;
  config.router.depth = 2;
  if (has_escape(*made.routing, n.options.vcs)) config.router.vc_reallocation = vc_reallocation::atomic;
  config.watchdog_cycles = 2000;
  config.on_failure = failure_action::stop;
  synthetic_source::config traffic;
  traffic.rate_flits_per_node_cycle = 0.5;
  traffic.lengths = packet_lengths("16");
  synthetic_source source(made.wiring->terminal_count(), make_pattern("uniform", made.wiring, {}), traffic);
  auto& clock = reference::keep(std::make_unique<sc_core::sc_clock>("clock", 1, sc_core::SC_NS));
  auto& net = reference::keep(std::make_unique<network>("net", made.wiring, made.routing, config));
  net.clk(clock);
  net.set_source(&source);
  std::uint64_t before = 0;
  while (net.cycles_done() < cycles) {
    sc_core::sc_start(1000, sc_core::SC_NS);
    if (net.failure()) return net.failure()->message;
    const std::uint64_t received = net.counters().packets_received;
    if (received == before) return "nothing arrived in 1000 cycles";
    before = received;
  }
  return net.check_conservation();
}

class at_saturation : public testing::TestWithParam<routed_network> {};

TEST_P(at_saturation, nothing_freezes) {
  EXPECT_EQ(reference::run_in_child([] { return saturate(GetParam(), is_long_tier() ? 100000 : 3000); }), "");
}

INSTANTIATE_TEST_SUITE_P(all, at_saturation, testing::ValuesIn(routed_networks()), name_of_test);

}  // namespace
}  // namespace toriscope::saturation_test
