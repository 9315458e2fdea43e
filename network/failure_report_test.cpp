// SPDX-License-Identifier: Apache-2.0
// A network that fails tells the simulation: an SC_ERROR with a stable message id, by default thrown out of
// sc_start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/hash.h"
#include "network/network.h"
#include "topologies/registry.h"

namespace toriscope::failure_report_test {
namespace {

using testing::HasSubstr;

class uniform_source final : public traffic_source {
 public:
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    for (node_id n = 0; n < 256; ++n)
      if (mix(now, n) % 40 == 0) out.push_back({n, static_cast<node_id>(mix(now, n, 1) % 256), 16});
  }
};

TEST(failure_report, a_deadlock_is_thrown_out_of_sc_start) {
  topology_options options;
  options.vc_rule = "paper";
  const topology made = make_topology("ttn:2,2,0", options);
  network_config config;
  config.watchdog_cycles = 400;
  sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
  network net("net", made.wiring, made.routing, config);
  uniform_source source;
  net.clk(clock);
  net.set_source(&source);
  std::string id, text;
  try {
    sc_core::sc_start(20, sc_core::SC_US);
  } catch (const sc_core::sc_report& report) {
    id = report.get_msg_type();
    text = report.get_msg();
    EXPECT_EQ(report.get_severity(), sc_core::SC_ERROR);
  }
  EXPECT_EQ(id, "/toriscope/network/deadlock");
  ASSERT_NE(net.failure(), nullptr);
  EXPECT_THAT(text, HasSubstr("net: " + net.failure()->message + "\n  " + net.failure()->detail.front()));
}

TEST(failure_report, a_broken_invariant_has_an_id_of_its_own) {
  network_failure failure;
  failure.message = "broken invariant in cycle 7: a credit too many";
  try {
    report_failure("net", failure);
    FAIL();
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), "/toriscope/network/invariant");
    EXPECT_THAT(report.get_msg(), HasSubstr("net: broken invariant in cycle 7"));
  }
}

/// Breaks the invariants of its network in cycle 5.
struct breaking_source final : traffic_source {
  explicit breaking_source(network& n) : net(n) {}
  void packets_at(cycle_t now, std::vector<packet_request>&) override {
    if (now == 5) net.fail(1, "odd");
  }
  network& net;
};

/// In a process of its own, whose kernel stops, also where errors of SystemC throw nothing.
TEST(failure_report_DeathTest, the_simulation_stops_where_nothing_is_thrown) {
  const auto outcome = [](failure_action action) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
    const topology made = make_topology("mesh:2x1");
    network_config config;
    config.on_failure = action;
    sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
    network net("net", made.wiring, made.routing, config);
    breaking_source source(net);
    net.clk(clock);
    net.set_source(&source);
    sc_core::sc_start(100, sc_core::SC_NS);
    const bool in_time = sc_core::sc_time_stamp() == sc_core::sc_time(5, sc_core::SC_NS);
    std::_Exit(sc_core::sc_get_status() == sc_core::SC_STOPPED && in_time ? 10 : 11);
  };
  for (const failure_action action : {failure_action::report, failure_action::stop})
    EXPECT_EXIT(outcome(action), testing::ExitedWithCode(10), "");
}

}  // namespace
}  // namespace toriscope::failure_report_test
