// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/metis_parts.h"

#include <metis.h>

#include <stdexcept>

namespace toriscope {

std::vector<std::uint32_t> metis_parts(const undirected_wires& graph, unsigned parts, int seed) {
  std::vector<idx_t> first{0};
  std::vector<idx_t> neighbours;
  for (node_id node = 0; node < graph.nodes(); ++node) {
    for (const auto* e = graph.begin(node); e != graph.end_of(node); ++e)
      neighbours.push_back(static_cast<idx_t>(e->other));
    first.push_back(static_cast<idx_t>(neighbours.size()));
  }
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = seed;
  options[METIS_OPTION_NCUTS] = 4;
  options[METIS_OPTION_UFACTOR] = 1;
  auto nodes = static_cast<idx_t>(graph.nodes());
  idx_t constraints = 1;
  auto wanted = static_cast<idx_t>(parts);
  idx_t cut = 0;
  std::vector<idx_t> part(graph.nodes(), 0);
  if (METIS_PartGraphRecursive(&nodes, &constraints, first.data(), neighbours.data(), nullptr, nullptr,
                               nullptr, &wanted, nullptr, nullptr, options, &cut, part.data()) != METIS_OK)
    throw std::runtime_error("METIS could not partition the network");
  return {part.begin(), part.end()};
}

}  // namespace toriscope
