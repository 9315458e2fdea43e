// SPDX-License-Identifier: Apache-2.0
// Dimension-order routing (e-cube) in k-ary n-cubes, from the most significant dimension down (y, then x) or
// from the lowest one up (x, then y), with the dateline rule.
//
// VC rules: on rings of more than 2 nodes two classes, starting anew in each dimension; one class everywhere
// else (meshes, rings of 2).
//
//   dateline  0 before, and 1 on and after the wrap hop
//   wrapping  1 all along a ring whose wrap link the packet uses, else 0: as BookSim 2 does it
//
// Route state: one bit, "class 1 in the dimension under way"; none where no ring has wrap links.
//
// Source: Dally 1990, Sect. II; Dally, Seitz 1987 (virtual channels by dateline).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "topologies/cubes/cube.h"
#include "topologies/route.h"

namespace toriscope {

/// Which way a packet goes when both ways round an even ring are equally long.
enum class ring_ties {
  nowrap,    ///< the way that does not use the wrap link
  positive,  ///< always +
  balanced,  ///< by the parity of the source's digit in that dimension: even +, odd -
};

/// Which packets have the VCs of class 1 in a ring.
enum class ring_classes {
  dateline,  ///< those that have come to the wrap link
  wrapping,  ///< those that use the wrap link, from their first hop in the ring on; full-duplex rings only
};

/// "nowrap", "positive", "balanced".
const char* to_string(ring_ties ties);

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
