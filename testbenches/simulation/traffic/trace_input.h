// SPDX-License-Identifier: Apache-2.0
// A packet trace as input for a network. It is read twice: once from end to end, when it is opened, so that whatever
// is wrong with it is told before anything is simulated; and once more, packet by packet, while the network runs.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "topologies/netlist.h"
#include "traces/packets/ordered_packets.h"
#include "traces/packets/packet_reader.h"

namespace toriscope {

/// In which order packets are read.
enum class trace_order { of_cycles, of_the_file };

/// What packets have to fit.
struct trace_limits {
  unsigned message_classes = max_trace_classes;   ///< of the network; Netrace's have 1 or 2, as there are
  unsigned flit_bits = 64;                        ///< of Netrace's messages
  std::uint64_t near = ~std::uint64_t{0};  ///< a packet is after a far one when more than these lie between
};

class trace_input {
 public:
  /// @param wiring  outlives this
  /// @throws std::invalid_argument one line: the file, the line or byte, what is wrong; a trace without packets is
  trace_input(std::unique_ptr<byte_source> bytes, const netlist& wiring, trace_order order,
              const trace_limits& limits = {});

  /// The next packet; its nodes are nodes of the network, its class is one of the network's.
  /// @returns false  there is none
  bool next(trace_packet& packet);

  const trace_header& header() const { return reader_->header(); }
  std::uint64_t packets() const { return packets_; }
  /// Some packets are after others.
  bool has_causes() const { return has_causes_; }
  /// Those that others are after, farther behind than trace_limits::near.
  const std::set<std::uint64_t>& far_causes() const { return far_causes_; }
  /// The cycle of the last packet.
  cycle_t last_cycle() const { return last_cycle_; }

 private:
  void check(trace_packet& packet) const;

  const netlist& wiring_;
  const trace_order order_;
  const trace_limits limits_;
  const std::string name_;
  std::unique_ptr<packet_reader> reader_;
  ordered_packets ordered_;
  std::uint64_t packets_ = 0;
  bool has_causes_ = false;
  std::set<std::uint64_t> far_causes_;
  cycle_t last_cycle_ = 0;
};

}  // namespace toriscope
