// SPDX-License-Identifier: Apache-2.0
// Files of flows, --flows FILE: JSON, or a matrix as CSV (docs/flows.md).
#pragma once

#include <string>
#include <vector>

#include "testbenches/simulation/traffic/flow.h"
#include "testbenches/simulation/traffic/traffic_config.h"

namespace toriscope {

/// What the flows of a file have to fit.
struct flow_setting {
  traffic_config traffic;  ///< file, and what flows have that do not say it: packet length, arrivals, burst
  unsigned message_classes = 1;  ///< of the network
  unsigned flit_bits = 64;       ///< of rates in bytes
};

inline constexpr std::size_t max_flows = 65536;

/// @throws std::invalid_argument one line: the file, the flow or the line, what is wrong, what is right
std::vector<flow> read_flows(const flow_setting& setting, const netlist& wiring);

}  // namespace toriscope
