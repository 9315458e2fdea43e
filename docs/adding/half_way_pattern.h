// SPDX-License-Identifier: Apache-2.0
// A traffic pattern in 30 lines: half of the packets go half way round, the others to any other node.
#pragma once

#include "testbenches/simulation/traffic/traffic_pattern.h"

namespace toriscope {

class half_way_pattern : public traffic_pattern {
 public:
  explicit half_way_pattern(node_id nodes) : nodes_(nodes) {}

  node_id destination(node_id source, random_stream& random) const override {
    if (random.chance(probability(0.5))) return (source + nodes_ / 2) % nodes_;
    return (source + 1 + static_cast<node_id>(random.below(nodes_ - 1))) % nodes_;
  }

 private:
  node_id nodes_;
};

}  // namespace toriscope
