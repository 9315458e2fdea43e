// SPDX-License-Identifier: Apache-2.0
// The buffer of one VC: a FIFO in a ring of slots, as many as the depth rounded up to a power of two. The slots of all
// VCs stand in one array, so a buffer is two numbers, and its functions take the address of its slots and a mask, the
// number of slots - 1. (Numbers of 16 bits: the compiler takes a byte that is written for a byte of anything, and would
// read all else again.)
#pragma once

#include <cstdint>

#include "links/flit.h"

namespace toriscope {

class vc_buffer {
 public:
  /// Slots that a depth takes.
  static unsigned slots_for(unsigned depth) {
    unsigned slots = 1;
    while (slots < depth) slots *= 2;
    return slots;
  }

  bool empty() const { return put_ == taken_; }
  unsigned size() const { return static_cast<std::uint16_t>(put_ - taken_); }

  /// Not empty.
  flit_word front(const flit_word* slots, unsigned mask) const { return slots[taken_ & mask]; }

  /// i < size(): the flit behind i others.
  flit_word at(const flit_word* slots, unsigned mask, unsigned i) const { return slots[(taken_ + i) & mask]; }

  /// size() < depth.
  void push(flit_word* slots, unsigned mask, flit_word f) { slots[put_++ & mask] = f; }

  /// Not empty.
  flit_word pop(const flit_word* slots, unsigned mask) { return slots[taken_++ & mask]; }

 private:
  std::uint16_t put_ = 0;    ///< flits since the start, modulo 2^16
  std::uint16_t taken_ = 0;  ///< likewise
};

}  // namespace toriscope
