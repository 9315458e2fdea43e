// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_eligibility.h"

namespace toriscope {

std::string obstacle_to_rtl(const netlist& wiring, node_id node, const router_config& config) {
  if ((config.pipeline != pipeline::single_cycle && config.pipeline != pipeline::four_stage) ||
      !config.has_fast_path())
    return std::string("the RTL router is single_cycle or four_stage; the network is ") +
           to_string(config.pipeline) + (config.has_fast_path() ? "" : " with other policies");
  return obstacle_to_any_rtl(wiring, node);
}

std::string obstacle_to_any_rtl(const netlist& wiring, node_id node) {
  if (wiring.has_node_values())
    return "RTL routers are all alike; in this network nodes have VCs, a depth or a pipeline of their own";
  const port_range ports = wiring.ports(node);
  for (port_id p = 0; p < ports.size(); ++p) {
    if (ports[p].out == no_link) continue;
    const unsigned cycles = wiring.link(ports[p].out).flit_cycles;
    if (cycles > 1)
      return "the RTL router sends a flit in every cycle; its link out of port " + wiring.port_name(node, p) +
             " is narrow, " + std::to_string(cycles) + " cycles per flit";
  }
  return {};
}

}  // namespace toriscope
