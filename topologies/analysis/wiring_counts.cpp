// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/wiring_counts.h"

#include <algorithm>

namespace toriscope {

namespace {

unsigned degree_of(const netlist& net, node_id node) {
  const port_range ports = net.ports(node);
  return static_cast<unsigned>(std::count_if(ports.begin(), ports.end(), [](const netlist_port& port) {
    return port.out != no_link || port.in != no_link;
  }));
}

}  // namespace

link_id way_back(const netlist& net, link_id l) {
  const netlist_link& wire = net.link(l);
  const link_id back = net.ports(wire.to)[wire.to_port].out;
  if (back == no_link) return no_link;
  const netlist_link& other = net.link(back);
  return other.to == wire.from && other.to_port == wire.from_port ? back : no_link;
}

wiring_counts count_wiring(const netlist& net) {
  wiring_counts result;
  result.directed_links = net.links().size();
  result.degree_min = ~0u;  // a network has a node
  for (node_id node = 0; node < net.node_count(); ++node) {
    const unsigned degree = degree_of(net, node);
    result.degree_min = std::min(result.degree_min, degree);
    result.degree_max = std::max(result.degree_max, degree);
  }
  for_each_wire(net, [&](const netlist_link& wire) {
    ++result.links;
    result.total_length += wire.length;
    result.longest = std::max<unsigned>(result.longest, wire.length);
  });
  return result;
}

}  // namespace toriscope
