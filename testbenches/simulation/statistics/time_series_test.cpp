// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/time_series.h"

#include <gtest/gtest.h>

#include "base/error_of_test.h"

namespace toriscope::time_series_test {
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
  packet.created = 61;
  series.packet_received(2, packet, 68);
  series.sample(counters, 61);
  EXPECT_EQ(series.csv().substr(series.csv().find("\n60,")), "\n60,1,0,0,10,1,7\n");
  EXPECT_EQ(series.next_sample(), 111u);
}

TEST(time_series, goes_on_from_a_state_within_an_interval) {
  time_series before(50, 4), after(50, 4);
  network_counters counters{};
  packet_record packet;
  counters.flits_created = 100;
  before.sample(counters, 50);
  before.packet_received(0, packet, 40);
  state_archive saved;
  before.archive(saved, 60);
  state_archive read(saved.bytes());
  after.archive(read, 60);
  read.end();
  EXPECT_EQ(after.next_sample(), 100u);
  counters.flits_created = 120;
  counters.flits_ejected = 8;
  after.packet_received(1, packet, 50);
  after.sample(counters, 100);
  EXPECT_EQ(after.csv(),
            "cycle,cycles,offered,accepted,backlog_flits,packets_received,latency_mean\n"
            "0,50,0.5,0,100,0,\n"
            "50,50,0.1,0.04,112,2,45\n");
  time_series other(51, 4);
  state_archive again(saved.bytes());
  EXPECT_EQ(error_of<std::invalid_argument>([&] { other.archive(again, 60); }),
            "--time-step is not that of the run that saved it, 50");
  for (const auto& [now, said] : {std::pair{49u, "a row of --time-series is too long"}, {50u, "none"}, {99u, "none"},
                                  {100u, "a row of --time-series is too long"}}) {
    time_series late(50, 4);
    state_archive once_more(saved.bytes());
    EXPECT_EQ(error_of<damaged_state>([&, to = now] { late.archive(once_more, to); }), said) << now;
  }
}

}  // namespace
}  // namespace toriscope::time_series_test
