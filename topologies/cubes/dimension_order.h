// SPDX-License-Identifier: Apache-2.0
// Dimension-order routing (e-cube) in k-ary n-cubes, from the most significant dimension down (y, then x) or
// from the lowest one up (x, then y), with two classes of VCs in each ring.
//
// VC rules: on rings of more than 2 nodes two classes, starting anew in each dimension; one class everywhere
// else (meshes, rings of 2).
//
//   dateline  0 before, and 1 on and after the wrap hop
//   wrapping  1 all along a ring whose wrap link the packet uses, else 0: as BookSim 2 does it
//   balanced  a packet that goes on behind the wrap link: 0 before it, 1 from it on. One that does not: either,
//             as is free at its first hop in the ring, and that class from there on. The last hop in the ring
//             may always take class 1, and class 0 unless the packet already has class 1
//
// Why `balanced` is acyclic, in rings of one way, too: within class 0 nothing goes on behind the wrap link;
// within class 1 nothing that goes on behind it stood in class 1 before it; and from class 1 no packet comes
// back to class 0. So each class is a line of channels, and class 1 comes after class 0.
//
// Route state: one bit, "class 1 in the dimension under way" (balanced: "goes on in the ring"; the class is that
// of the VC in which the packet stands); none where no ring has wrap links.
//
// Source: Dally 1990, Sect. II; Dally, Seitz 1987 (virtual channels by dateline).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "topologies/cubes/cube.h"
#include "topologies/ring_ties.h"
#include "topologies/route.h"

namespace toriscope {

/// Which packets have the VCs of class 1 in a ring.
enum class ring_classes {
  dateline,  ///< those that have come to the wrap link
  wrapping,  ///< those that use the wrap link, from their first hop in the ring on; full-duplex rings only
  balanced,  ///< those that have come to the wrap link, and of the others as many as find it free
};

/// VC classes that dimension-order routing needs: 2 with wrap links, else 1.
unsigned dimension_order_classes(const cube_shape& shape);

/// Routing for the netlist of build_cube(shape).
/// @param vcs  of each port, at least dimension_order_classes(shape)
/// @param lowest_first  x before y
/// @throws std::invalid_argument when there are too few VCs
std::shared_ptr<const routing_function> make_dimension_order(const cube_shape& shape, ring_ties ties,
                                                             unsigned vcs, bool lowest_first = false,
                                                             ring_classes classes = ring_classes::dateline);

}  // namespace toriscope
