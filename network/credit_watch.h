// SPDX-License-Identifier: Apache-2.0
// Credits that a router owes: those of flits that have left it and whose slot is still taken.
//
// How late a credit may be is up to the router, so one that is owed is not an error at once. It is lost when it has
// not come by the second look() after its flit left; time passes between two looks (the patience). Credits of a
// slot are alike: the first that comes counts for the flit that left first.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

namespace toriscope {

class credit_watch {
 public:
  /// @param slots  buffers with credits of their own: input ports times VCs
  explicit credit_watch(std::size_t slots) : taken_(slots), inside_(slots), late_(slots) {}

  void flit_in(std::size_t slot) {
    ++taken_[slot];
    ++inside_[slot];
  }
  void flit_left(std::size_t slot) { --inside_[slot]; }
  /// @returns whether there was a slot to give back
  bool credit(std::size_t slot) {
    if (taken_[slot] == 0) return false;
    --taken_[slot];
    if (late_[slot] > 0) --late_[slot];
    return true;
  }

  /// Flits that have not left the router.
  unsigned inside(std::size_t slot) const { return inside_[slot]; }
  /// For which the router has not given credits.
  unsigned taken(std::size_t slot) const { return taken_[slot]; }
  /// The first that owes a credit now.
  std::optional<std::size_t> owing() const {
    return first([this](std::size_t s) { return owed(s) > 0; });
  }
  /// The first that has owed a credit since the look before.
  std::optional<std::size_t> look() {
    const auto found = first([this](std::size_t s) { return late_[s] > 0; });
    for (std::size_t s = 0; s < late_.size(); ++s) late_[s] = owed(s);
    return found;
  }

 private:
  /// A credit may also be given before its flit leaves.
  unsigned owed(std::size_t slot) const { return taken_[slot] - std::min(taken_[slot], inside_[slot]); }
  template <class Condition>
  std::optional<std::size_t> first(Condition&& holds) const {
    for (std::size_t s = 0; s < taken_.size(); ++s)
      if (holds(s)) return s;
    return std::nullopt;
  }

  std::vector<unsigned> taken_, inside_;
  std::vector<unsigned> late_;  ///< owed at the last look and not given since
};

}  // namespace toriscope
