// SPDX-License-Identifier: Apache-2.0
// Figures in nanoseconds and Gbit/s, where the clock is known.
#pragma once

#include "testbenches/simulation/statistics/statistic.h"

namespace toriscope {

/// Latencies in ns, loads in Gbit/s: of a terminal, and accepted from all of them.
/// @param figures    of a run: "latency.mean" and others in cycles, "offered" and "accepted" in flits/node/cycle
/// @param clock_ghz  cycles per ns, above 0
statistics in_physical_units(const statistics& figures, double clock_ghz, unsigned flit_bits,
                             std::uint64_t terminals);

}  // namespace toriscope
