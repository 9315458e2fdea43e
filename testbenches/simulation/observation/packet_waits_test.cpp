// SPDX-License-Identifier: Apache-2.0
// Waits of packets, added up from steps that are made by hand.
#include "testbenches/simulation/observation/packet_waits.h"

#include <gtest/gtest.h>

namespace toriscope::packet_waits_test {
namespace {

TEST(packet_waits, are_told_once) {
  const auto event = [](packet_id packet, stall_cause fate) {
    front_event e;
    e.packet = packet;
    e.fate = fate;
    return e;
  };
  router_step step;
  step.fronts = {event(3, stall_cause::no_credit), event(3, stall_cause::moved), event(4, stall_cause::pipeline),
                 event(no_packet, stall_cause::no_credit), event(5, stall_cause::link_busy),
                 event(4, stall_cause::discarded)};
  step.buffered = {event(3, stall_cause::lost_switch)};
  packet_waits waits;
  waits.stepped(step);
  waits.stepped(step);
  EXPECT_EQ(packet_waits::columns(),
            ",wait_no_output_vc,wait_lost_vc_allocation,wait_no_credit,wait_lost_switch,wait_link_busy,"
            "wait_output_buffer");
  EXPECT_EQ(waits.take(3), ",0,0,2,2,0,0");
  EXPECT_EQ(waits.take(3), ",0,0,0,0,0,0") << "it is forgotten";
  EXPECT_EQ(waits.take(4), ",0,0,0,0,0,0");
  EXPECT_EQ(waits.take(5), ",0,0,0,0,2,0");
  EXPECT_EQ(waits.take(no_packet), ",0,0,0,0,0,0");
}

}  // namespace
}  // namespace toriscope::packet_waits_test
