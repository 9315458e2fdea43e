// SPDX-License-Identifier: Apache-2.0
// Round-robin choice on bit masks.
#pragma once

#include <cstdint>

namespace toriscope {

/// The first set bit at or after `pointer`, cyclically. `mask` must not be zero, `pointer` be below 32.
inline unsigned first_at_or_after(std::uint32_t mask, unsigned pointer) {
  const std::uint32_t upper = mask >> pointer << pointer;
  return static_cast<unsigned>(__builtin_ctz(upper ? upper : mask));
}

/// The number after i, modulo n.
inline unsigned next_of(unsigned i, unsigned n) { return i + 1 == n ? 0 : i + 1; }

/// Calls visit(bit) for each set bit, ascending.
template <class Visit>
void for_each_bit(std::uint32_t mask, Visit&& visit) {
  for (; mask; mask &= mask - 1) visit(static_cast<unsigned>(__builtin_ctz(mask)));
}

}  // namespace toriscope
