// SPDX-License-Identifier: Apache-2.0
// Wiring of the RDT: the base torus (ports x+ x- y+ y-) and, at each node, the upper torus of its rank (ports
// r2_h+ r2_h- r2_v+ r2_v-), or those of all ranks in the perfect RDT. Address digits (y, x).
//
// What counts as a link where a rank is large for the base: two ways round that lead to the same neighbour
// are one full-duplex link, as in a torus ring of two; a way that leads back to its own node is none. So
//   N = 16    rank 2: rings of 2, one link in h and one in v;        ranks 3, 4: none
//   N = 32    rank 3: one link, r3_h, as all four ways meet;         rank 4: none
//   N = 64    rank 4: none
//   N = 128   rank 4: rings of 2, one link in h and one in v
// Of a ring of two, the end with the smaller coordinate has the port h+ (or v+), the other h- (v-).
//
//   levels   of links: rank + 1
#pragma once

#include <array>
#include <memory>

#include "topologies/netlist.h"
#include "topologies/rdt/rdt_shape.h"

namespace toriscope {

/// Which port a hop leaves by: the same number at all nodes that have the rank.
struct rdt_port_map {
  explicit rdt_port_map(const rdt_shape& shape);
  /// By rank (0: base torus) and rdt_direction. Directions that lead to the same neighbour share a port.
  std::array<std::array<port_id, 4>, rdt_max_ranks + 1> port{};
  /// Ports of the nodes of each class, which is the number of their local port.
  std::array<port_id, rdt_classes> count{};
};

/// @param shape  N a power of two, 16 or more
std::shared_ptr<netlist> build_rdt(const rdt_shape& shape);

}  // namespace toriscope
