// SPDX-License-Identifier: Apache-2.0
// Minimal fully adaptive routing in meshes, tori and k-ary n-cubes, with dimension order as its escape.
//
// Options, in order of preference: every hop on a shortest way (both ways round at a tie), the lowest
// dimension first, on the adaptive VCs; last the hop of dimension order (the highest dimension first) on the
// escape VCs, the lowest of the port: VC 0 alone, where there are wrap links VC 0 while the wrap link still
// lies ahead in the dimension under way, and VC 1 when it does not. That class is read off the two addresses,
// so it is right after any adaptive hops; a packet may leave the escape again.
//
// Free of deadlock by Duato's condition: adaptive hops never leave a shortest way, so they take a packet from
// one escape channel only to one of the same dimension further on, or of a lower one. The proof is one for
// VCs that are granted again when they have drained (--vc-reallocation atomic): a head that stands behind another
// packet's tail has no way out.
//
// With more than seven ways on (many dimensions) the first seven are offered. Route state: none.
//
// Source: Duato 1993, Sect. 5; Dally, Seitz 1987 (the escape).
#pragma once

#include <memory>

#include "topologies/cubes/cube.h"
#include "topologies/cubes/dimension_order.h"
#include "topologies/route.h"

namespace toriscope {

/// VCs that it needs: those of dimension order, and one.
unsigned minimal_adaptive_vcs(const cube_shape& shape);

/// Routing for the netlist of build_cube(shape).
/// @param ties  of the escape
/// @param vcs   of each port, at least minimal_adaptive_vcs(shape)
/// @throws std::invalid_argument when there are too few VCs
std::shared_ptr<const routing_function> make_minimal_adaptive(const cube_shape& shape, ring_ties ties,
                                                              unsigned vcs);

}  // namespace toriscope
