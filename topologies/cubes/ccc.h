// SPDX-License-Identifier: Apache-2.0
// Cube-connected cycles CCC(n): the binary n-cube with a cycle of n nodes for each corner.
//
// Address: the n bits of the cycle, bit n-1 first, then the position 0 .. n-1 in it; n * 2^n nodes. Ports of
// a node, in order: cycle+ (to position + 1 modulo n), cycle-, cross (to the cycle whose bit number
// `position` is the other one, same position). All links full duplex; those of the cycle have level 1, cross
// links level 2.
//
// Limits: n = 3 .. 19. With n = 2 and 1 the cycles are no cycles: the networks would be rings of 8 and 2
// nodes. Source: Preparata, Vuillemin 1981; Rahman et al. 2009, Sect. 4 (comparison).
#pragma once

#include <memory>

#include "topologies/netlist.h"

namespace toriscope {

/// Numbers of the ports, the same at every node.
enum ccc_port : port_id { cycle_plus = 0, cycle_minus = 1, cross = 2, ccc_local = 3 };

std::shared_ptr<netlist> build_ccc(unsigned n);

}  // namespace toriscope
