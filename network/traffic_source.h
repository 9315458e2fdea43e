// SPDX-License-Identifier: Apache-2.0
// Where packets come from and where they are reported to: the two plain interfaces between a network (the engine
// and the textbook network of the tests alike) and a testbench.
#pragma once

#include <vector>

#include "router/packet_table.h"

namespace toriscope {

/// Asked once in every cycle, before anything moves.
class traffic_source {
 public:
  virtual ~traffic_source() = default;
  /// Appends the packets created in cycle `now`. Called with now = 0, 1, 2 ... A packet created in `now` may send its
  /// head in `now`. The order of the requests numbers the packets.
  virtual void packets_at(cycle_t now, std::vector<packet_request>& out) = 0;
};

/// Told of every packet whose tail has been received.
class packet_sink {
 public:
  virtual ~packet_sink() = default;
  /// @param record    valid during the call
  /// @param received  cycle in which the destination's network interface received the tail
  virtual void packet_received(packet_id id, const packet_record& record, cycle_t received) = 0;
};

}  // namespace toriscope
