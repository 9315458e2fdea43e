// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/sweep/sweep_progress.h"

#include <fmt/format.h>

#include "base/words.h"

namespace toriscope {
namespace {

std::string duration(double seconds) {
  const auto whole = static_cast<unsigned long>(seconds + 0.5);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

sweep_progress::sweep_progress(bool shown, double (*now)()) : shown_(shown), now_(now), last_shown_(now()) {}

void sweep_progress::point_done(double seconds) {
  ++simulated_;
  seconds_ += seconds;
}

void sweep_progress::learned(const point_search& search) {
  ++taken_;
  status_ = search.status_text();
}

void sweep_progress::waiting(std::size_t expected, unsigned jobs) {
  if (!shown_ || status_.empty() || simulated_ == 0 || now_() - last_shown_ < 1) return;
  const double left =
      seconds_ / static_cast<double>(simulated_) * static_cast<double>(expected) / static_cast<double>(jobs);
  tell(fmt::format("{} of about {} points, {} left; {}", taken_, taken_ + expected, duration(left), status_));
  status_.clear();
  last_shown_ = now_();
}

void sweep_progress::end() {
  if (shown_) tell(fmt::format("{} points, {} of them simulated now", taken_, simulated_));
}

}  // namespace toriscope
