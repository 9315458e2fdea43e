// SPDX-License-Identifier: Apache-2.0
// Which pairs of nodes routing connects over the links that live (docs/model.md, "Dead links").
#pragma once

#include <functional>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope::reference {

/// Whether some choice of the options of the routing function, over live links only, leads from a packet's
/// injection at `source`, on whichever VC, to `destination`.
/// @param vcs  that the routing function shares out
bool leads_to(const netlist& wiring, const routing_function& routing, unsigned vcs, terminal_id source,
              terminal_id destination, route_state drawn, const std::function<bool(link_id)>& is_dead);

}  // namespace toriscope::reference
