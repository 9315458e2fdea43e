// SPDX-License-Identifier: Apache-2.0
// Where packets go.
#pragma once

#include <stdexcept>

#include "testbenches/simulation/traffic/random.h"
#include "topologies/analysis/destination_weights.h"
#include "topologies/route.h"

namespace toriscope {

/// A traffic pattern for one network. Immutable; all randomness comes from the source's stream.
class traffic_pattern {
 public:
  virtual ~traffic_pattern() = default;
  /// The destination of the next packet of `source`.
  virtual node_id destination(node_id source, random_stream& random) const = 0;

  /// What destination() draws, on average: the shares of all destinations. Channel loads are worked out from
  /// it, not simulations. @throws std::logic_error where a pattern does without
  virtual destination_weights weights(node_id source) const {
    static_cast<void>(source);
    throw std::logic_error("this traffic pattern does not say where its packets go on average");
  }
};

}  // namespace toriscope
