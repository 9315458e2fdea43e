// SPDX-License-Identifier: Apache-2.0
// Packets in order of cycles, those of one cycle in the order of the file. What was recorded is in order; a file
// that was written by hand may be out of order, but by no more packets than are held here.
#pragma once

#include <memory>
#include <queue>
#include <vector>

#include "traces/packets/packet_reader.h"

namespace toriscope {

class ordered_packets {
 public:
  /// A packet may stand at most this number of lines too late.
  static constexpr std::size_t max_held = std::size_t{1} << 16;

  /// @param reader  outlives this
  explicit ordered_packets(packet_reader& reader) : reader_(reader) { rewind(); }

  /// @throws std::invalid_argument with the place, also when a packet comes too late
  bool next(trace_packet& packet);
  void rewind();

 private:
  struct later {
    bool operator()(const trace_packet& a, const trace_packet& b) const {
      return a.cycle != b.cycle ? a.cycle > b.cycle : a.number > b.number;
    }
  };
  packet_reader& reader_;
  std::priority_queue<trace_packet, std::vector<trace_packet>, later> held_;
  bool more_ = true;
  cycle_t given_ = 0;
};

}  // namespace toriscope
