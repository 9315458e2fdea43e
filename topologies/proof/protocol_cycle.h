// SPDX-License-Identifier: Apache-2.0
// Message classes that share all VCs, in a network whose nodes receive a request only when they have room for
// the reply: a protocol deadlock.
//
// The dependency graph of requests and replies is that of the routing and, for each node, the dependency of
// what carries requests to it on what carries replies from it. Where the classes share VCs, a channel that
// carries a request from A to B may carry a reply from A to B as well. So every pair of nodes makes a cycle: the
// channels of a route from A to B, the reply of B, the channels of a route from B to A, the reply of A. No other
// dependency is needed, and no rule of routing avoids it; classes on disjoint VCs do.
//
// Source: Dally, Towles 2004, Sect. 14.1.3.
#pragma once

#include <vector>

#include "topologies/netlist.h"
#include "topologies/proof/channel.h"
#include "topologies/route.h"

namespace toriscope {

struct protocol_cycle {
  terminal_id first = 0;         ///< answers what comes by `back`
  terminal_id second = 0;        ///< answers what comes by `forth`
  std::vector<channel> forth{};  ///< from `first` to `second`
  std::vector<channel> back{};
};

/// A short one: between terminal 0 and that with the shortest routes, there and back together; where each node has
/// one terminal, of its neighbours.
/// Without channels where all terminals are at one router.
/// @param vcs  of each port, as the routing function was made for
/// @throws std::logic_error when the routing function does what it may not (path.h)
protocol_cycle find_protocol_cycle(const netlist& net, const routing_function& routing, unsigned vcs);

}  // namespace toriscope
