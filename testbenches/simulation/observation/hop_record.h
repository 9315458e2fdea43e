// SPDX-License-Identifier: Apache-2.0
// A hop: a packet in a router, from its head shown at an input port to its tail sent (docs/transactions.md).
#pragma once

#include <array>
#include <cstdint>

#include "testbenches/simulation/observation/router_step.h"

namespace toriscope {

inline constexpr std::size_t stall_causes = 6;
/// Of a stall: is_stall(f).
constexpr std::size_t stall_index(stall_cause f) {
  return static_cast<std::size_t>(f) - static_cast<std::size_t>(stall_cause::no_output_vc);
}
constexpr stall_cause stall_at(std::size_t index) {
  return static_cast<stall_cause>(index + static_cast<std::size_t>(stall_cause::no_output_vc));
}

/// Cycles in which a flit of the packet was at the front of its VC, or (paper2009) in the buffer of the output VC, and
/// waited.
using stall_counts = std::array<std::uint32_t, stall_causes>;

enum class hop_end : std::uint8_t {
  sent,       ///< the tail was sent in cycle `end`
  discarded,  ///< it was read out and dropped: no option was left (dead links)
  unfinished  ///< the run ended
};

struct hop_record {
  packet_id packet = no_packet;
  cycle_t begin = 0;  ///< the head was shown
  cycle_t end = 0;
  node_id node = 0;
  terminal_id source = 0;  ///< of the packet
  port_id in_port = 0;
  std::uint8_t in_vc = 0;
  std::int8_t out_port = -1;  ///< -1: none was granted
  std::int8_t out_vc = -1;
  hop_end how = hop_end::unfinished;
  stall_counts waits{};
};

/// Receives each hop when it ends, in order of cycles.
class hop_listener {
 public:
  virtual ~hop_listener() = default;
  virtual void hop_ended(const hop_record& hop) = 0;
};

}  // namespace toriscope
