// SPDX-License-Identifier: Apache-2.0
// Routes walked hop by hop: the first option and the lowest VC of its set, as an empty network would grant
// them to a packet of the first message class.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

/// A link crossed by a packet.
struct hop {
  node_id node;       ///< it leaves this node
  port_id out_port;   ///< by this port
  link_id link;       ///< over this link
  std::uint8_t vc;    ///< in this VC
  route_state state;  ///< and carries this state
};

/// The links from `source` to `destination`; none when they are the same node.
/// @param vcs    of each port, as the routing function was made for
/// @param drawn  the route state at injection
/// @throws std::logic_error when the routing function breaks its contract: it names a port without a link, an
///         empty set of VCs or one beyond `vcs`, ends at another node, or never arrives
std::vector<hop> walk(const netlist& net, const routing_function& routing, terminal_id source,
                      terminal_id destination, unsigned vcs, route_state drawn = 0);

/// Links between two nodes on the route (which may be more than on the shortest path).
unsigned routed_distance(const netlist& net, const routing_function& routing, terminal_id source,
                         terminal_id destination, unsigned vcs, route_state drawn = 0);

/// Routed distances over all ordered pairs of nodes and all states that may be drawn.
struct routed_distances {
  unsigned diameter = 0;
  std::uint64_t total = 0;   ///< sum over all pairs and states
  double mean_all = 0;       ///< over N^2 pairs, a node with itself included
  double mean_distinct = 0;  ///< over N(N-1) pairs
};
routed_distances measure_routes(const netlist& net, const routing_function& routing, unsigned vcs);

}  // namespace toriscope
