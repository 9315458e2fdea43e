// SPDX-License-Identifier: Apache-2.0
#include "topologies/htn/htn.h"

#include <algorithm>
#include <string>

namespace toriscope {

namespace {

/// Pitches of a tile, and where a part of it is. @param planes  that are set side by side
struct tile {
  unsigned width = 1;
  unsigned height = 1;
  plane_position at{0, 0};

  void enclose(unsigned side, unsigned planes, unsigned x, unsigned y, unsigned z) {
    unsigned columns = 1;
    while (columns * columns < planes) ++columns;
    at.x += width * (x + side * (z % columns));
    at.y += height * (y + side * (z / columns));
    width *= side * columns;
    height *= side * ((planes + columns - 1) / columns);
  }
};

std::vector<hierarchy_level> modules(const htn_shape& shape) {
  std::vector<hierarchy_level> result;
  for (unsigned level = shape.levels - 1; level >= 2; --level)
    result.push_back({"L" + std::to_string(level), shape.dimensions()});
  result.push_back({"bm", shape.dimensions()});
  result.push_back({"node", 3});
  return result;
}

constexpr const char* bm_names[] = {"x", "y", "z"};
constexpr const char* ring_names[] = {"X", "Y", "Z"};

/// Connects pairs of ports both ways.
class wiring {
 public:
  wiring(const htn_shape& shape, netlist& net) : net_(net) {
    positions_.reserve(net.node_count());
    for (node_id node = 0; node < net.node_count(); ++node)
      positions_.push_back(place_in_plane(shape, net.digits(node)));
  }

  void pair(node_id from, port_id from_port, node_id to, port_id to_port, unsigned level) {
    const auto apart = [](unsigned a, unsigned b) { return a < b ? b - a : a - b; };
    const plane_position& a = positions_[from];
    const plane_position& b = positions_[to];
    const std::uint32_t length = apart(a.x, b.x) + apart(a.y, b.y);
    net_.connect(from, from_port, to, to_port, static_cast<std::uint8_t>(level), length);
    net_.connect(to, to_port, from, from_port, static_cast<std::uint8_t>(level), length);
  }

 private:
  netlist& net_;
  std::vector<plane_position> positions_;
};

}  // namespace

htn_port_map::htn_port_map(const htn_shape& shape)
    : names_(shape.bm_nodes()), bm_ports_(6 * std::size_t{shape.bm_nodes()}, none) {
  for (unsigned node = 0; node < shape.bm_nodes(); ++node) {
    unsigned stride = 1;
    for (unsigned d = 0; d < 3; ++d, stride *= shape.m) {
      const unsigned at = node / stride % shape.m;
      if (shape.bm_wraps() || at + 1 < shape.m)
        bm_ports_[6 * node + 2 * d] = add(node, std::string(bm_names[d]) + "+");
      if (shape.bm_wraps() || at > 0)
        bm_ports_[6 * node + 2 * d + 1] = add(node, std::string(bm_names[d]) + "-");
    }
  }
  const std::vector<htn_ring> rings = htn_rings(shape);
  ring_ports_.resize(2 * rings.size() * shape.bm_nodes(), none);
  for (std::size_t r = 0; r < rings.size(); ++r) {
    const std::string name = "L" + std::to_string(rings[r].level) + "_" + ring_names[rings[r].dimension];
    for (const htn_gate& gate : rings[r].gates) {
      ring_ports_[2 * (r * shape.bm_nodes() + gate.out)] = add(gate.out, name + "+");
      ring_ports_[2 * (r * shape.bm_nodes() + gate.in) + 1] = add(gate.in, name + "-");
    }
  }
}

port_id htn_port_map::add(unsigned node, std::string name) {
  names_[node].push_back(std::move(name));
  return static_cast<port_id>(names_[node].size() - 1);
}

plane_position place_in_plane(const htn_shape& shape, const std::vector<unsigned>& digits) {
  std::size_t at = digits.size() - 3;
  tile node;
  node.enclose(shape.m, shape.m, digits[at + 2], digits[at + 1], digits[at]);
  const unsigned dimensions = shape.dimensions();
  while (at > 0) {
    at -= dimensions;
    if (dimensions == 2)
      node.enclose(shape.n, 1, digits[at + 1], digits[at], 0);
    else
      node.enclose(shape.n, shape.n, digits[at + 2], digits[at + 1], digits[at]);
  }
  return node.at;
}

std::shared_ptr<netlist> build_htn(const htn_shape& shape) {
  auto net = std::make_shared<netlist>(to_string(shape.kind), shape.radices(), modules(shape));
  const htn_port_map ports(shape);
  const unsigned bm_nodes = shape.bm_nodes();
  std::vector<std::vector<std::string_view>> names(bm_nodes);
  std::size_t ports_of_bm = 0;
  for (unsigned node = 0; node < bm_nodes; ++node) {
    names[node].assign(ports.names(node).begin(), ports.names(node).end());
    ports_of_bm += names[node].size();
  }
  const node_id nodes = net->node_count();
  net->reserve(nodes, nodes / bm_nodes * ports_of_bm, nodes / bm_nodes * ports_of_bm);
  for (node_id node = 0; node < nodes; ++node) net->add_node(names[node % bm_nodes]);

  wiring wires(shape, *net);
  const std::vector<htn_ring> rings = htn_rings(shape);
  for (node_id bm = 0; bm < nodes; bm += bm_nodes) {
    unsigned stride = 1;
    for (unsigned d = 0; d < 3; ++d, stride *= shape.m)
      for (unsigned node = 0; node < bm_nodes; ++node) {
        const port_id plus = ports.bm_port(node, d, true);
        if (plus == htn_port_map::none) continue;
        const bool wraps = node / stride % shape.m == shape.m - 1;
        const unsigned next = wraps ? node - (shape.m - 1) * stride : node + stride;
        wires.pair(bm + node, plus, bm + next, ports.bm_port(next, d, false), 1);
      }
    for (unsigned r = 0; r < rings.size(); ++r) {
      node_id one = bm_nodes;  // the weight of the ring's digit in a node number
      for (unsigned d = 0; d < (rings[r].level - 2) * shape.dimensions() + rings[r].dimension; ++d)
        one *= shape.n;
      const bool wraps = bm / one % shape.n == shape.n - 1;
      const node_id next = wraps ? bm - (shape.n - 1) * one : bm + one;
      for (const htn_gate& gate : rings[r].gates)
        wires.pair(bm + gate.out, ports.ring_port(gate.out, r, true), next + gate.in,
                   ports.ring_port(gate.in, r, false), rings[r].level);
    }
  }
  return net;
}

}  // namespace toriscope
