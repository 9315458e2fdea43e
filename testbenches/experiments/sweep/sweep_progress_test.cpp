// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/sweep_progress.h"

#include <gtest/gtest.h>

#include <functional>

namespace toriscope::sweep_progress_test {
namespace {

/// A search of seven points, of which two are known.
class two_of_seven final : public point_search {
 public:
  std::vector<wanted_point> wanted() const override { return {}; }
  void take(const point&, const run_result&) override {}
  std::size_t expected() const override { return 5; }
  std::string status_text() const override { return "two are known"; }
};

std::string lines_of(const std::function<void()>& act) {
  testing::internal::CaptureStderr();
  act();
  return testing::internal::GetCapturedStderr();
}

double time_of_day = 1000;
double now() { return time_of_day; }
/// The least time between two lines.
void pass_a_second() { time_of_day += 1; }

TEST(sweep_progress, tells_what_is_new_and_how_long_it_takes) {
  const two_of_seven search;
  sweep_progress progress(true, now), longer(true, now), from_the_store(true, now), nothing_new(true, now);
  progress.point_done(960.2);
  progress.point_done(1919.8);
  for (sweep_progress* all : {&progress, &longer, &from_the_store}) {
    all->learned(search);
    all->learned(search);
  }
  longer.point_done(1464.4);
  nothing_new.point_done(1);
  pass_a_second();
  EXPECT_EQ(lines_of([&] { progress.waiting(5, 2); }),
            "toriscope: 2 of about 7 points, 1:00:00 left; two are known\n")
      << "1,440 s each, two at a time";
  EXPECT_EQ(lines_of([&] { longer.waiting(5, 2); }),
            "toriscope: 2 of about 7 points, 1:01:01 left; two are known\n");
  EXPECT_EQ(lines_of([&] { from_the_store.waiting(5, 2); }), "") << "it is not known how long a point takes";
  EXPECT_EQ(lines_of([&] { nothing_new.waiting(5, 2); }), "");
  longer.learned(search);
  time_of_day += 0.75;
  EXPECT_EQ(lines_of([&] { longer.waiting(5, 2); }), "") << "a line a second at most";
  pass_a_second();
  EXPECT_EQ(lines_of([&] { progress.waiting(5, 2); }), "") << "that has been told";
  progress.point_done(0.3);
  progress.learned(search);
  EXPECT_EQ(lines_of([&] { progress.waiting(187, 50); }),
            "toriscope: 3 of about 190 points, 59:51 left; two are known\n")
      << "960.1 s each";
  EXPECT_EQ(lines_of([&] { longer.waiting(1, 400); }),
            "toriscope: 3 of about 4 points, 0:04 left; two are known\n");
  EXPECT_EQ(lines_of([&] { progress.end(); }), "toriscope: 3 points, 3 of them simulated now\n");
}

TEST(sweep_progress, tells_nothing_where_it_is_not_shown) {
  const two_of_seven search;
  sweep_progress progress(false, now);
  progress.point_done(1);
  progress.learned(search);
  pass_a_second();
  EXPECT_EQ(lines_of([&] {
              progress.waiting(1, 1);
              progress.end();
            }),
            "");
}

}  // namespace
}  // namespace toriscope::sweep_progress_test
