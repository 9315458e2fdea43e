// SPDX-License-Identifier: Apache-2.0
// Routing with several options that no set of dead links makes prone to deadlock, for tests: west-first on a
// mesh. Packets go west first, if at all; then every way that leads nearer is an option. Its channels are in
// one order, whichever of them are missing.
//
//   source   Glass, Ni 1992 (the turn model)
#pragma once

#include <memory>

#include "topologies/netlist.h"

namespace toriscope {

/// For the netlist of mesh:YxX of the registry.
std::shared_ptr<const routing_function> make_west_first(std::shared_ptr<const netlist> mesh, unsigned vcs);

}  // namespace toriscope
