// SPDX-License-Identifier: Apache-2.0
// The sink to which packets are reported at their end: received, or lost to a dead link (docs/model.md, "Dead links").
// The gate that admits them at their destination.
#pragma once

#include "router/packet_table.h"

namespace toriscope {

/// Told of the end of every packet: `record` is valid during the call.
class packet_sink {
 public:
  virtual ~packet_sink() = default;
  /// @param received  cycle in which the destination's network interface took the tail
  virtual void packet_received(packet_id id, const packet_record& record, cycle_t received) = 0;
  /// When the packet was created, no options over live links led to its destination: it was never sent.
  virtual void packet_refused(packet_id /*id*/, const packet_record& /*record*/) {}
  /// The head found no option over a live link in VA; its flits are given up.
  /// @param where   the node whose router gives it up
  /// @param wanted  the output port of its first option
  virtual void packet_discarded(packet_id /*id*/, const packet_record& /*record*/, node_id /*where*/,
                                port_id /*wanted*/, cycle_t /*discarded*/) {}
  /// Told of a discarded packet later: the last of its flits was given up in `gone`.
  virtual void packet_gone(packet_id /*id*/, const packet_record& /*record*/, cycle_t /*gone*/) {}
};

/// Decides, with limited reception, when a packet may leave the buffer of its destination's interface
/// (docs/model.md, "Limited reception"). An answer may depend on earlier calls of this gate about the
/// same node before, on the cycle, and on what happened in earlier cycles: within a cycle, nodes come in any
/// order.
class reception_gate {
 public:
  virtual ~reception_gate() = default;

  /// Whether calls about different nodes may come at the same time, from several threads, and answers do not depend
  /// on what a packet_sink was told in the same cycle. Else the network is stepped by one thread.
  virtual bool takes_calls_at_once() const { return false; }

  /// The head of a packet is at the front of a buffer. Asked in every cycle until it says yes, then not
  /// again.
  virtual bool admit(packet_id id, const packet_record& record, cycle_t now) = 0;

  /// The tail of a packet has left its source queue, in `now`. Within a node and cycle this comes after
  /// admit().
  virtual void packet_sent(packet_id, const packet_record&, cycle_t) {}

  /// For the watchdog, about a packet that is not admitted: the message classes (bit m) of the source queues
  /// at its destination of which one has to send a packet first. 0: it will be admitted in time without that.
  virtual std::uint32_t waits_for_queues(packet_id, const packet_record&) const { return 0; }
};

}  // namespace toriscope
