// SPDX-License-Identifier: Apache-2.0
#include "topologies/graphs/simple_graph.h"

#include <algorithm>
#include <stdexcept>

namespace toriscope {

namespace {

/// The port to `neighbour`; list.end() when there is none.
auto port_to(const neighbour_list& list, node_id neighbour) {
  return std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.second == neighbour; });
}

neighbour_list without_loops_and_repeats(const neighbour_list& named, node_id node) {
  neighbour_list kept;
  for (const auto& entry : named)
    if (entry.second != node && port_to(kept, entry.second) == kept.end()) kept.push_back(entry);
  return kept;
}

}  // namespace

std::shared_ptr<netlist> build_simple_graph(const std::string& name, const std::vector<unsigned>& radices,
                                            const neighbours_of& neighbours) {
  const auto digits = static_cast<unsigned>(radices.size());
  auto net = std::make_shared<netlist>(name, radices, std::vector<hierarchy_level>{{"node", digits}});
  std::vector<std::vector<node_id>> ports_of(net->node_count());  // by node and port: the neighbour
  std::vector<std::string_view> names;
  for (node_id node = 0; node < net->node_count(); ++node) {
    const neighbour_list ports = without_loops_and_repeats(neighbours(node), node);
    names.clear();
    for (const auto& [name_of_port, neighbour] : ports) {
      names.emplace_back(name_of_port);
      ports_of[node].push_back(neighbour);
    }
    net->add_node(names);
  }
  for (node_id node = 0; node < net->node_count(); ++node) {
    for (std::size_t p = 0; p < ports_of[node].size(); ++p) {
      const node_id neighbour = ports_of[node][p];
      if (neighbour < node) continue;  // made from the other end
      const std::vector<node_id>& theirs = ports_of[neighbour];
      const auto back = std::find(theirs.begin(), theirs.end(), node);
      if (back == theirs.end())
        throw std::logic_error("node " + std::to_string(neighbour) + " does not name node " +
                               std::to_string(node));
      const auto here = static_cast<port_id>(p);
      const auto there = static_cast<port_id>(back - theirs.begin());
      net->connect(node, here, neighbour, there, 1, 1);
      net->connect(neighbour, there, node, here, 1, 1);
    }
  }
  net->set_without_lengths();
  return net;
}

}  // namespace toriscope
