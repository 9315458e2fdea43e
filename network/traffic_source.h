// SPDX-License-Identifier: Apache-2.0
// Where packets come from: the plain interface between a testbench and a network (the engine and the reference model
// network of the tests alike). Where they are reported to is in router/packet_sink.h.
#pragma once

#include <vector>

#include "router/packet_sink.h"

namespace toriscope {

/// Asked once in every cycle, before anything moves.
class traffic_source {
 public:
  virtual ~traffic_source() = default;
  /// Appends the packets created in cycle `now`. Called with now = 0, 1, 2 ... A packet created in `now` may
  /// send its head in `now`. The order of the requests numbers the packets.
  virtual void packets_at(cycle_t now, std::vector<packet_request>& out) = 0;
  /// The first cycle at or after `from` for which packets_at() has to be called; in those before it would do
  /// nothing. Every cycle, unless the source knows better.
  virtual cycle_t next_packet_cycle(cycle_t from) const { return from; }

  /// Before the first cycle: after each packets_at() the caller has draw_ahead(0) .. draw_ahead(shares - 1) called,
  /// by several threads at the same time maybe, before the next one. What a source draws for later cycles may be left
  /// to these; the packets are the same.
  virtual void share_draws(unsigned /*shares*/) {}
  virtual void draw_ahead(unsigned /*share*/) {}
};

}  // namespace toriscope
