// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_router.h"

namespace toriscope {

std::vector<std::pair<const char*, unsigned>> named_values(const rtl_parameters& p) {
  return {{"PORTS", p.ports},
          {"VCS", p.vcs},
          {"DEPTH", p.depth},
          {"DST_BITS", p.destination_bits},
          {"STATE_BITS", p.state_bits}};
}

std::string to_string(const rtl_parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : named_values(parameters))
    text += (text.empty() ? "" : ", ") + std::string(name) + ' ' + std::to_string(value);
  return text;
}

rtl_parameters parameters_of(const netlist& wiring, node_id node, const flit_layout& layout, unsigned vcs,
                             unsigned depth) {
  return {wiring.local_port(node) + 1u, vcs, depth, layout.destination_bits(), layout.state_bits()};
}

}  // namespace toriscope
