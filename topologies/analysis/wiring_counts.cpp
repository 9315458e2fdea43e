// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/wiring_counts.h"

#include <algorithm>

namespace toriscope {

link_id way_back(const netlist& net, link_id l) {
  const netlist_link& wire = net.link(l);
  const link_id back = net.ports(wire.to)[wire.to_port].out;
  if (back == no_link) return no_link;
  const netlist_link& other = net.link(back);
  return other.to == wire.from && other.to_port == wire.from_port ? back : no_link;
}

namespace {

unsigned degree_of(const netlist& net, node_id node) {
  unsigned degree = 0;
  for (const netlist_port& port : net.ports(node)) {
    degree += port.out != no_link;
    degree += port.in != no_link && (port.out == no_link || way_back(net, port.out) != port.in);
  }
  return degree;
}

}  // namespace

wiring_counts count_wiring(const netlist& net) {
  wiring_counts result;
  result.directed_links = net.links().size();
  result.has_places = net.has_places();
  result.has_lengths = net.has_lengths();
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
