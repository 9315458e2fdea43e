// SPDX-License-Identifier: Apache-2.0
// Routes for routers with fewer VCs than the others (docs/model.md, "Routers of their own"): the ways of a routing
// function that was made for V VCs, whose VC sets are fitted to those of the router that each link leads to.
#pragma once

#include <functional>
#include <memory>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

/// The set that stands for a set of the V VCs where a router has `vcs` of them. Never empty.
using vc_fit = std::function<vc_mask(vc_mask set, unsigned vcs)>;

/// Cuts off the VCs that there are not.
vc_mask cut_off(vc_mask set, unsigned vcs);
/// For VC classes as vc_class() lays them over `vcs`: the same class of fewer.
vc_fit by_class(unsigned classes, unsigned vcs);

/// @param routing  for `vcs` VCs at every router
/// @returns it itself where no router has a number of its own
std::shared_ptr<const routing_function> fit_to_routers(std::shared_ptr<const netlist> wiring,
                                                       std::shared_ptr<const routing_function> routing,
                                                       unsigned vcs, const vc_fit& fit);

}  // namespace toriscope
