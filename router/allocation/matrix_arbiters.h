// SPDX-License-Identifier: Apache-2.0
// Matrix arbiters: the requester that was granted least recently; at first the one with the lowest number.
//
// In hardware a matrix of bits says who goes before whom (Dally & Towles 2004, Sect. 18.5). Turning a
// winner's row and column round puts it behind all others and leaves their order alone, so that the matrix
// always is an order of the requesters; here it is kept as the place of each, n numbers instead of n*n bits.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "router/allocation/arbiter_array.h"

namespace toriscope {

class matrix_arbiters final : public arbiter_array {
 public:
  matrix_arbiters(arena& memory, unsigned arbiters, unsigned requesters)
      : places_(make_array<std::uint16_t>(memory, std::size_t{arbiters} * requesters)),
        requesters_(requesters) {
    for (std::size_t i = 0; i < std::size_t{arbiters} * requesters; ++i)
      places_[i] = static_cast<std::uint16_t>(i % requesters);
  }

  bool before(unsigned arbiter, const requester& a, const requester& b) const override {
    const std::uint16_t* const places = places_ + arbiter * requesters_;
    return places[a.number] < places[b.number];
  }
  void granted(unsigned arbiter, unsigned winner) override {
    std::uint16_t* const places = places_ + arbiter * requesters_;
    const std::uint16_t left = places[winner];
    for (unsigned i = 0; i < requesters_; ++i)
      places[i] = static_cast<std::uint16_t>(places[i] - (places[i] > left));
    places[winner] = static_cast<std::uint16_t>(requesters_ - 1);
  }
  void archive(state_archive& a, unsigned arbiters, unsigned requesters) override {
    for (std::size_t i = 0; i < std::size_t{arbiters} * requesters; ++i) a.below(places_[i], requesters);
  }

 private:
  std::uint16_t* places_;  ///< by arbiter and requester: how many go before it
  unsigned requesters_;
};

}  // namespace toriscope
