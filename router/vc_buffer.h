// SPDX-License-Identifier: Apache-2.0
// The buffer of one VC: a FIFO in a ring of `depth` slots. The slots of all VCs of a port stand in one array,
// so a buffer is two numbers, and its functions take the address of its slots. (Numbers of 16 bits: the compiler takes a
// byte that is written for a byte of anything, and would read all else again.)
#pragma once

#include <cstdint>

#include "links/flit.h"

namespace toriscope {

class vc_buffer {
 public:
  bool empty() const { return count_ == 0; }
  unsigned size() const { return count_; }

  /// Not empty.
  flit_word front(const flit_word* slots) const { return slots[front_]; }

  /// size() < depth.
  void push(flit_word* slots, unsigned depth, flit_word f) {
    unsigned last = front_ + count_;
    if (last >= depth) last -= depth;
    slots[last] = f;
    ++count_;
  }

  /// Not empty.
  flit_word pop(const flit_word* slots, unsigned depth) {
    const flit_word f = slots[front_];
    if (++front_ == depth) front_ = 0;
    --count_;
    return f;
  }

 private:
  std::uint16_t front_ = 0;
  std::uint16_t count_ = 0;
};

}  // namespace toriscope
