// SPDX-License-Identifier: Apache-2.0
// Where the packets of a source go, on average: a traffic matrix, row by row, without N^2 numbers.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "topologies/route.h"

namespace toriscope {

/// Shares of the packets of one source; all together they are 1.
struct destination_weights {
  double every_other = 0;                          ///< to each node but the source
  double own = 0;                                  ///< to the source itself
  std::vector<std::pair<node_id, double>> points;  ///< to single nodes, on top of that
};

/// The nodes that have a share, in ascending order.
inline std::vector<node_id> destinations_of(const destination_weights& weights, node_id nodes,
                                            node_id source) {
  std::vector<bool> has_share(nodes, weights.every_other > 0);
  has_share[source] = weights.own > 0;
  for (const auto& [node, weight] : weights.points)
    if (weight > 0) has_share[node] = true;
  std::vector<node_id> list;
  for (node_id n = 0; n < nodes; ++n)
    if (has_share[n]) list.push_back(n);
  return list;
}

using traffic_matrix = std::function<destination_weights(node_id source)>;

/// Adds `share` of other weights of the same source.
inline void add_share(destination_weights& to, const destination_weights& from, double share) {
  to.every_other += from.every_other * share;
  to.own += from.own * share;
  for (const auto& [node, weight] : from.points) to.points.emplace_back(node, weight * share);
}

/// To each of the N-1 other nodes, or each of N with `include_self`.
inline traffic_matrix uniform_traffic(node_id nodes, bool include_self) {
  const bool self = include_self || nodes == 1;
  const double share = 1.0 / (self ? nodes : nodes - 1);
  return [share, self](node_id) { return destination_weights{share, self ? share : 0, {}}; };
}

}  // namespace toriscope
