// SPDX-License-Identifier: Apache-2.0
// For tests: results of points as a network would have them that saturates where the test says.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "testbenches/experiments/sweep/curve_search.h"

namespace toriscope {

/// Load, seed -> whether the run is stable.
using stability = std::function<bool(double, std::uint64_t)>;

/// Load, seed -> a figure of the run.
using scripted_figure = std::function<double(double, std::uint64_t)>;

struct scripted_network {
  stability is_stable;
  /// Of windows longer than the default; none: the same.
  stability is_stable_for_long;
  scripted_figure latency = [](double rate, std::uint64_t) { return 20 / (1 - rate); };
  double zero_load = 20;    ///< cycles
  double half_width = 0.5;  ///< of the interval, cycles; 0: unknown
  /// Of the source queues.
  scripted_figure growth = [](double, std::uint64_t) { return 0.0; };
  double growth_error = 1;  ///< its standard error
};

/// What `toriscope run --json` would print for the point.
std::string scripted_output(const point& p, const scripted_network& network);
/// The same of a network that has only a saturation: latency 20 / (1 - load), 20 without load.
std::string scripted_output(const point& p, const stability& is_stable);

/// A curve of a torus of 16 nodes.
curve scripted_curve();

}  // namespace toriscope
