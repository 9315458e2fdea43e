// SPDX-License-Identifier: Apache-2.0
// Which nodes sv/router.sv can stand in for, and which of its ports is which.
#pragma once

#include <string>

#include "router/router_config.h"
#include "rtl_models/rtl_router.h"
#include "topologies/netlist.h"

namespace toriscope {

/// What the RTL cannot do in the place of a router of this configuration, in words: "the RTL router is single_cycle or
/// four_stage; the network is paper2009". Empty: nothing.
std::string obstacle_to_rtl(const router_config& config);

/// The same of a user-supplied router in the place of `node`. @param compares_queues  the routing does
std::string obstacle_to_user_rtl(const netlist& wiring, node_id node, bool compares_queues);

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
/// flit_cycles_i of a node's router, by port; empty without NARROW.
std::vector<unsigned> flit_cycles_behind(const netlist& wiring, node_id node, const rtl_parameters& rtl);

}  // namespace toriscope
