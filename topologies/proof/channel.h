// SPDX-License-Identifier: Apache-2.0
// A channel: a directed link together with a VC. Numbered link * VCs + vc where they are counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

struct channel {
  link_id link;
  std::uint8_t vc;
};

/// "10.00 L2_V_out0 vc0": where it leaves from, in which VC.
std::string to_string(const netlist& net, const channel& c);

/// The channels that have these numbers.
/// @param vcs  of each port
std::vector<channel> channels_numbered(const std::vector<std::uint32_t>& numbers, unsigned vcs);

/// "10.00 y+ vc0 -> ... -> 10.00 y+ vc0", from a channel back to itself; empty for no channels.
std::string cycle_in_words(const netlist& net, const std::vector<channel>& cycle);

}  // namespace toriscope
