// SPDX-License-Identifier: Apache-2.0
// Routing by a table of output ports, one for each node and destination, with VCs by layers or as given.
//
//   layers  a packet has the VCs of its pair's layer all the way (path_layers.h); the route state is the
//   layer given   each entry of the table has a set of VCs of its own; no route state
#pragma once

#include <memory>
#include <vector>

#include "topologies/custom/next_ports.h"
#include "topologies/custom/path_layers.h"
#include "topologies/route.h"

namespace toriscope {

/// @param vcs  of each port, at least layers.count
std::shared_ptr<const routing_function> make_layered_table(const netlist& net, next_ports paths,
                                                           path_layers layers, unsigned vcs);

/// @param vc_sets  by next_ports::index(node, destination); none empty between different nodes
std::shared_ptr<const routing_function> make_given_table(const netlist& net, next_ports paths,
                                                         std::vector<vc_mask> vc_sets, unsigned vcs);

}  // namespace toriscope
