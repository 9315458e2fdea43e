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
  const auto ports_of = [&](node_id node) { return without_loops_and_repeats(neighbours(node), node); };

  std::vector<std::string_view> names;
  for (node_id node = 0; node < net->node_count(); ++node) {
    const neighbour_list ports = ports_of(node);
    names.clear();
    for (const auto& entry : ports) names.emplace_back(entry.first);
    net->add_node(names);
  }
  for (node_id node = 0; node < net->node_count(); ++node) {
    const neighbour_list ports = ports_of(node);
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const node_id neighbour = ports[p].second;
      if (neighbour < node) continue;  // made from the other end
      const neighbour_list theirs = ports_of(neighbour);
      const auto back = port_to(theirs, node);
      if (back == theirs.end())
        throw std::logic_error("node " + std::to_string(neighbour) + " does not name node " +
                               std::to_string(node));
      const auto here = static_cast<port_id>(p);
      const auto there = static_cast<port_id>(back - theirs.begin());
      net->connect(node, here, neighbour, there, 1, 1);
      net->connect(neighbour, there, node, here, 1, 1);
    }
  }
  return net;
}

}  // namespace toriscope
