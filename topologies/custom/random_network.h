// SPDX-License-Identifier: Apache-2.0
// Of the tests: irregular networks.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// A connected network of random links.
inline std::shared_ptr<netlist> random_network(unsigned nodes, unsigned links, std::mt19937& random) {
  std::vector<std::pair<node_id, node_id>> pairs;
  std::set<std::pair<node_id, node_id>> seen;
  const auto join = [&](node_id a, node_id b) {
    if (a != b && seen.insert(std::minmax(a, b)).second) pairs.emplace_back(a, b);
  };
  for (node_id node = 1; node < nodes; ++node) join(node, random() % node);
  while (pairs.size() < links) join(random() % nodes, random() % nodes);
  std::vector<std::vector<std::string>> names(nodes);
  for (const auto& [a, b] : pairs)
    for (const node_id end : {a, b}) names[end].push_back("p" + std::to_string(names[end].size()));
  auto net = std::make_shared<netlist>("random", std::vector<unsigned>{nodes},
                                       std::vector<hierarchy_level>{{"node", 1}});
  for (const auto& of_node : names) net->add_node({of_node.begin(), of_node.end()});
  std::vector<port_id> next(nodes, 0);
  for (const auto& [a, b] : pairs) {
    const port_id at_a = next[a]++;
    const port_id at_b = next[b]++;
    net->connect(a, at_a, b, at_b, 1, 1);
    net->connect(b, at_b, a, at_a, 1, 1);
  }
  return net;
}

}  // namespace toriscope
