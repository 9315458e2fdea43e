// SPDX-License-Identifier: Apache-2.0
// Round-robin choice on bit masks.
#pragma once

#include <cstdint>

namespace toriscope {

/// The first set bit at or after `pointer`, cyclically. `mask` must not be zero, `pointer` be below 32. A
/// pointer of n, behind the last of n bits, means the same as 0: the number after i need not be reduced.
inline unsigned first_at_or_after(std::uint32_t mask, unsigned pointer) {
  const std::uint32_t upper = mask >> pointer << pointer;
  return static_cast<unsigned>(__builtin_ctz(upper ? upper : mask));
}

/// The set bits of a mask, ascending: for (const unsigned p : bits_of(mask)) ...
class bits_of {
 public:
  class iterator {
   public:
    explicit iterator(std::uint32_t left) : left_(left) {}
    unsigned operator*() const { return static_cast<unsigned>(__builtin_ctz(left_)); }
    iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    bool operator!=(iterator other) const { return left_ != other.left_; }

   private:
    std::uint32_t left_;
  };

  explicit bits_of(std::uint32_t mask) : mask_(mask) {}
  iterator begin() const { return iterator(mask_); }
  iterator end() const { return iterator(0); }

 private:
  std::uint32_t mask_;
};

}  // namespace toriscope
