// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiters: the first at or after a pointer, which a grant sets to the winner + 1.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "base/bit_set.h"
#include "router/allocation/arbiter_array.h"

namespace toriscope {

class round_robin_arbiters final : public arbiter_array {
 public:
  round_robin_arbiters(arena& memory, unsigned arbiters, unsigned)
      : pointers_(make_array<std::uint16_t>(memory, arbiters)) {}

  bool before(unsigned arbiter, const requester& a, const requester& b) const override {
    const unsigned pointer = pointers_[arbiter];
    const bool a_wraps = a.number < pointer, b_wraps = b.number < pointer;
    return a_wraps == b_wraps ? a.number < b.number : b_wraps;
  }
  void granted(unsigned arbiter, unsigned winner) override {
    pointers_[arbiter] = static_cast<std::uint16_t>(winner + 1);
  }
  void archive(state_archive& a, unsigned arbiters, unsigned requesters) override {
    for (unsigned i = 0; i < arbiters; ++i) a.below(pointers_[i], requesters + 1u);
  }

 private:
  std::uint16_t* pointers_;
};

}  // namespace toriscope
