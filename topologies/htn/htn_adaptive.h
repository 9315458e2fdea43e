// SPDX-License-Identifier: Apache-2.0
// Minimal fully adaptive routing in hierarchical torus networks, with dimension order as its escape.
//
// The rings above the BM are taken in the order of dimension order. Options, in order of preference: in the
// BM every hop on a shortest way to the next gate or the destination, x first; both ways round a ring, in the
// BM and above, where they are equally long; on the adaptive VCs. Last the hop of dimension order with ties
// nowrap, on the escape VCs, the lowest of the port, as the VC rule says. A packet may leave the escape
// again.
//
// A packet that has set out for one of two equally long ways round a ring of subnetworks keeps to it; if it
// takes the escape before it has come to the gate, it turns to the way of the escape, for good. Only hops to
// gates, as counted by dimension order, are therefore minimal: a turn costs a few.
//
// Free of deadlock by Duato's condition where the rule is for dimension order with ties nowrap (no ring of
// more than four), as escape_proof.h finds. The proof is one for VCs that are granted again when they have
// drained. With more than seven ways on the first seven are offered. Route state: two bits, the way chosen.
//
// Source: Duato 1993; Rahman et al. 2012, Sect. III.A (the escape).
#pragma once

#include <memory>

#include "topologies/htn/htn_vc_rule.h"

namespace toriscope {

/// Routing for the netlist of build_htn(shape).
/// @param escape  looks at no bmd (rings of at most four and ties nowrap have no use for it)
/// @param vcs     of each port, more than escape.classes_in(shape)
/// @throws std::invalid_argument when there are too few VCs
std::shared_ptr<const routing_function> make_htn_adaptive(const htn_shape& shape, htn_gates gates,
                                                          const htn_vc_rule& escape, unsigned vcs);

}  // namespace toriscope
