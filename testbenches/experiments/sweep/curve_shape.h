// SPDX-License-Identifier: Apache-2.0
// The shape of a latency curve: its knee, and the loads that it lacks. All of it follows from the loads that
// are given, so that a search which asks again and again comes to the same loads. Definitions: docs/sweeps.md.
//
//   all loads are ascending and complete
#pragma once

#include <vector>

#include "testbenches/experiments/sweep/load_figures.h"

namespace toriscope {

/// Neighbouring loads of a curve belong together: the latency rises by this factor at most, or the loads are
/// apart by at most the tolerance.
constexpr double steepest_rise = 1.5;
/// Loads of a curve from half its knee (without a knee: half its saturation throughput) to saturation.
constexpr std::size_t least_loads = 6;

/// A load of few digits: it stands in tables and commands.
double rounded_load(double rate);

/// The mean of the zero-load formula over the packets of all stable runs: those of the lowest load alone are
/// few. NaN when no run is stable.
double zero_load_latency(const std::vector<load_figures>& loads);

/// The load at which the mean latency rises to twice that without load, interpolated between two neighbouring
/// loads that are apart by at most `tolerance` times the higher one; NaN when there are no such loads.
double knee(const std::vector<load_figures>& loads, double tolerance);

/// Loads below saturation to be measured next, for the knee, then between neighbours that do not belong
/// together, then until there are least_loads; empty: the curve is complete.
/// @param saturation  the saturation throughput, one of the loads
std::vector<double> missing_loads(const std::vector<load_figures>& loads, double saturation,
                                  double tolerance);

}  // namespace toriscope
