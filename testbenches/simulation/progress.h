// SPDX-License-Identifier: Apache-2.0
// The progress line on a terminal: cycle, flits in flight, speed, time left. Written to stderr, a few times
// per second; nothing at all when stderr is not a terminal.
#pragma once

#include <cstdint>
#include <string>

#include "base/resources.h"
#include "links/flit.h"

namespace toriscope {

class progress {
 public:
  /// @param wanted  false: never show anything
  /// @param now     seconds since some time
  explicit progress(bool wanted, double (*now)() = wall_seconds);
  ~progress() { clear(); }

  bool shown() const { return shown_; }
  /// @param phase            "warm-up", "measure", "drain"
  /// @param last             the cycle at which the run ends at the latest; from without_end on: that is not known
  /// @param flits_in_flight  between injection and ejection
  /// @param first            the cycle with which this run began
  void update(const char* phase, cycle_t done, cycle_t last, std::uint64_t flits_in_flight,
              std::uint64_t nodes, cycle_t first = 0);
  /// Removes the line.
  void clear();

 private:
  bool shown_;
  double (*now_)();
  double started_;
  double last_update_ = 0;
  std::size_t width_ = 0;
};

}  // namespace toriscope
