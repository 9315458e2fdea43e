// SPDX-License-Identifier: Apache-2.0
// A warning before a run whose waveform will be large.
#pragma once

#include <string>

#include "testbenches/simulation/configuration/run_config.h"
#include "traces/wave_writer.h"

namespace toriscope {

/// Waveforms of more bytes are warned of.
inline constexpr double large_wave_bytes = 200e6;

/// Bytes that the waveform of a run will have, within a factor of two or three (traces/wave_size.h): packets of
/// the pattern or of the file are walked over the network, and no link carries more than most of a flit per cycle.
/// Packets of a file that wait for others are taken to come in the cycles that it names.
double estimated_wave_bytes(const network& net, const run_config& config, const wave_writer& wave,
                            const wave_options& window);

/// A line without its end; empty when there is nothing to warn of.
/// @param fst  it is FST already
std::string wave_size_warning(double bytes, bool fst);

}  // namespace toriscope
