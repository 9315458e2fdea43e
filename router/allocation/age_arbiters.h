// SPDX-License-Identifier: Apache-2.0
// Age arbiters: the requester whose packet is the oldest, that is, has the lowest sequence number; of several
// that stand for the same packet, the one with the lowest number. They have no state.
#pragma once

#include "base/arena.h"
#include "router/allocation/arbiter_array.h"

namespace toriscope {

class age_arbiters final : public arbiter_array {
 public:
  age_arbiters(arena&, unsigned, unsigned) {}

  bool before(unsigned, const requester& a, const requester& b) const override {
    return a.packet != b.packet ? a.packet < b.packet : a.number < b.number;
  }
  void granted(unsigned, unsigned) override {}
  void archive(state_archive&, unsigned, unsigned) override {}
};

}  // namespace toriscope
