// SPDX-License-Identifier: Apache-2.0
// Single links as users name them: NODE.PORT, the link that leaves NODE (a number or an address) by PORT.
#pragma once

#include <string>

#include "network/network_config.h"
#include "topologies/netlist.h"

namespace toriscope {

/// "27.x+", "12.03.x+". @throws std::invalid_argument one line, as all of these
link_id parse_link(const std::string& text, const netlist& wiring);

/// "27.x+:delay=3", "27.x+:width=16", "27.x+:delay=3:width=16": sets D in cycles and the width in bits.
void apply_link_override(const std::string& text, netlist& wiring, unsigned flit_bits);

/// "27.x+" or "27.x+@1000": dead from the start, or from that cycle on.
dead_link parse_dead_link(const std::string& text, const netlist& wiring);

}  // namespace toriscope
