// SPDX-License-Identifier: Apache-2.0
// Reads numbers one after the other that were counted elsewhere and came as words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace toriscope {

class word_reader {
 public:
  /// @param words  must outlive the reader
  explicit word_reader(const std::vector<std::uint64_t>& words) : words_(words) {}

  /// @throws std::out_of_range when there are no more
  std::uint64_t next() { return words_.at(at_++); }

 private:
  const std::vector<std::uint64_t>& words_;
  std::size_t at_ = 0;
};

}  // namespace toriscope
