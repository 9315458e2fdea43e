// SPDX-License-Identifier: Apache-2.0
#include "traces/packets/ordered_packets.h"

#include <fmt/format.h>

#include <stdexcept>

namespace toriscope {

void ordered_packets::rewind() {
  reader_.rewind();
  held_ = {};
  more_ = true;
  given_ = 0;
}

bool ordered_packets::next(trace_packet& packet) {
  if (reader_.header().recorded || reader_.header().netrace) return reader_.next(packet);
  while (more_ && held_.size() < max_held) {
    trace_packet read;
    more_ = reader_.next(read);
    if (!more_) break;
    if (read.cycle < given_)
      throw std::invalid_argument(fmt::format(
          "{}: cycle {} comes too late: cycle {} stands more than {} packets before; sort the lines by cycle",
          reader_.where(), read.cycle, given_, max_held));
    held_.push(std::move(read));
  }
  if (held_.empty()) return false;
  packet = held_.top();
  held_.pop();
  given_ = packet.cycle;
  return true;
}

}  // namespace toriscope
