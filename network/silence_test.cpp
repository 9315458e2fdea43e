// SPDX-License-Identifier: Apache-2.0
#include "network/silence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace toriscope {
namespace {

TEST(silence_watch, counts_from_the_look_that_saw_the_last_move) {
  const topology made = make_topology("mesh:2x2");
  const router_config config;
  const network_state network(config, flit_layout(4, 0), *made.routing, 4, 8);
  network_counters counters;
  silence_watch watch;
  const auto message_at = [&](cycle_t done) {
    const auto failure = watch.look(*made.wiring, {}, network, counters, done, /*cycles*/ 10);
    return failure ? failure->message : "";
  };
  // A flit goes in, and does not leave.
  counters.flits_injected = 1;
  EXPECT_EQ(message_at(9), "");
  EXPECT_EQ(message_at(18), "");
  EXPECT_THAT(message_at(19), testing::StartsWith("nothing moves: up to cycle 19 no flit has moved in 10 cycles, and "
                                                  "1 flits are under way"));
  counters.flits_ejected = 1;
  EXPECT_EQ(message_at(29), "");
  EXPECT_EQ(message_at(100), "") << "none is under way";
}

}  // namespace
}  // namespace toriscope
