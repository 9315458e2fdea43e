// SPDX-License-Identifier: Apache-2.0
// Choices of the lists of configurations: the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace toriscope::reference {

/// Draws by multiply-and-shift from a stream that is numbered, not remembered.
class draws {
 public:
  explicit draws(std::uint64_t seed) : seed_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(((mix(seed_, ++count_) >> 32) * n) >> 32); }
  unsigned between(unsigned first, unsigned last) { return first + below(last - first + 1); }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <class T>
  T one_of(const std::vector<T>& values) {
    return values[below(static_cast<unsigned>(values.size()))];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

}  // namespace toriscope::reference
