// SPDX-License-Identifier: Apache-2.0
// Where packets go.
#pragma once

#include "testbenches/traffic/random.h"
#include "topologies/route.h"

namespace toriscope {

/// A traffic pattern for one network. Immutable; all randomness comes from the source's stream.
class traffic_pattern {
 public:
  virtual ~traffic_pattern() = default;
  /// The destination of the next packet of `source`.
  virtual node_id destination(node_id source, random_stream& random) const = 0;
};

}  // namespace toriscope
