// SPDX-License-Identifier: Apache-2.0
// A topology in 30 lines: a star. Node 0 is the hub, the others are its leaves.
#pragma once

#include "topologies/registry.h"

namespace toriscope {

/// A tree: no packet waits in a circle, so any VC will do.
class star_routing : public routing_function {
 public:
  star_routing(node_id nodes, unsigned vcs) : leaves_(nodes - 1), vcs_(vc_set::below(vcs).mask()) {}

  unsigned route(const route_request& at, route_option* options) const override {
    const node_id local = at.node == 0 ? leaves_ : 1;  // the local port comes behind the ports of the netlist
    const node_id out = at.node == at.destination ? local : at.node == 0 ? at.destination - 1 : 0;
    options[0] = {static_cast<port_id>(out), vcs_, /*state*/ 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  node_id leaves_;
  vc_mask vcs_;
};

inline topology make_star(const std::string& arguments, const topology_options& options) {
  const auto nodes = static_cast<node_id>(std::stoul(arguments));
  topology star;
  star.wiring = std::make_shared<netlist>("star", std::vector<unsigned>{nodes},
                                          std::vector<hierarchy_level>{{"node", 1}});
  std::vector<std::string> leaves;
  for (node_id leaf = 1; leaf < nodes; ++leaf) leaves.push_back("leaf_" + std::to_string(leaf));
  star.wiring->add_node({leaves.begin(), leaves.end()});
  for (node_id leaf = 1; leaf < nodes; ++leaf) {
    const auto port = static_cast<port_id>(leaf - 1);
    star.wiring->add_node({"hub"});
    star.wiring->connect(0, port, leaf, 0, /*level*/ 1, /*length*/ 1);
    star.wiring->connect(leaf, 0, 0, port, /*level*/ 1, /*length*/ 1);
  }
  star.routing = std::make_shared<star_routing>(nodes, options.vcs);
  return star;
}

}  // namespace toriscope
