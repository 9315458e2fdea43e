// SPDX-License-Identifier: Apache-2.0
// Progress of a sweep on standard error: points done, time left, and the curve that has just grown. At most a
// line per second.
#pragma once

#include <string>

#include "base/resources.h"
#include "testbenches/experiments/sweep/point_search.h"

namespace toriscope {

class sweep_progress {
 public:
  /// @param now  seconds since some time
  explicit sweep_progress(bool shown, double (*now)() = wall_seconds);

  /// A point has been simulated, in `seconds`.
  void point_done(double seconds);
  /// A search has taken a result.
  void learned(const point_search& search);
  /// Shows what is new, now and then.
  /// @param expected  points that are still to come, about
  void waiting(std::size_t expected, unsigned jobs);
  /// Shows how it ended.
  void end();

 private:
  bool shown_;
  double (*now_)();
  std::size_t taken_ = 0;
  std::size_t simulated_ = 0;
  double seconds_ = 0;
  double last_shown_ = 0;
  std::string status_;
};

}  // namespace toriscope
