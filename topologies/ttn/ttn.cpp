// SPDX-License-Identifier: Apache-2.0
#include "topologies/ttn/ttn.h"

#include <string>
#include <vector>

#include "topologies/analysis/planar_layout.h"

namespace toriscope {

namespace {

constexpr ttn_direction directions[] = {x_plus, x_minus, y_plus, y_minus};

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

void add_nodes(netlist& net, const ttn_shape& shape, const ttn_port_map& ports) {
  static const char* const names_of_directions[] = {"x+", "x-", "y+", "y-"};
  std::vector<std::string> names[16];
  for (unsigned node = 0; node < 16; ++node)
    for (const ttn_direction way : directions)
      if (ports.bm_port[node][way] != ttn_port_map::no_port) names[node].push_back(names_of_directions[way]);
  for_each_ring(shape, [&](unsigned digit, unsigned group) {
    const ttn_gates gates = ttn_gates_of(shape, digit, group);
    const std::string ring = "L" + std::to_string(ttn_level(digit)) + (ttn_horizontal(digit) ? "_H_" : "_V_");
    names[gates.out].push_back(ring + "out" + std::to_string(group));
    names[gates.in].push_back(ring + "in" + std::to_string(group));
  });
  std::vector<std::string_view> views[16];
  for (unsigned node = 0; node < 16; ++node) views[node].assign(names[node].begin(), names[node].end());
  for (node_id node = 0; node < shape.nodes(); ++node) net.add_node(views[node & 15]);
}

}  // namespace

ttn_port_map::ttn_port_map(const ttn_shape& shape) : count{}, bm_port{}, out_port{}, in_port{} {
  for (unsigned node = 0; node < 16; ++node)
    for (const ttn_direction way : directions)
      bm_port[node][way] = shape.mesh_modules() && ttn_bm_wraps(node, way) ? no_port : count[node]++;
  for_each_ring(shape, [&](unsigned digit, unsigned group) {
    const ttn_gates gates = ttn_gates_of(shape, digit, group);
    out_port[digit - 2][group] = count[gates.out]++;
    in_port[digit - 2][group] = count[gates.in]++;
  });
}

std::shared_ptr<netlist> build_ttn(const ttn_shape& shape) {
  auto net = std::make_shared<netlist>(to_string(shape.kind), std::vector<unsigned>(shape.digits(), 4),
                                       modules(shape));
  const ttn_port_map ports(shape);
  const std::size_t bms = shape.nodes() / 16;
  const std::size_t bm_links = shape.mesh_modules() ? 48 : 64;
  const std::size_t rings = (shape.digits() - 2) * shape.groups();
  net->reserve(shape.nodes(), bms * (bm_links + 2 * rings),
               bms * (bm_links + rings * (shape.unidirectional ? 1 : 2)));
  add_nodes(*net, shape, ports);

  for (node_id bm = 0; bm < shape.nodes(); bm += 16) {
    for (unsigned node = 0; node < 16; ++node)
      for (const ttn_direction way : {x_plus, y_plus}) {
        const port_id from_port = ports.bm_port[node][way];
        if (from_port == ttn_port_map::no_port) continue;
        const unsigned next = ttn_bm_neighbour(node, way);
        const port_id to_port = ports.bm_port[next][way + 1];
        net->connect(bm + node, from_port, bm + next, to_port, 1);
        net->connect(bm + next, to_port, bm + node, from_port, 1);
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
      net->connect(from, from_port, to, to_port, level);
      if (!shape.unidirectional) net->connect(to, to_port, from, from_port, level);
    });
  }
  set_planar_lengths(*net);
  return net;
}

}  // namespace toriscope
