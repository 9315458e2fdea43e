// SPDX-License-Identifier: Apache-2.0
// Uniform traffic: every other node with the same probability, or every node.
#pragma once

#include "testbenches/simulation/traffic/traffic_pattern.h"

namespace toriscope {

class uniform_pattern : public traffic_pattern {
 public:
  /// @param nodes         at least 1; a network of one node sends to itself
  /// @param include_self  whether the own node is drawn as the others are
  uniform_pattern(node_id nodes, bool include_self)
      : nodes_(nodes), include_self_(include_self || nodes == 1) {}

  node_id destination(node_id source, random_stream& random) const override {
    if (include_self_) return static_cast<node_id>(random.below(nodes_));
    const auto drawn = static_cast<node_id>(random.below(nodes_ - 1));
    return drawn + (drawn >= source);
  }

  destination_weights weights(node_id source) const override {
    return uniform_traffic(nodes_, include_self_)(source);
  }

 private:
  node_id nodes_;
  bool include_self_;
};

}  // namespace toriscope
