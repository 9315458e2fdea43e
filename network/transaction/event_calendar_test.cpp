// SPDX-License-Identifier: Apache-2.0
// Events at the edge of the calendar's ring, and beyond it.
#include "network/transaction/event_calendar.h"

#include <gmock/gmock.h>

#include <map>
#include <tuple>
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

using events = std::vector<std::tuple<unsigned, std::uint32_t, cycle_t>>;  // kind, what, when

/// By cycle and kind; last what is farther ahead than the ring.
events left_in(const event_calendar<2>& calendar) {
  events found;
  calendar.for_each([&](unsigned kind, std::uint32_t what, cycle_t when) { found.emplace_back(kind, what, when); });
  return found;
}

TEST(event_calendar, shows_once_what_is_left) {
  event_calendar<2> calendar;
  EXPECT_EQ(calendar.now(), 0u);
  EXPECT_EQ(calendar.next(0), never) << "nothing was added";
  calendar.begin(10);
  EXPECT_EQ(calendar.now(), 10u);
  for (const auto& [kind, what, when] : events{{1, 5, 73}, {0, 6, 73}, {0, 7, 10}, {0, 8, 74}, {1, 3, 10}, {0, 9, 10}})
    calendar.add(kind, what, when);
  EXPECT_EQ(left_in(calendar), (events{{0, 7, 10}, {0, 9, 10}, {1, 3, 10}, {0, 6, 73}, {1, 5, 73}, {0, 8, 74}}));
  calendar.take(0, [](std::uint32_t) {});
  EXPECT_EQ(left_in(calendar), (events{{1, 3, 10}, {0, 6, 73}, {1, 5, 73}, {0, 8, 74}}));
}

TEST(event_calendar, takes_what_is_added_in_the_cycle_itself) {
  event_calendar<2> calendar;
  calendar.begin(100);
  calendar.add(0, 1, 100);
  std::vector<std::uint32_t> taken;
  for (const unsigned kind : {0u, 1u})
    calendar.take(kind, [&](std::uint32_t what) {
      taken.push_back(what);
      if (what == 1) calendar.add(0, 2, 100);
      if (what == 2) calendar.add(1, 3, 100);
      if (what == 3) calendar.add(0, 4, 101);
    });
  EXPECT_THAT(taken, testing::ElementsAre(1, 2, 3));
  calendar.end();
  EXPECT_EQ(calendar.next(101), 101u);
}

}  // namespace
}  // namespace toriscope
