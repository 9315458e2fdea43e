// SPDX-License-Identifier: Apache-2.0
// Where packets are reported to at their end: received, or lost to a dead link (docs/model.md, "Dead links").
#pragma once

#include "router/packet_table.h"

namespace toriscope {

/// Told of every packet once: `record` is valid during the call.
class packet_sink {
 public:
  virtual ~packet_sink() = default;
  /// @param received  cycle in which the destination's network interface took the tail
  virtual void packet_received(packet_id id, const packet_record& record, cycle_t received) = 0;
  /// When the packet was created, no options over live links led to its destination: it was never sent.
  virtual void packet_refused(packet_id /*id*/, const packet_record& /*record*/) {}
  /// The head found no option over a live link in VA; its flits are given up.
  /// @param where   the node whose router gives it up
  /// @param wanted  the output port of the option it would have liked best
  virtual void packet_discarded(packet_id /*id*/, const packet_record& /*record*/, node_id /*where*/,
                                port_id /*wanted*/, cycle_t /*discarded*/) {}
};

}  // namespace toriscope
