// SPDX-License-Identifier: Apache-2.0
// Figures in nanoseconds and Gbit/s, where the clock is known; in millimetres, where the pitch is; in bits.
#pragma once

#include "testbenches/simulation/statistics/statistic.h"
#include "topologies/analysis/link_budget.h"

namespace toriscope {

/// Latencies in ns, loads in Gbit/s: of a terminal, accepted from all of them, and what the bisection carries.
/// @param figures    of a run: "latency.mean" and others in cycles, "offered" and "accepted" in flits/node/cycle
/// @param clock_ghz  cycles per ns, above 0
statistics in_physical_units(const statistics& figures, double clock_ghz, unsigned flit_bits,
                             const netlist& wiring);

/// @param pitch_mm  of nodes, above 0
statistics lengths_in_mm(const netlist& wiring, double pitch_mm);

/// Of links whose width is that of a budget.
statistics widths_within(const budgeted_width& width);

}  // namespace toriscope
