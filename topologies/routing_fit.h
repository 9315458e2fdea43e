// SPDX-License-Identifier: Apache-2.0
// Whether a routing function fits the VCs of a network. Both are made for a number of VCs and of
// message classes (topology_options, network_config), which must be the same.
//
// How it is found: a packet that has arrived may leave by any VC of its message class. A routing function of a
// bench that names fewer there, whatever VC the packet stands in, is rejected, too.
#pragma once

#include <string>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

/// @param vcs              of each port
/// @param message_classes  with VCs of their own; 1 where classes share all VCs
/// @returns one line with both numbers; empty: it fits
std::string routing_misfit(const netlist& net, const routing_function& routing, unsigned vcs,
                           unsigned message_classes);

}  // namespace toriscope
