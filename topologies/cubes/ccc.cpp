// SPDX-License-Identifier: Apache-2.0
#include "topologies/cubes/ccc.h"

#include <vector>

#include "topologies/analysis/planar_layout.h"

namespace toriscope {

std::shared_ptr<netlist> build_ccc(unsigned n) {
  std::vector<unsigned> radices(n, 2);
  radices.push_back(n);
  auto net =
      std::make_shared<netlist>("ccc", radices, std::vector<hierarchy_level>{{"cycle", n}, {"node", 1}});
  const node_id nodes = net->node_count();
  net->reserve(nodes, std::size_t{nodes} * 3, std::size_t{nodes} * 3);
  for (node_id node = 0; node < nodes; ++node) net->add_node({"cycle+", "cycle-", "cross"});

  for (node_id first = 0; first < nodes; first += n)
    for (unsigned position = 0; position < n; ++position) {
      const node_id node = first + position;
      const bool wraps = position + 1 == n;
      const node_id next = wraps ? first : node + 1;
      net->connect(node, cycle_plus, next, cycle_minus, 1);
      net->connect(next, cycle_minus, node, cycle_plus, 1);
      const unsigned bit = 1u << position;
      if ((first / n & bit) != 0) continue;  // made from the other end
      const node_id opposite = node + bit * n;
      net->connect(node, cross, opposite, cross, 2);
      net->connect(opposite, cross, node, cross, 2);
    }
  set_planar_lengths(*net);
  return net;
}

}  // namespace toriscope
