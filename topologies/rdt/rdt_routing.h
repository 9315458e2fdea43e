// SPDX-License-Identifier: Apache-2.0
// Vector routing in the RDT: the source reduces the way to its destination to vectors of all ranks; the
// packet goes along those of the upper ranks, h before v, floats over the base torus to nodes that have the
// next rank (rdt_float_plan.h), and goes what is left over the base torus, x before y.
//
//   floating               the printed reduction, the first of the cheapest floats ("local table reference")
//   floating3, floating4   among all roundings of the reduction the cheapest; where several floats are
//                          equally cheap all are offered, in the order x+ x- y+ y-
//   vector                 perfect RDT: ranks in descending order, no floats. The perfect RDT routes so by any
//                          method, with that method's reduction
//
// Classes of VCs; dl = 1 on and after the hop of a ring that crosses coordinate 0 of the base torus, in x for
// h rings, in y for v rings; each ring starts anew:
//   vector              2    all links dl
//   floating, floating3 3    floats 0, final moves 1 + dl, upper links dl of 2
//   floating4           4    floats a, final moves 2 + dl, upper links 2a + dl; a = 1 from the ascent on
//
// Why floating3 is free of deadlock, for every assignment: each packet takes channels in this order: floats
// to higher ranks, by the rank they lead to; then, from the highest rank to the lowest, the rings h and v of
// the rank, each broken by its dateline, and the floats that lead down from nodes of the rank; then final x,
// final y. floating4 goes through two such orders, one after the other, the second after its ascent. floating
// keeps no order, and has cycles.
//
// Route state: bit 0 dl (in a float of floating4: it leads up), bit 1 a, then the vectors of upper ranks
// (rdt_vector_code.h).
//
// Source: Fan et al. 1999, Sect. 4.1; floating3 and floating4: found and proved with channel-dependency
// graphs.
#pragma once

#include <memory>

#include "topologies/rdt/rdt_float_plan.h"
#include "topologies/rdt/rdt_reduction.h"
#include "topologies/rdt/rdt_shape.h"
#include "topologies/route.h"

namespace toriscope {

/// Classes of VCs that a method wants; the perfect RDT wants 2 with any.
unsigned rdt_vc_classes(rdt_method method);

/// `nearest` for vector and floating, `cheapest` for floating3 and floating4.
rdt_reduction rdt_default_reduction(rdt_method method);

/// Routing for the netlist of build_rdt(shape).
/// @param vcs  of each port
/// @throws std::invalid_argument when there are too few VCs, or the assignment leaves some node without a way
/// to the ranks that the reduction asks for: which node and which rank
std::shared_ptr<const routing_function> make_rdt_routing(const rdt_shape& shape, rdt_method method,
                                                         rdt_reduction reduction, unsigned vcs);

}  // namespace toriscope
