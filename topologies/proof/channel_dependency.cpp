// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/channel_dependency.h"

#include "topologies/proof/packet_explorer.h"
#include "topologies/proof/short_cycle.h"

namespace toriscope {

std::string to_string(const netlist& net, const channel& c) {
  const netlist_link& wire = net.link(c.link);
  return net.address(wire.from) + " " + net.port_name(wire.from, wire.from_port) + " vc" +
         std::to_string(c.vc);
}

std::string channel_dependencies::in_words(const netlist& net) const {
  if (acyclic())
    return "acyclic: " + std::to_string(channels) + " channels, " + std::to_string(dependencies) +
           " dependencies";
  std::string words = "cycle of " + std::to_string(cycle.size()) + ": ";
  for (const channel& c : cycle) words += to_string(net, c) + " -> ";
  return words + to_string(net, cycle.front());
}

channel_dependencies find_channel_dependencies(const netlist& net, const routing_function& routing,
                                               unsigned vcs, const std::vector<node_id>& destinations) {
  packet_explorer packets(net, routing, vcs);
  if (destinations.empty())
    for (node_id node = 0; node < net.node_count(); ++node) packets.follow_packets_to(node);
  for (const node_id node : destinations) packets.follow_packets_to(node);
  const dependency_graph graph = packets.dependencies().graph();

  channel_dependencies result;
  result.channels = num_vertices(graph);
  result.dependencies = num_edges(graph);
  if (topological_order(graph)) return result;
  for (const std::uint32_t c : short_cycle(graph))
    result.cycle.push_back({c / vcs, static_cast<std::uint8_t>(c % vcs)});
  return result;
}

}  // namespace toriscope
