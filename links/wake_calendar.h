// SPDX-License-Identifier: Apache-2.0
// Which nodes have something to do, and when: for each of the next cycles a set of nodes.
//
// A set is a tree of bit words (64 nodes a leaf word, 64 words a parent), so that visiting k nodes costs k
// steps and an empty set costs one look, however large the network is.
#pragma once

#include <cstdint>
#include <vector>

#include "links/flit.h"

namespace toriscope {

class wake_calendar {
 public:
  /// @param nodes            number of nodes
  /// @param furthest_cycles  how far ahead of the current cycle a node may be woken
  wake_calendar(std::uint32_t nodes, unsigned furthest_cycles) {
    cycle_t sets = 2;
    while (sets < furthest_cycles + cycle_t{1}) sets *= 2;
    cycle_mask_ = sets - 1;
    std::uint32_t words = nodes;
    do {
      words = (words + 63) / 64;
      level_.push_back(words_per_set_);
      words_per_set_ += words;
    } while (words > 1);
    while (words_per_set_ > 1u << set_shift_) ++set_shift_;
    words_.resize(sets << set_shift_);
  }

  /// `node` has something to do in `cycle`.
  [[gnu::always_inline]] void wake(std::uint32_t node, cycle_t cycle) {
    std::uint64_t* const set = set_of(cycle);
    std::uint64_t& leaf = set[node / 64];
    const bool was_empty = leaf == 0;
    leaf |= std::uint64_t{1} << node % 64;
    if (was_empty && words_per_set_ > 1) mark_parents(set, node / 64);
  }

  /// Whether it has.
  bool is_woken(std::uint32_t node, cycle_t cycle) { return set_of(cycle)[node / 64] >> node % 64 & 1u; }

  /// Calls visit(node) for each node of `cycle` in ascending order and forgets them. A node for which it returns true
  /// is woken for the next cycle. Meanwhile nodes may be woken for later cycles.
  template <class Visit>
  void take(cycle_t cycle, Visit&& visit) {
    take_below(set_of(cycle), set_of(cycle + 1), static_cast<unsigned>(level_.size()) - 1, 0, visit);
  }

 private:
  std::uint64_t* set_of(cycle_t cycle) { return words_.data() + ((cycle & cycle_mask_) << set_shift_); }

  [[gnu::noinline]] void mark_parents(std::uint64_t* set, std::uint32_t child) {
    for (std::size_t level = 1; level < level_.size(); ++level) {
      std::uint64_t& word = set[level_[level] + child / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << child % 64;
      if (!was_empty) return;
      child /= 64;
    }
  }

  template <class Visit>
  void take_below(std::uint64_t* set, std::uint64_t* next, unsigned level, std::uint32_t index,
                  Visit& visit) {
    std::uint64_t& word = set[level_[level] + index];
    std::uint64_t left = word, again = 0;
    word = 0;
    for (; left; left &= left - 1) {
      const std::uint32_t child = index * 64 + static_cast<std::uint32_t>(__builtin_ctzll(left));
      if (level > 0)
        take_below(set, next, level - 1, child, visit);
      else if (visit(child))
        again |= left & -left;
    }
    if (!again) return;
    const bool was_empty = next[index] == 0;
    next[index] |= again;
    if (was_empty && words_per_set_ > 1) mark_parents(next, index);
  }

  cycle_t cycle_mask_ = 0;
  std::vector<std::uint32_t> level_;  ///< first word of each level within a set; the leaves are level 0
  std::uint32_t words_per_set_ = 0;
  unsigned set_shift_ = 0;  ///< sets are 2^set_shift_ words apart
  std::vector<std::uint64_t> words_;
};

}  // namespace toriscope
