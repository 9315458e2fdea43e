// SPDX-License-Identifier: Apache-2.0
// For tests: results of points as a network would have them that saturates where the test says.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "testbenches/sweep/curve_search.h"

namespace toriscope {

/// Load, seed -> whether the run is stable.
using stability = std::function<bool(double, std::uint64_t)>;

/// What `toriscope run --json` would print for the point: latency 20 / (1 - load), 20 without load.
std::string scripted_output(const point& p, const stability& is_stable);

/// A curve of a torus of 16 nodes.
curve scripted_curve();

}  // namespace toriscope
