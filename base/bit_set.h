// SPDX-License-Identifier: Apache-2.0
// Small sets of numbers, a bit each, and the round-robin choice among them.
#pragma once

#include <cstdint>
#include <type_traits>

namespace toriscope {

/// The first set bit at or after `pointer`, cyclically. `mask` must not be zero, `pointer` be below 32. A
/// pointer of n, behind the last of n bits, means the same as 0: the number after i need not be reduced.
inline unsigned first_at_or_after(std::uint32_t mask, unsigned pointer) {
  const std::uint32_t upper = mask >> pointer << pointer;
  return static_cast<unsigned>(__builtin_ctz(upper ? upper : mask));
}

/// A set of numbers below the bits of a Word, as a value of its size.
template <class Word>
class bit_set {
  /// What the processor counts in.
  using wide = std::conditional_t<sizeof(Word) <= 4, std::uint32_t, std::uint64_t>;
  static constexpr unsigned first_of(wide mask) {
    return static_cast<unsigned>(sizeof(wide) == 4 ? __builtin_ctz(static_cast<std::uint32_t>(mask))
                                                   : __builtin_ctzll(mask));
  }

 public:
  constexpr bit_set() = default;
  constexpr explicit bit_set(Word mask) : mask_(mask) {}
  /// {i}
  static constexpr bit_set of(unsigned i) { return bit_set(static_cast<Word>(wide{1} << i)); }
  /// {0, ..., n - 1}, n < 64
  static constexpr bit_set below(unsigned n) {
    return bit_set(static_cast<Word>((std::uint64_t{1} << n) - 1));
  }

  constexpr Word mask() const { return mask_; }
  constexpr explicit operator bool() const { return mask_ != 0; }
  constexpr bool has(unsigned i) const { return mask_ >> i & 1u; }
  void add(unsigned i) { *this |= of(i); }
  void remove(unsigned i) { *this -= of(i); }

  bit_set& operator|=(bit_set b) { return *this = *this | b; }
  bit_set& operator&=(bit_set b) { return *this = *this & b; }
  bit_set& operator-=(bit_set b) { return *this = *this - b; }
  friend constexpr bit_set operator|(bit_set a, bit_set b) {
    return bit_set(static_cast<Word>(a.mask_ | b.mask_));
  }
  friend constexpr bit_set operator&(bit_set a, bit_set b) {
    return bit_set(static_cast<Word>(a.mask_ & b.mask_));
  }
  /// The members of a that are not in b.
  friend constexpr bit_set operator-(bit_set a, bit_set b) {
    return bit_set(static_cast<Word>(a.mask_ & ~b.mask_));
  }

  constexpr unsigned size() const { return static_cast<unsigned>(__builtin_popcountll(mask_)); }
  /// The least member; not empty.
  constexpr unsigned first() const { return first_of(mask_); }
  /// The round-robin choice; not empty, of words up to 32 bits.
  unsigned first_at_or_after(unsigned pointer) const { return toriscope::first_at_or_after(mask_, pointer); }

  class iterator {
   public:
    explicit iterator(wide left) : left_(left) {}
    unsigned operator*() const { return first_of(left_); }
    iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    bool operator!=(iterator other) const { return left_ != other.left_; }

   private:
    wide left_;
  };
  /// Members, ascending: for (const unsigned v : set) ...
  iterator begin() const { return iterator(mask_); }
  iterator end() const { return iterator(0); }

 private:
  Word mask_ = 0;
};

/// The set bits of a mask: for (const unsigned p : bits_of(mask)) ...
using bits_of = bit_set<std::uint32_t>;

}  // namespace toriscope
