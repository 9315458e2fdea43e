// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_router.h"

namespace toriscope {

std::vector<std::pair<const char*, unsigned>> named_values(const rtl_parameters& p) {
  return {{"PORTS", p.ports},
          {"VCS", p.vcs},
          {"DEPTH", p.depth},
          {"DST_BITS", p.destination_bits},
          {"STATE_BITS", p.state_bits},
          {"FOUR_STAGE", p.four_stage},
          {"LOCAL_PORTS", p.local_ports},
          {"LOCAL_CREDITS", p.local_credits},
          {"DRAINED", p.drained},
          {"OPTIONS", p.table.options},
          {"CLASS_BITS", p.table.class_bits},
          {"INDEX_BITS", p.table.index_bits}};
}

std::string to_string(const rtl_parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : named_values(parameters))
    text += (text.empty() ? "" : ", ") + std::string(name) + ' ' + std::to_string(value);
  return text;
}

rtl_parameters parameters_of(const netlist& wiring, node_id node, const flit_layout& layout,
                             const router_config& config, bool local_credits) {
  rtl_parameters p;
  p.ports = wiring.port_count(node);
  p.local_ports = wiring.local_ports(node);
  p.vcs = config.vcs;
  p.depth = config.depth;
  p.destination_bits = layout.destination_bits();
  p.state_bits = layout.state_bits();
  p.four_stage = config.pipeline == pipeline::four_stage;
  p.local_credits = local_credits;
  p.drained = config.vc_reallocation == vc_reallocation::atomic;
  return p;
}

}  // namespace toriscope
