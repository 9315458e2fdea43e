// SPDX-License-Identifier: Apache-2.0
#include "topologies/cubes/cube.h"

#include <algorithm>

#include "topologies/analysis/planar_layout.h"

namespace toriscope {

std::string dimension_name(unsigned d) {
  static const char* const letters[] = {"x", "y", "z"};
  return d < 3 ? letters[d] : "d" + std::to_string(d);
}

std::shared_ptr<netlist> build_cube(const cube_shape& shape) {
  const unsigned n = shape.dimensions();
  auto net = std::make_shared<netlist>(shape.name, shape.radices, std::vector<hierarchy_level>{{"node", n}});

  std::vector<std::string> names;
  for (unsigned d = 0; d < n; ++d) {
    names.push_back(dimension_name(d) + "+");
    names.push_back(dimension_name(d) + "-");
  }
  // Digits by dimension, counted up along with the node number.
  std::vector<unsigned> at(n, 0);
  const auto next_node = [&] {
    for (unsigned d = 0; d < n && ++at[d] == shape.radix(d); ++d) at[d] = 0;
  };
  // Of the node with the digits `digits`: the number of port 2d (+) or 2d+1 (-).
  const auto exists = [&](const std::vector<unsigned>& digits, unsigned port) {
    const unsigned d = port / 2;
    if (shape.ring(d)) return true;
    return port % 2 == 0 ? digits[d] + 1 < shape.radix(d) : digits[d] > 0;
  };

  std::vector<std::string_view> ports;
  const node_id nodes = net->node_count();
  for (node_id node = 0; node < nodes; ++node, next_node()) {
    ports.clear();
    for (unsigned p = 0; p < 2 * n; ++p)
      if (exists(at, p)) ports.push_back(names[p]);
    net->add_node(ports);
  }

  std::fill(at.begin(), at.end(), 0);
  for (node_id node = 0; node < nodes; ++node, next_node()) {
    node_id stride = 1;
    port_id below =
        0;  // ports of the lower dimensions: as many at the neighbour, whose lower digits are the same
    for (unsigned d = 0; d < n; stride *= shape.radix(d), ++d) {
      const port_id plus = below;
      if (exists(at, 2 * d + 1)) ++below;
      if (!exists(at, 2 * d)) continue;  // the + port; its link pair is made from this end
      ++below;
      const bool wraps = at[d] + 1 == shape.radix(d);
      const node_id neighbour = wraps ? node - at[d] * stride : node + stride;
      const bool neighbour_has_plus = shape.ring(d) || at[d] + 2 < shape.radix(d);
      const auto minus = static_cast<port_id>(plus + (neighbour_has_plus ? 1 : 0));
      net->connect(node, plus, neighbour, minus, 1);
      if (!(shape.unidirectional && shape.ring(d))) net->connect(neighbour, minus, node, plus, 1);
    }
  }
  set_planar_lengths(*net);
  return net;
}

}  // namespace toriscope
