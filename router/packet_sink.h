// SPDX-License-Identifier: Apache-2.0
// Where received packets are reported to.
#pragma once

#include "router/packet_table.h"

namespace toriscope {

/// Told of every packet whose tail has been received.
class packet_sink {
 public:
  virtual ~packet_sink() = default;
  /// @param record    valid during the call
  /// @param received  cycle in which the destination's network interface took the tail
  virtual void packet_received(packet_id id, const packet_record& record, cycle_t received) = 0;
};

}  // namespace toriscope
