// SPDX-License-Identifier: Apache-2.0
// Matrix arbiters: the requester that was granted least recently; at first the one with the lowest number.
//
// In hardware a matrix of bits says who goes before whom (Dally & Towles 2004, Sect. 18.5). Turning a
// winner's row and column round puts it behind all others and leaves their order alone, so that the matrix
// always is an order of the requesters; here it is kept as the number of the last grant of each.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "router/allocation/arbiter_array.h"

namespace toriscope {

class matrix_arbiters final : public arbiter_array {
 public:
  matrix_arbiters(arena& memory, unsigned arbiters, unsigned requesters)
      : last_(make_array<std::uint64_t>(memory, std::size_t{arbiters} * requesters)),
        requesters_(requesters),
        grants_(requesters) {
    for (std::size_t i = 0; i < std::size_t{arbiters} * requesters; ++i) last_[i] = i % requesters;
  }

  bool before(unsigned arbiter, const requester& a, const requester& b) const override {
    const std::uint64_t* const last = last_ + arbiter * requesters_;
    return last[a.number] < last[b.number];
  }
  void granted(unsigned arbiter, unsigned winner) override { last_[arbiter * requesters_ + winner] = grants_++; }
  void archive(state_archive& a, unsigned arbiters, unsigned requesters) override {
    a.number(grants_);
    for (std::size_t i = 0; i < std::size_t{arbiters} * requesters; ++i) a.below(last_[i], grants_);
  }

 private:
  std::uint64_t* last_;  ///< by arbiter and requester: the number of its last grant
  unsigned requesters_;
  std::uint64_t grants_;  ///< of all arbiters so far, after those that the first order is made of
};

}  // namespace toriscope
