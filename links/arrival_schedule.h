// SPDX-License-Identifier: Apache-2.0
// The reading end of a node's wires: which of them show something, by cycle. A node then looks at those wires
// only, and wakes only in the cycles in which there are any.
#pragma once

#include <cstdint>

#include "base/arena.h"
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

/// Cycles, a power of two, that near wires (delay_line.h) and their readers keep.
inline constexpr unsigned near_cycles = 4;

class arrival_schedule {
 public:
  /// @param wakes          wakes the reader; null: no reader is woken
  /// @param node           the number under which the reader is woken
  /// @param longest_reach  of the wires that it reads, in cycles
  arrival_schedule(arena& memory, wake_calendar* wakes, std::uint32_t node, unsigned longest_reach)
      : wakes_(wakes), node_(node) {
    unsigned cycles = near_cycles;
    while (cycles < longest_reach + 1) cycles *= 2;
    cycle_mask_ = cycles - 1;
    slots_ = cycles > near_cycles ? make_array<cycle_slot>(memory, cycles) : near_;
  }
  arrival_schedule(const arrival_schedule&) = delete;
  arrival_schedule& operator=(const arrival_schedule&) = delete;

  /// Wire number `bit` will show something in `cycle`.
  /// @param near  the schedule reaches no further than 3 cycles
  [[gnu::always_inline]] void expect(cycle_t cycle, unsigned bit, bool near = false) {
    cycle_slot& slot = near ? near_[cycle & (near_cycles - 1)] : slots_[cycle & cycle_mask_];
    if (slot.cycle != cycle) {
      slot = {cycle, 0};
      if (wakes_) wakes_->wake(node_, cycle);
    }
    slot.arrivals |= arrival_mask{1} << bit;
  }

  /// Wire number `bit` will not show anything in `cycle` after all.
  void retract(cycle_t cycle, unsigned bit) {
    cycle_slot& slot = slots_[cycle & cycle_mask_];
    if (slot.cycle == cycle) slot.arrivals &= ~(arrival_mask{1} << bit);
  }

  /// The wires that show something in `cycle`: the present one, or one within reach.
  arrival_mask arrivals(cycle_t cycle) const {
    const cycle_slot& slot = slots_[cycle & cycle_mask_];
    return slot.cycle == cycle ? slot.arrivals : 0;
  }

 private:
  struct cycle_slot {
    cycle_t cycle = ~cycle_t{0};  // no cycle
    arrival_mask arrivals = 0;
  };

  wake_calendar* wakes_;
  cycle_slot* slots_;
  std::uint32_t cycle_mask_;
  std::uint32_t node_;
  cycle_slot near_[near_cycles];  ///< short reaches need no memory elsewhere
};

}  // namespace toriscope
