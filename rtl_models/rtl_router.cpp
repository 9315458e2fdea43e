// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_router.h"

namespace toriscope {

std::string to_string(const rtl_parameters& parameters) {
  return "PORTS " + std::to_string(parameters.ports) + ", VCS " + std::to_string(parameters.vcs) +
         ", DEPTH " + std::to_string(parameters.depth) + ", DST_BITS " +
         std::to_string(parameters.destination_bits) + ", STATE_BITS " +
         std::to_string(parameters.state_bits);
}

rtl_parameters parameters_of(const netlist& wiring, node_id node, const flit_layout& layout, unsigned vcs,
                             unsigned depth) {
  return {wiring.local_port(node) + 1u, vcs, depth, layout.destination_bits(), layout.state_bits()};
}

}  // namespace toriscope
