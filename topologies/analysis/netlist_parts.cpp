// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/netlist_parts.h"

#include <stdexcept>
#include <string>

#include "topologies/analysis/metis_parts.h"
#include "topologies/node_ranges.h"

namespace toriscope {

std::vector<std::uint32_t> cut_into_parts(const netlist& net, unsigned parts) {
  const std::uint64_t nodes = net.node_count();
  if (parts < 1 || parts > nodes)
    throw std::invalid_argument("a network of " + std::to_string(nodes) + " nodes cannot be cut into " +
                                std::to_string(parts) + " parts");
  for (terminal_id t = 0; parts > 1 && t < net.terminal_count(); ++t)
    if (net.terminal(t).node != net.terminal(t).exit)
      throw std::invalid_argument(
          "terminal " + net.terminal_address(t) +
          " sends and receives at different nodes: such a network cannot be cut into parts");
  if (parts > 1 && net.radices().size() == 1) return metis_parts(undirected_wires(net), parts, 1);
  const node_ranges ranges(net, parts);
  std::vector<std::uint32_t> part(nodes);
  for (node_id node = 0; node < nodes; ++node) part[node] = ranges.of(node);
  return part;
}

}  // namespace toriscope
