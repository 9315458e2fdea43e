// SPDX-License-Identifier: Apache-2.0
// The waveform of a network that several ranks simulate together: each gathers what changes in its own nodes; whenever
// the ranks meet, the one that leads gets the changes of all. A run may end before the last meeting, in the midst of a
// window: so what came in the last window waits for the next meeting.
#pragma once

#include <map>
#include <vector>

#include "network/distributed/partition_boundary.h"
#include "traces/wave_values.h"

namespace toriscope {

class wave_share final : public wave_values {
 public:
  /// @param border  outlives it
  explicit wave_share(partition_boundary& border) : border_(border) {}

  /// The next variable, on all ranks in the same order. @param own  it is set on this rank
  variable add(unsigned width, bool own);
  /// All ranks, right after they have met, at time `now`.
  /// @returns on the rank that leads, what has changed before the meeting before this one, since the last call
  wave_batch meet(std::uint64_t now);
  /// All ranks, after the last cycle. @returns on the rank that leads, the rest up to time `end`
  wave_batch end(std::uint64_t end);

 private:
  void bring();
  /// All before `time`.
  wave_batch before(std::uint64_t time);

  partition_boundary& border_;
  std::vector<bool> own_;                                        ///< by variable
  std::map<std::uint64_t, std::vector<wave_change>> brought_;  ///< by time
  std::uint64_t met_ = 0;                                        ///< time of the last meeting
};

}  // namespace toriscope
