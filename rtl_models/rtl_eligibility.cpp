// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_eligibility.h"

#include <algorithm>

#include "topologies/wire_place.h"

namespace toriscope {

std::string obstacle_to_rtl(const netlist& wiring, node_id node, const router_config& config) {
  if ((config.pipeline != pipeline::single_cycle && config.pipeline != pipeline::four_stage) ||
      !config.has_fast_path())
    return std::string("the RTL router is single_cycle or four_stage; the network is ") +
           to_string(config.pipeline) + (config.has_fast_path() ? "" : " with other policies");
  return obstacle_to_any_rtl(wiring, node);
}

std::string obstacle_to_user_rtl(const netlist& wiring, node_id node, bool compares_queues) {
  for (const netlist_link& l : wiring.links())
    for (const node_id n : {node, l.from == node ? l.to : node})
      if (wiring.vcs_of(n, 0) + wiring.depth_of(n, 0) != 0)
        return "a user-supplied router has the VCs and the depth of the network, and so have those behind "
               "it; " +
               wiring.path(n) + " has its own";
  if (const std::string obstacle = obstacle_to_any_rtl(wiring, node); !obstacle.empty()) return obstacle;
  return compares_queues ? "a user-supplied router does not compare queues; choose another --routing" : "";
}

std::string obstacle_to_any_rtl(const netlist& wiring, node_id node) {
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

std::vector<unsigned> slots_behind(const netlist& wiring, node_id node, const router_config& network,
                                   const rtl_parameters& rtl) {
  if (rtl.out_depth == 0) return {};
  std::vector<unsigned> slots(std::size_t{rtl.ports} * rtl.vcs);
  for (unsigned p = 0; p < wiring.port_count(node); ++p) {
    const wire_id out = wire_out_of(wiring, node, static_cast<port_id>(p));
    if (out == no_wire) continue;
    const node_id behind = wire_at(wiring, out).to;
    const auto first = slots.begin() + port_of_rtl(wiring, node, p, rtl) * rtl.vcs;
    std::fill_n(first, wiring.vcs_of(behind, network.vcs), wiring.depth_of(behind, network.depth));
  }
  return slots;
}

}  // namespace toriscope
