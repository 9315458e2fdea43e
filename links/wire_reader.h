// SPDX-License-Identifier: Apache-2.0
// The reading end of a node's wires: which of them show something, by cycle. A node then looks at those wires
// only, and wakes only in the cycles in which there are any.
#pragma once

#include <cstdint>

#include "links/arena.h"
#include "links/wake_calendar.h"

namespace toriscope {

/// One bit for each wire that a node reads: bit p the flits of input port p, bit 32 + p the credits of output
/// port p. Bit 31 stands for the ejection link, bit 63 for the credits of the injection link, which the
/// network interface reads.
using arrival_mask = std::uint64_t;

inline constexpr unsigned flit_arrival(unsigned port) { return port; }
inline constexpr unsigned credit_arrival(unsigned port) { return 32 + port; }
inline constexpr unsigned ejection_arrival = 31;
inline constexpr unsigned injection_credit_arrival = 63;

class wire_reader {
 public:
  /// @param node           the number under which the reader is woken
  /// @param longest_reach  of the wires that it reads, in cycles
  wire_reader(arena& memory, wake_calendar& wakes, std::uint32_t node, unsigned longest_reach)
      : wakes_(wakes), node_(node) {
    unsigned masks = near_cycles;
    while (masks < longest_reach + 1) masks *= 2;
    cycle_mask_ = masks - 1;
    masks_ = masks > near_cycles ? make_array<arrival_mask>(memory, masks) : near_;
  }
  wire_reader(const wire_reader&) = delete;
  wire_reader& operator=(const wire_reader&) = delete;

  /// Wire number `bit` will show something in `cycle`.
  void expect(cycle_t cycle, unsigned bit) {
    arrival_mask& mask = masks_[cycle & cycle_mask_];
    if (mask == 0) wakes_.wake(node_, cycle);
    mask |= arrival_mask{1} << bit;
  }

  /// What `cycle` brings; to be asked once.
  arrival_mask take(cycle_t cycle) {
    arrival_mask& mask = masks_[cycle & cycle_mask_];
    const arrival_mask taken = mask;
    mask = 0;
    return taken;
  }

 private:
  static constexpr unsigned near_cycles = 4;

  wake_calendar& wakes_;
  arrival_mask* masks_;
  std::uint32_t cycle_mask_;
  std::uint32_t node_;
  arrival_mask near_[near_cycles] = {};  ///< short reaches stay within a cache line
};

}  // namespace toriscope
