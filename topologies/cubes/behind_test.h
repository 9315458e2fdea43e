// SPDX-License-Identifier: Apache-2.0
// For tests: neighbours by the names of ports.
#pragma once

#include <string>

#include "topologies/netlist.h"

namespace toriscope {

/// The node that the link leaving by that port leads to.
inline node_id behind(const netlist& net, node_id node, const std::string& port) {
  return net.link(net.ports(node)[net.port_named(node, port)].out).to;
}

}  // namespace toriscope
