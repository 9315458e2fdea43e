// SPDX-License-Identifier: Apache-2.0
// Events at the edge of the calendar's ring, and beyond it.
#include "network/transaction/event_calendar.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace toriscope {
namespace {

TEST(event_calendar, takes_every_event_in_its_cycle) {
  for (const cycle_t start : {0, 1, 5, 63, 64, 100}) {
    event_calendar<2> calendar;
    calendar.begin(start);
    std::map<cycle_t, std::vector<std::uint32_t>> expected, taken;
    for (const cycle_t ahead : {130, 64, 0, 63, 65, 1, 64, 127, 128, 200, 129, 63}) {
      calendar.add(ahead % 2, static_cast<std::uint32_t>(ahead), start + ahead);
      expected[start + ahead].push_back(static_cast<std::uint32_t>(ahead));
    }
    cycle_t now = start;
    for (int cycles = 0; now != never && cycles < 1000; ++cycles) {
      calendar.begin(now);
      for (const unsigned kind : {0u, 1u})
        calendar.take(kind, [&](std::uint32_t what) { taken[now].push_back(what); });
      calendar.end();
      now = calendar.next(now + 1);
    }
    EXPECT_EQ(now, never);
    EXPECT_EQ(taken, expected) << "from cycle " << start;
  }
}

}  // namespace
}  // namespace toriscope
