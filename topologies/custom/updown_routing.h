// SPDX-License-Identifier: Apache-2.0
// Up*/down* routing of any network that full-duplex links hold together, and minimal adaptive routing with it as the
// escape.
//
//   order     nodes by their distance from the root, then by number; the root has the least sum of distances. A link is
//             up when it leads to a node before the one that it comes from. Links without a way back are not used
//   updown    the shortest way that goes up first, then down; of several ports the destination's number chooses. Any
//             VC. Acyclic: up links depend on up links nearer to the root and on down links, these on down links
//             farther off
//   adaptive  every port on a shortest path, on all VCs but VC 0, the destination's number chooses the first and the
//             others follow in turn; last the port of updown on VC 0, where the packet stays. A head that has not
//             taken VC 0 may always begin to go up, so that there is an escape from everywhere, and no dependency
//             leads from VC 0 back (Duato 1993; Silla, Duato 1997)
//
// Sources: Schroeder et al. 1991 (Autonet); Silla, Duato 1997.
#pragma once

#include <memory>

#include "topologies/custom/network_file.h"
#include "topologies/netlist.h"

namespace toriscope {

/// Between nodes, up to max_table_nodes of them.
/// @param adaptive  at least 2 VCs
/// @throws std::invalid_argument where full-duplex links do not reach all nodes
std::shared_ptr<const routing_function> make_updown(std::shared_ptr<const netlist> wiring,
                                                    const network_file& file, unsigned vcs, bool adaptive);

}  // namespace toriscope
