// SPDX-License-Identifier: Apache-2.0
// A routing function with several options, for the tests: minimal adaptive routing on a mesh with an
// escape VC.
//
//   options    every port that leads nearer, the one of the longer way first, on VCs 1 ..; then the port of
//              dimension-order routing (x first) on VC 0
//   state      three bits; each option sets others, so that the wires show which one was taken
//   source     Duato, 1993: escape channels
#pragma once

#include <memory>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope::reference {

/// For the netlist of a two-dimensional mesh of the registry. @throws std::invalid_argument for another one
std::shared_ptr<const routing_function> make_adaptive_mesh(std::shared_ptr<const netlist> wiring,
                                                           unsigned vcs);

}  // namespace toriscope::reference
