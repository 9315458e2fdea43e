// SPDX-License-Identifier: Apache-2.0
// The part of a network that this process simulates.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "links/flit.h"
#include "network/distributed/process_transport.h"

namespace toriscope {

struct partition {
  process_transport* transport = nullptr;  ///< null: the whole network is here
  std::vector<std::uint32_t> rank_of;   ///< by node

  /// Both of each rank: a number that it gives away at the end of each window; the sum of all comes to window_done, in
  /// the same cycle on all ranks.
  std::function<std::int64_t()> contribution;
  std::function<void(std::int64_t sum)> window_done;
  /// All that the run waits for had happened before cycle `cycle`: one process would not have simulated it. Asked on
  /// all ranks in the same cycle.
  std::function<bool(cycle_t cycle)> was_over_before = [](cycle_t) { return false; };

  bool whole() const { return transport == nullptr; }
  /// What is known of the whole is here.
  bool leads() const { return whole() || transport->rank() == 0; }
  bool own(std::uint32_t node) const { return whole() || rank_of[node] == transport->rank(); }
};

}  // namespace toriscope
