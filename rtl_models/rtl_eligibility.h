// SPDX-License-Identifier: Apache-2.0
// Which nodes sv/router.sv can stand in for, and which of its ports is which.
#pragma once

#include <string>

#include "router/router_config.h"
#include "rtl_models/rtl_router.h"
#include "topologies/netlist.h"

namespace toriscope {

/// What of the network the RTL cannot do in the place of `node`, in words: "the RTL router is single_cycle or
/// four_stage; the network is paper2009". Empty: nothing.
/// @param config  of this router
std::string obstacle_to_rtl(const netlist& wiring, node_id node, const router_config& config);

/// The same of a user-supplied router. @param compares_queues  the routing does
std::string obstacle_to_user_rtl(const netlist& wiring, node_id node, bool compares_queues);

/// The part that is true of any RTL router: "... its link out of port x+ is narrow, 4 cycles per flit".
std::string obstacle_to_any_rtl(const netlist& wiring, node_id node);

/// The RTL's number of port p of a node: local ones begin where the RTL's do; those between are tied off.
inline port_id port_of_rtl(const netlist& wiring, node_id node, unsigned p, const rtl_parameters& rtl) {
  const unsigned links = wiring.local_port(node);
  return static_cast<port_id>(p < links ? p : rtl.ports - rtl.local_ports + p - links);
}
/// The node's number of port q of the RTL; port_count() or more: it is tied off.
inline unsigned port_of_node(const netlist& wiring, node_id node, unsigned q, const rtl_parameters& rtl) {
  const unsigned links = wiring.local_port(node), first_local = rtl.ports - rtl.local_ports;
  return q < links ? q : q < first_local ? wiring.port_count(node) + q : links + q - first_local;
}

/// slots_i of a node's router, by output VC; empty without OUT_DEPTH.
/// @param network  the configuration of routers without values of their own
std::vector<unsigned> slots_behind(const netlist& wiring, node_id node, const router_config& network,
                                   const rtl_parameters& rtl);

}  // namespace toriscope
