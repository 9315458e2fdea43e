// SPDX-License-Identifier: Apache-2.0
// Packets from a trace (docs/packet_traces.md) in their cycles; those of one cycle are created in the order of the
// file. Of a trace of any length a few packets are held at a time.
//
//   # cycle source destination length
//   0   0      17     16
//   0   12.03  00.00  4        a node is a number or, in hierarchical networks, an address
//
// Lines may be in any order of cycles, as long as none comes ordered_packets::max_held packets too late.
#pragma once

#include <algorithm>
#include <iosfwd>
#include <string>
#include <vector>

#include "network/traffic_source.h"
#include "testbenches/simulation/traffic/reply_slots.h"
#include "testbenches/simulation/traffic/trace_input.h"

namespace toriscope {

class trace_file_source : public traffic_source {
 public:
  /// Reads the whole file once. @throws std::invalid_argument with one line, "FILE:LINE: what is wrong; what
  /// is right"
  /// @param wiring  outlives this
  trace_file_source(const std::string& path, const netlist& wiring, const trace_limits& limits = {});
  /// @param name  of the file in errors
  trace_file_source(std::istream& in, const std::string& name, const netlist& wiring);

  void packets_at(cycle_t now, std::vector<packet_request>& out) override;
  cycle_t next_packet_cycle(cycle_t from) const override {
    return more_ ? std::max(head_.cycle, from) : ~cycle_t{0};
  }

  /// Before the first packets_at(): no packet of an earlier cycle is created.
  void skip_to(cycle_t now) {
    while (more_ && head_.cycle < now) more_ = input_.next(head_);
  }

  /// Tells it of every reply created: packets of class 1. @param slots  outlives this
  void set_reply_slots(reply_slots* slots) { slots_ = slots; }

  std::uint64_t packets() const { return input_.packets(); }
  /// Some are after others.
  bool has_causes() const { return input_.has_causes(); }
  /// The cycle of the last packet; 0 when there is none.
  cycle_t last_cycle() const { return input_.last_cycle(); }

 private:
  trace_input input_;
  trace_packet head_;  ///< the next one
  bool more_ = false;  ///< there is one
  reply_slots* slots_ = nullptr;
};

}  // namespace toriscope
