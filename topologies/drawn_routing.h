// SPDX-License-Identifier: Apache-2.0
// Routings that draw a packet's way when it is injected (docs/model.md, "Drawn routes"). Each consists of two routing
// functions of the same wiring, one for the lower half of the VCs and one for the upper half:
//
//   valiant  with the lower half to the router of a terminal drawn at random, from there on with the upper half
//   ugal     valiant, or straight on with the half whose VC it gets first: as the queues at the first router tell
//   o1turn   one or the other, drawn with equal shares
//
// Why they are free of deadlock if both halves are: no packet goes from the upper half to the lower one.
//
// Sources: Valiant, Brebner 1981; Singh 2005 (UGAL), with the queues of the first router; Seo et al. 2005 (O1TURN).
#pragma once

#include <memory>

#include "topologies/netlist.h"

namespace toriscope {

/// Valiant's routing. A packet whose source and destination are at one router leaves there at once. Where the router of
/// the terminal that was drawn is the first one, it goes straight to its destination.
/// @param half       between terminals, made for half of `vcs`
/// @param by_queues  the first router compares flits waiting times links of the whole way (docs/model.md)
std::shared_ptr<const routing_function> make_valiant(std::shared_ptr<const netlist> wiring,
                                                     std::shared_ptr<const routing_function> half,
                                                     unsigned vcs, bool by_queues);

/// @param lower, upper  between terminals, each made for half of `vcs`
std::shared_ptr<const routing_function> make_o1turn(std::shared_ptr<const netlist> wiring,
                                                    std::shared_ptr<const routing_function> lower,
                                                    std::shared_ptr<const routing_function> upper,
                                                    unsigned vcs);

}  // namespace toriscope
