// SPDX-License-Identifier: Apache-2.0
// A flit as a user's router has it: up to 512 bits, and fields in it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rtl_models/pin_bits.h"

namespace toriscope {

using wide_flit = std::array<std::uint32_t, 16>;
inline constexpr unsigned widest_flit = 512;

/// `count` bits (1 .. 64) from bit `first` on; count 0: there is no such field.
struct bit_field {
  unsigned first = 0;
  unsigned count = 0;

  explicit operator bool() const { return count > 0; }
  /// The value as far as the field holds it.
  std::uint64_t cut(std::uint64_t value) const {
    return count == 64 ? value : value & ((std::uint64_t{1} << count) - 1);
  }
  std::uint64_t of(const wide_flit& flit) const { return pin_bits(flit, first, count); }
  void set(wide_flit& flit, std::uint64_t value) const { set_pin_bits(flit, first, count, value); }
};

/// "7:4", or "7" for one bit.
inline std::string to_string(bit_field f) {
  const std::string low = std::to_string(f.first);
  return f.count == 1 ? low : std::to_string(f.first + f.count - 1) + ":" + low;
}

}  // namespace toriscope
