// SPDX-License-Identifier: Apache-2.0
// One load of a curve, the runs of its seeds merged. Definitions: docs/sweeps.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbenches/experiments/sweep/point.h"
#include "testbenches/simulation/statistics/run_result.h"

namespace toriscope {

/// Whether a load is stable, from the runs of its seeds, at least one: more than half of them are, and where
/// they disagree the source queues of all runs together do not grow.
bool is_stable(const std::vector<run_result>& runs);

/// Rates in flits per node and cycle, latencies in cycles; NaN: none.
struct load_figures {
  double rate = 0;
  std::vector<std::uint64_t> seeds;  ///< of the runs, ascending as given
  std::vector<run_result> runs;    ///< in the order of the seeds
  std::vector<std::shared_ptr<const point>> points;
  bool stable = false;
  std::size_t stable_runs = 0;
  struct longer_run {
    std::shared_ptr<const point> what;
    run_result result;
  };
  /// Where there is one, this load and those above are stable only if it is, too.
  std::optional<longer_run> confirmation;
  /// Mean over the runs of a result by name.
  double mean(const std::string& name) const;
  /// Mean over the runs of the mean latency.
  double latency() const { return mean("latency.mean"); }
  /// Of the mean latency.
  double standard_error() const;
  /// Covers the mean latency of the steady state with a probability of 95 %; nothing where that is unknown.
  std::optional<figure_interval> latency_interval() const;
};

}  // namespace toriscope
