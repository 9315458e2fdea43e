// SPDX-License-Identifier: Apache-2.0
// Routing by a table of output ports, one for each node and destination, with VCs by layers or as given.
//
//   layers  a packet has the VCs of its pair's layer all the way (lash_layers.h); the route state is the layer, and
//           before it the table, where there are several: drawn for each packet, or in turn
//   given   each entry of the table has a set of VCs of its own; no route state
#pragma once

#include <memory>
#include <vector>

#include "topologies/custom/forwarding_table.h"
#include "topologies/custom/lash_layers.h"
#include "topologies/route.h"

namespace toriscope {

/// @param vcs      of routers without a number of their own; no router has fewer than layers.count
/// @param in_turn  the packets of each pair take the tables in turn
std::shared_ptr<const routing_function> make_layered_table(std::shared_ptr<const netlist> net,
                                                           std::vector<forwarding_table> tables,
                                                           lash_layers layers, unsigned vcs, bool in_turn);

/// The table is not drawn: packets to the i-th terminal of a node take table i (modulo their number).
/// @param between_terminals  whose route state before the first hop is the table
std::shared_ptr<const routing_function> make_spread(
    std::shared_ptr<const netlist> net, std::shared_ptr<const routing_function> between_terminals);

/// @param vc_sets  by forwarding_table::index(node, destination); none empty between different nodes
std::shared_ptr<const routing_function> make_given_table(const netlist& net, forwarding_table paths,
                                                         std::vector<vc_mask> vc_sets, unsigned vcs);

}  // namespace toriscope
