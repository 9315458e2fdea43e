// SPDX-License-Identifier: Apache-2.0
// Which nodes sv/router.sv can stand in for, and which of its ports is which.
#pragma once

#include <string>

#include "router/router_config.h"
#include "topologies/netlist.h"

namespace toriscope {

/// What of the network the RTL cannot do in the place of `node`, in words: "the RTL router is single_cycle or
/// four_stage; the network is paper2009". Empty: nothing.
std::string obstacle_to_rtl(const netlist& wiring, node_id node, const router_config& config);

/// The part of it that is true of any RTL router: "... its link out of port x+ is narrow, 4 cycles per flit".
std::string narrow_link_out_of(const netlist& wiring, node_id node);

/// The RTL's number of port p of a node: the local one is its last; those between are tied off.
inline port_id port_of_rtl(unsigned p, unsigned local, unsigned rtl_ports) {
  return static_cast<port_id>(p == local ? rtl_ports - 1 : p);
}

}  // namespace toriscope
