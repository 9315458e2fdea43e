// SPDX-License-Identifier: Apache-2.0
// An arbiter in 30 lines: the requester with the fewest grants goes first.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "router/allocation/arbiter_array.h"

namespace toriscope {

class least_served_arbiters final : public arbiter_array {
 public:
  least_served_arbiters(arena& memory, unsigned arbiters, unsigned requesters)
      : grants_(make_array<std::uint64_t>(memory, arbiters * requesters)), requesters_(requesters) {}

  bool before(unsigned arbiter, const requester& a, const requester& b) const override {
    const std::uint64_t* const grants = grants_ + arbiter * requesters_;
    return grants[a.number] != grants[b.number] ? grants[a.number] < grants[b.number] : a.number < b.number;
  }
  void granted(unsigned arbiter, unsigned winner) override { ++grants_[arbiter * requesters_ + winner]; }
  void archive(state_archive& a, unsigned arbiters, unsigned requesters) override {
    for (unsigned i = 0; i < arbiters * requesters; ++i) a.number(grants_[i]);
  }

 private:
  std::uint64_t* grants_;  ///< by arbiter and requester
  unsigned requesters_;
};

}  // namespace toriscope
