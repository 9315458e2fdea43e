// SPDX-License-Identifier: Apache-2.0
// A channel: a directed link together with a VC. Numbered link * VCs + vc where they are counted.
#pragma once

#include <cstdint>
#include <string>

#include "topologies/netlist.h"

namespace toriscope {

struct channel {
  link_id link;
  std::uint8_t vc;
};

/// "10.00 L2_V_out0 vc0": where it leaves from, in which VC.
std::string to_string(const netlist& net, const channel& c);

}  // namespace toriscope
