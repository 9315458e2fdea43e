// SPDX-License-Identifier: Apache-2.0
// A histogram of whole numbers that forgets nothing: small values are counted in an array, large ones in a
// map.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/state_archive.h"
#include "base/word_reader.h"

namespace toriscope {

class integer_histogram {
 public:
  void add(std::uint64_t value, std::uint64_t times = 1) {
    if (value < dense_values) {
      if (value >= dense_.size()) dense_.resize(value + 1);
      dense_[value] += times;
    } else {
      sparse_[value] += times;
    }
    count_ += times;
    sum_ += value * times;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }
  /// Of an empty histogram: mean NaN, min and max 0.
  double mean() const;
  std::uint64_t min() const { return count_ ? min_ : 0; }
  std::uint64_t max() const { return max_; }

  /// The smallest value that at least `percent` per cent of all are not above (nearest rank); 0 when empty.
  std::uint64_t percentile(unsigned percent) const;

  /// The same in bins of equal width.
  struct bins {
    std::uint64_t first = 0;  ///< the smallest value of the first bin
    std::uint64_t width = 1;  ///< a power of two
    std::vector<std::uint64_t> counts;
  };
  /// @param at_most  number of bins, at least 2
  bins binned(std::size_t at_most) const;

  /// All values as words: how many different ones, then value and count of each.
  void append_to(std::vector<std::uint64_t>& words) const;
  void add_from(word_reader& words);
  /// Reading: it is empty.
  void archive(state_archive& a);

 private:
  static constexpr std::uint64_t dense_values = std::uint64_t{1} << 16;

  /// Calls f(value, count) in ascending order until it returns false.
  template <class F>
  void for_each(F f) const;

  std::vector<std::uint64_t> dense_;
  std::map<std::uint64_t, std::uint64_t> sparse_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t min_ = ~std::uint64_t{0};
  std::uint64_t max_ = 0;
};

}  // namespace toriscope
