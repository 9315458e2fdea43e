// SPDX-License-Identifier: Apache-2.0
// Routes for routers with fewer VCs than the others (docs/model.md, "Routers of their own"): the ways of a routing
// function that was made for V VCs, whose VC sets lose those that the router behind each link has not.
#pragma once

#include <memory>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

/// The VCs of the set that a router with `vcs` VCs has.
vc_mask cut_off(vc_mask set, unsigned vcs);

/// @param routing  for `vcs` VCs at every router
/// @returns it itself where no router has a number of its own
std::shared_ptr<const routing_function> fit_to_routers(std::shared_ptr<const netlist> wiring,
                                                       std::shared_ptr<const routing_function> routing,
                                                       unsigned vcs);

}  // namespace toriscope
