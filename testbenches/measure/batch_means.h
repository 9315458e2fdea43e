// SPDX-License-Identifier: Apache-2.0
// The standard error of a mean over values that depend on their neighbours in time: the window is cut into
// batches of equal duration, whose means are nearly independent (Law and Kelton, Simulation Modeling and
// Analysis).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "links/word_reader.h"

namespace toriscope {

class batch_means {
 public:
  /// @param duration  of the window, in cycles
  explicit batch_means(std::uint64_t duration, unsigned batches = 20)
      : duration_(duration), batches_(batches) {}

  /// A value that belongs to this moment of the window, 0 .. duration-1.
  void add(std::uint64_t moment, std::uint64_t value) {
    batch& b = batches_[static_cast<std::size_t>(moment * batches_.size() / duration_)];
    b.sum += value;
    ++b.count;
  }

  void append_to(std::vector<std::uint64_t>& words) const {
    for (const batch& b : batches_) words.insert(words.end(), {b.sum, b.count});
  }
  /// Adds the batches of the same window elsewhere.
  void add_from(word_reader& words) {
    for (batch& b : batches_) {
      b.sum += words.next();
      b.count += words.next();
    }
  }

  /// Of the mean of the batch means; NaN when fewer than two batches have a value.
  double standard_error() const {
    double sum = 0;
    unsigned n = 0;
    for (const batch& b : batches_)
      if (b.count) sum += b.mean(), ++n;
    if (n < 2) return std::numeric_limits<double>::quiet_NaN();
    double squares = 0;
    for (const batch& b : batches_)
      if (b.count) squares += (b.mean() - sum / n) * (b.mean() - sum / n);
    return std::sqrt(squares / (n - 1) / n);
  }

 private:
  struct batch {
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
    double mean() const { return static_cast<double>(sum) / static_cast<double>(count); }
  };
  std::uint64_t duration_;
  std::vector<batch> batches_;
};

}  // namespace toriscope
