// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/channel_dependency.h"

#include "topologies/proof/packet_explorer.h"
#include "topologies/proof/short_cycle.h"

namespace toriscope {

std::string channel_dependencies::in_words(const netlist& net) const {
  if (acyclic())
    return "acyclic: " + std::to_string(channels) + " channels, " + std::to_string(dependencies) +
           " dependencies";
  return "cycle of " + std::to_string(cycle.size()) + ": " + cycle_in_words(net, cycle);
}

channel_dependencies find_channel_dependencies(const netlist& net, const routing_function& routing,
                                               unsigned vcs, const std::vector<node_id>& destinations) {
  packet_explorer packets(net, routing, vcs);
  if (destinations.empty())
    for (terminal_id t = 0; t < net.terminal_count(); ++t) packets.follow_packets_to(t);
  for (const node_id node : destinations) packets.follow_packets_to(node);
  const dependency_graph graph = packets.dependencies().graph();

  channel_dependencies result;
  result.channels = num_vertices(graph);
  result.dependencies = num_edges(graph);
  if (!topological_order(graph)) result.cycle = channels_numbered(short_cycle(graph), vcs);
  return result;
}

}  // namespace toriscope
