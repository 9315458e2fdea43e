// SPDX-License-Identifier: Apache-2.0
// Values over a window of time, cut into batches of equal duration: a sum and a count of each. Whole numbers,
// so that the batches of the parts of a network add up to those of the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/state_archive.h"
#include "base/word_reader.h"

namespace toriscope {

class time_batches {
 public:
  /// @param duration  of the window, in cycles, at least 1
  /// @param batches   at least 1; even where double_duration() is used
  explicit time_batches(std::uint64_t duration, unsigned batches = 256)
      : duration_(duration), batches_(batches) {}

  /// A value that belongs to this moment of the window, 0 .. duration-1.
  void add(std::uint64_t moment, std::uint64_t value) {
    batch& b = batches_[index(moment)];
    b.sum += value;
    ++b.count;
  }

  /// The window becomes twice as long: its batches are joined in pairs, and as many empty ones follow.
  void double_duration() {
    duration_ *= 2;
    const std::size_t half = batches_.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      const batch& a = batches_[2 * i];
      const batch& b = batches_[2 * i + 1];
      batches_[i] = {a.sum + b.sum, a.count + b.count};
    }
    for (std::size_t i = half; i < batches_.size(); ++i) batches_[i] = {};
  }

  std::size_t size() const { return batches_.size(); }
  std::uint64_t duration() const { return duration_; }
  std::size_t index(std::uint64_t moment) const {
    return static_cast<std::size_t>(moment * batches_.size() / duration_);
  }
  std::uint64_t sum(std::size_t b) const { return batches_[b].sum; }
  std::uint64_t count(std::size_t b) const { return batches_[b].count; }

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

  void archive(state_archive& a) {
    a.number(duration_);
    a.require(duration_ > 0, "a window has no cycles");
    for (batch& b : batches_) {
      a.number(b.sum);
      a.number(b.count);
    }
  }

 private:
  struct batch {
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
  };
  std::uint64_t duration_;
  std::vector<batch> batches_;
};

}  // namespace toriscope
