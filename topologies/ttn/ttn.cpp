// SPDX-License-Identifier: Apache-2.0
#include "topologies/ttn/ttn.h"

#include <string>
#include <vector>

namespace toriscope {

namespace {

/// Calls f(digit, group) for all rings in the order of the ports: by level, V before H, by group.
template <class Function>
void for_each_ring(const ttn_shape& shape, Function f) {
  for (unsigned level = 2; level <= shape.levels; ++level)
    for (const unsigned digit : {2 * level - 1, 2 * level - 2})
      for (unsigned group = 0; group < shape.groups(); ++group) f(digit, group);
}

std::vector<hierarchy_level> modules(const ttn_shape& shape) {
  std::vector<hierarchy_level> result;
  for (unsigned level = shape.levels - 1; level >= 2; --level)
    result.push_back({"L" + std::to_string(level), 2});
  result.push_back({"bm", 2});
  result.push_back({"node", 2});
  return result;
}

}  // namespace

ttn_port_map::ttn_port_map(const ttn_shape& shape) : count{}, out_port{}, in_port{} {
  for (port_id& ports : count) ports = 4;
  for_each_ring(shape, [&](unsigned digit, unsigned group) {
    const ttn_gates gates = ttn_gates_of(shape, digit, group);
    out_port[digit - 2][group] = count[gates.out]++;
    in_port[digit - 2][group] = count[gates.in]++;
  });
}

std::shared_ptr<netlist> build_ttn(const ttn_shape& shape) {
  auto net = std::make_shared<netlist>("ttn", std::vector<unsigned>(shape.digits(), 4), modules(shape));
  const ttn_port_map ports(shape);

  std::vector<std::string> names[16];
  for (std::vector<std::string>& of_node : names) of_node = {"x+", "x-", "y+", "y-"};
  unsigned rings = 0;
  for_each_ring(shape, [&](unsigned digit, unsigned group) {
    const ttn_gates gates = ttn_gates_of(shape, digit, group);
    const std::string ring = "L" + std::to_string(ttn_level(digit)) + (ttn_horizontal(digit) ? "_H_" : "_V_");
    names[gates.out].push_back(ring + "out" + std::to_string(group));
    names[gates.in].push_back(ring + "in" + std::to_string(group));
    ++rings;
  });
  std::vector<std::string_view> port_names[16];
  for (unsigned n = 0; n < 16; ++n) port_names[n].assign(names[n].begin(), names[n].end());

  const node_id nodes = shape.nodes();
  const std::size_t modules = nodes / 16;
  net->reserve(nodes, modules * (64 + 2 * rings), modules * (64 + rings * (shape.unidirectional ? 1 : 2)));
  for (node_id node = 0; node < nodes; ++node) net->add_node(port_names[node & 15]);

  for (node_id bm = 0; bm < nodes; bm += 16) {
    for (unsigned row = 0; row < 4; ++row)
      for (unsigned column = 0; column < 4; ++column) {
        const node_id node = bm + 4 * row + column;
        const node_id right = bm + 4 * row + ((column + 1) & 3);
        const node_id below = bm + 4 * ((row + 1) & 3) + column;
        const std::uint16_t x_length = column == 3 ? 3 : 1;
        const std::uint16_t y_length = row == 3 ? 3 : 1;
        net->connect(node, x_plus, right, x_minus, 1, x_length);
        net->connect(right, x_minus, node, x_plus, 1, x_length);
        net->connect(node, y_plus, below, y_minus, 1, y_length);
        net->connect(below, y_minus, node, y_plus, 1, y_length);
      }
    for_each_ring(shape, [&](unsigned digit, unsigned group) {
      const ttn_gates gates = ttn_gates_of(shape, digit, group);
      const node_id one = node_id{1} << (2 * digit);
      const bool wraps = ((bm >> (2 * digit)) & 3) == 3;
      const node_id from = bm + gates.out;
      const node_id to = (wraps ? bm - 3 * one : bm + one) + gates.in;
      const port_id from_port = ports.out_port[digit - 2][group];
      const port_id to_port = ports.in_port[digit - 2][group];
      const auto level = static_cast<std::uint8_t>(ttn_level(digit));
      const unsigned pitch = 1u << (2 * (level - 1));  // 4 nodes at Level 2, 16 at Level 3 ...
      const auto length = static_cast<std::uint16_t>(wraps ? 3 * pitch : pitch);
      net->connect(from, from_port, to, to_port, level, length);
      if (!shape.unidirectional) net->connect(to, to_port, from, from_port, level, length);
    });
  }
  return net;
}

}  // namespace toriscope
