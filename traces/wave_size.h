// SPDX-License-Identifier: Apache-2.0
// How large a waveform will be, before it is written: within a factor of two or three, from how many flits pass
// each port.
//
// What counts: a flit makes its link print a word and often the idle word after it, the buffer and the credits
// of its VC count up and down, and a packet changes states, owners and tags; each change is a line of the digits
// of the value, an identifier and two more characters.
#pragma once

#include <functional>
#include <vector>

#include "traces/wave_signals.h"

namespace toriscope {

struct wave_activity {
  /// Flits per cycle that come into a node by a port, or leave it; local ports are those of interfaces.
  std::function<double(node_id n, port_id p, bool outgoing)> flits_per_cycle;
  double packet_flits = 1;  ///< mean length of packets
};

/// Bytes of a VCD with these signals.
double expected_wave_bytes(const network& net, const std::vector<wave_signal>& signals,
                           const wave_activity& activity, double cycles);

}  // namespace toriscope
