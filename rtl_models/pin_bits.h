// SPDX-License-Identifier: Apache-2.0
// Fields of the pin vectors of verilated models: up to 64 bits they are integers, wider ones arrays of 32-bit
// words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace toriscope {

/// Writes `count` bits (1..64), from bit `first` of the pins on.
template <class Pins>
void set_pin_bits(Pins& pins, unsigned first, unsigned count, std::uint64_t value) {
  if constexpr (std::is_integral_v<Pins>) {
    const std::uint64_t mask = (~std::uint64_t{0} >> (64 - count)) << first;
    pins = static_cast<Pins>((pins & ~mask) | (value << first & mask));
  } else {
    for (unsigned done = 0; done < count;) {
      const unsigned at = (first + done) % 32;
      const unsigned n = std::min(count - done, 32 - at);
      const std::uint32_t mask = (~std::uint32_t{0} >> (32 - n)) << at;
      auto& word = pins[(first + done) / 32];
      word = (word & ~mask) | (static_cast<std::uint32_t>(value >> done) << at & mask);
      done += n;
    }
  }
}

/// Reads `count` bits (1..64), from bit `first` of the pins on.
template <class Pins>
std::uint64_t pin_bits(const Pins& pins, unsigned first, unsigned count) {
  if constexpr (std::is_integral_v<Pins>) {
    return (std::uint64_t{pins} >> first) & (~std::uint64_t{0} >> (64 - count));
  } else {
    std::uint64_t value = 0;
    for (unsigned done = 0; done < count;) {
      const unsigned at = (first + done) % 32;
      const unsigned n = std::min(count - done, 32 - at);
      value |= std::uint64_t{(pins[(first + done) / 32] >> at) & (~std::uint32_t{0} >> (32 - n))} << done;
      done += n;
    }
    return value;
  }
}

}  // namespace toriscope
