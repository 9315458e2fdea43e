// SPDX-License-Identifier: Apache-2.0
// Delays of the links of a netlist, to be set before it is elaborated. Links with a delay of their own
// (own_link_values) keep it.
#pragma once

#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// Longest delay of a link, in cycles.
inline constexpr unsigned max_link_delay = 1000;

/// All links: `delay_cycles`, 1..1000. @throws std::invalid_argument
void set_link_delays(netlist& net, unsigned delay_cycles);

/// Links of level l (1 = in a basic module, or all of a flat network): by_level[l-1], 1..1000 cycles.
/// @throws std::invalid_argument when a delay is out of range or there are not as many as the netlist has
/// levels
void set_link_delays(netlist& net, const std::vector<unsigned>& by_level);

/// The link's own delay, or `otherwise`.
void set_link_delay(netlist& net, link_id l, unsigned otherwise);

/// The highest level of a link; 1 in flat networks.
unsigned link_levels(const netlist& net);

}  // namespace toriscope
