// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/sweep_progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

namespace toriscope {
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

/// The least time between two lines.
void pass_a_second() { std::this_thread::sleep_for(std::chrono::milliseconds(1050)); }

TEST(sweep_progress, tells_what_is_new_and_how_long_it_takes) {
  const two_of_seven search;
  sweep_progress progress(true);
  progress.point_done(960.2);
  progress.point_done(1919.8);
  progress.learned(search);
  progress.learned(search);
  pass_a_second();
  EXPECT_EQ(lines_of([&] { progress.waiting(5, 2); }),
            "toriscope: 2 of about 7 points, 1:00:00 left; two are known\n")
      << "1,440 s each, two at a time";
  pass_a_second();
  EXPECT_EQ(lines_of([&] { progress.waiting(5, 2); }), "") << "that has been told";
  progress.point_done(0.3);
  progress.learned(search);
  EXPECT_EQ(lines_of([&] { progress.waiting(1, 50); }), "toriscope: 3 of about 4 points, 0:19 left; two are known\n");
  EXPECT_EQ(lines_of([&] { progress.end(); }), "toriscope: 3 points, 3 of them simulated now\n");
}

TEST(sweep_progress, tells_nothing_where_it_is_not_shown) {
  const two_of_seven search;
  sweep_progress progress(false);
  progress.point_done(1);
  progress.learned(search);
  pass_a_second();
  EXPECT_EQ(lines_of([&] {
              progress.waiting(1, 1);
              progress.end();
            }),
            "");
  EXPECT_EQ(lines_of([&] { progress.line("an error"); }), "toriscope: an error\n") << "that has to be told";
}

}  // namespace
}  // namespace toriscope
