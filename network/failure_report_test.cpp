// SPDX-License-Identifier: Apache-2.0
// A network that fails tells the simulation: an SC_ERROR with a stable message id, by default thrown out of
// sc_start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace toriscope::failure_report_test
