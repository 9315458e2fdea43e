// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/rtl_eligibility.h"

#include <algorithm>

#include "topologies/wire_place.h"

namespace toriscope {

std::string obstacle_to_rtl(const router_config& config) {
  if ((config.pipeline != pipeline::single_cycle && config.pipeline != pipeline::four_stage) ||
      !config.has_fast_path())
    return std::string("the RTL router is single_cycle or four_stage; the network is ") +
           to_string(config.pipeline) + (config.has_fast_path() ? "" : " with other policies");
  return {};
}

std::string obstacle_to_user_rtl(const netlist& wiring, node_id node, bool compares_queues) {
  for (const netlist_link& l : wiring.links())
    for (const node_id n : {node, l.from == node ? l.to : node})
      if (wiring.vcs_of(n, 0) + wiring.depth_of(n, 0) != 0)
        return "a user-supplied router has the VCs and the depth of the network, and so have those behind "
               "it; " +
               wiring.path(n) + " has its own";
  return compares_queues ? "a user-supplied router does not compare queues; choose another --routing" : "";
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

std::vector<unsigned> flit_cycles_behind(const netlist& wiring, node_id node, const rtl_parameters& rtl) {
  if (!rtl.narrow) return {};
  std::vector<unsigned> cycles(rtl.ports, 1);
  for (unsigned p = 0; p < wiring.port_count(node); ++p)
    if (const wire_id out = wire_out_of(wiring, node, static_cast<port_id>(p)); out != no_wire)
      cycles[port_of_rtl(wiring, node, p, rtl)] = wire_at(wiring, out).flit_cycles;
  return cycles;
}

}  // namespace toriscope
