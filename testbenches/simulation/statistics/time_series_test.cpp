// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/time_series.h"

#include <gtest/gtest.h>

namespace toriscope {
namespace {

TEST(time_series, has_a_row_for_each_interval_and_the_rest) {
  time_series series(50, 4);
  EXPECT_EQ(series.next_sample(), 50u);
  network_counters counters{};
  packet_record packet;
  packet.created = 10;
  counters.flits_created = 100;
  counters.flits_ejected = 20;
  series.packet_received(0, packet, 40);
  series.packet_received(1, packet, 41);
  series.sample(counters, 50);
  EXPECT_EQ(series.next_sample(), 100u);
  counters.flits_created = 120;
  counters.flits_ejected = 80;
  counters.flits_discarded = 30;
  series.sample(counters, 60);
  series.sample(counters, 60);
  EXPECT_EQ(series.csv(),
            "cycle,cycles,offered,accepted,backlog_flits,packets_received,latency_mean\n"
            "0,50,0.5,0.1,80,2,30.5\n"
            "50,10,0.5,1.5,10,0,\n");
}

}  // namespace
}  // namespace toriscope
