// SPDX-License-Identifier: Apache-2.0
// The 95 % confidence interval of a mean latency whose packets depend on their neighbours in time
// (docs/model.md, "Precision of the mean").
//
//   batches  joined in pairs until the von Neumann ratio of their means shows no lag-1 correlation any more
//            (von Neumann 1941; Fishman 1978, Grouping observations in digital simulation), then Student's t
//   load     the packets of a window are by chance more or fewer than the load asked for, and near saturation
//            the mean latency follows the load steeply: a short window does not show that (Whitt 1989,
//            Planning queueing simulations). The slope is taken from how far the mean is above zero load, and
//            from how busy the busiest link or port is
//   limits   the constants are measured (scripts/coverage.py), not derived
#pragma once

#include <limits>
#include <optional>

#include "testbenches/simulation/statistics/time_batches.h"

namespace toriscope {

struct confidence_interval {
  double mean;
  double low;
  double high;
  unsigned batches;  ///< joined ones that it was computed from

  double half_width() const { return (high - low) / 2; }
};

/// What is known of the load in a window.
struct window_load {
  double zero_load = std::numeric_limits<double>::quiet_NaN();  ///< mean latency of the same packets without others;
                                                                ///< NaN: not known, the load is left out
  double least = 0;       ///< zero_load where each packet has but one route, so that none is faster; else 0
  double waiting = 0;     ///< mean cycles above it; of bursts, without what they wait at their sources
  double dispersion = 1;  ///< variance of the number of packets over its mean
  double busy = 0;        ///< of the busiest link or port, a share of the cycles
  double share = 1;       ///< packets that pass it, or others as busy, over all packets
};

/// @param latencies  of packets by their creation
/// @returns nothing when the window is too short to say
std::optional<confidence_interval> interval_95(const time_batches& latencies, const window_load& load);

/// The quantile of Student's t with `degrees` degrees of freedom that is exceeded with probability `tail`.
double student_t(double degrees, double tail);

}  // namespace toriscope
