// SPDX-License-Identifier: Apache-2.0
// Dimension-order routing in hierarchical torus networks (R1) and its relaxations by the selection
// algorithms: link selection LS (R3), channel selection CS (R2), both (R).
//
//   dor    one way and one class of VCs
//   ls     both ways where they are equally long (Eq. 3), in BM and rings; the one that `ties` say is tried
//          first. A packet keeps to the way round a ring of BMs that it has set out for
//   cs     where the rest of the way on a ring has no wrap link, the class for after it may be taken instead
//          of the one for before it, which is tried first: in the BM from any hop on to the end of the
//          dimension, on a ring of subnetworks at any hop (as between two of them the packet leaves the
//          ring's channels)
//
// Route state: bit 0 rd, the dateline bit of the ring of subnetworks under way; bit 1 bmd, that of the ring
// in the BM; with ls bits 2 and 3: the way has been chosen, and it is +.
//
// Source: Rahman et al. 2012, Sect. III, Lemmas 2 and 3.
#pragma once

#include <memory>

#include "topologies/htn/htn_vc_rule.h"

namespace toriscope {

/// Routing for the netlist of build_htn(shape).
/// @param vcs  of each port, at least rule.classes_in(shape)
/// @throws std::invalid_argument when there are too few VCs
std::shared_ptr<const routing_function> make_htn_routing(const htn_shape& shape, const htn_setting& setting,
                                                         const htn_vc_rule& rule, unsigned vcs);

}  // namespace toriscope
