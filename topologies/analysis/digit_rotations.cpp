// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/digit_rotations.h"

namespace toriscope {

std::vector<node_id> digit_weights(const netlist& net) {
  std::vector<node_id> weights(net.radices().size(), 1);
  for (std::size_t i = weights.size(); i-- > 1;) weights[i - 1] = weights[i] * net.radices()[i];
  return weights;
}

digit_rotations::digit_rotations(const netlist& net) : weights_(digit_weights(net)), turns_(net.radices()) {
  for (std::size_t digit = 0; digit < turns_.size(); ++digit) {
    const unsigned radix = net.radices()[digit];
    unsigned turn = 1;
    while (turn < radix && (radix % turn != 0 || !maps_wiring(net, digit, turn))) ++turn;
    turns_[digit] = turn;
    nodes_each_ *= radix / turn;
  }
}

bool digit_rotations::maps_wiring(const netlist& net, std::size_t digit, unsigned turn) const {
  const unsigned radix = net.radices()[digit];
  const node_id weight = weights_[digit];
  const auto turned = [=](node_id node) {
    return node / weight % radix + turn < radix ? node + turn * weight : node - (radix - turn) * weight;
  };
  // As turning is one to one, it is enough that each link has its image.
  for (const netlist_link& wire : net.links()) {
    const port_range ports = net.ports(turned(wire.from));
    if (wire.from_port >= ports.size() || ports[wire.from_port].out == no_link) return false;
    const netlist_link& image = net.link(ports[wire.from_port].out);
    if (image.to != turned(wire.to) || image.to_port != wire.to_port) return false;
  }
  return true;
}

std::vector<node_id> digit_rotations::representatives() const {
  std::vector<node_id> nodes{0};
  for (std::size_t digit = 0; digit < turns_.size(); ++digit) {
    std::vector<node_id> longer;
    longer.reserve(nodes.size() * turns_[digit]);
    for (const node_id node : nodes)
      for (unsigned value = 0; value < turns_[digit]; ++value)
        longer.push_back(node + value * weights_[digit]);
    nodes = std::move(longer);
  }
  return nodes;
}

}  // namespace toriscope
