// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/pin_bits.h"

#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <random>

namespace toriscope::pin_bits_test {
namespace {

/// Writes and reads random fields, beside a std::bitset.
template <class Pins>
void compare_with_bitset(Pins pins, unsigned width) {
  std::mt19937_64 random(7);
  std::bitset<256> expected;
  for (unsigned round = 0; round < 2000; ++round) {
    const unsigned count = 1 + random() % std::min(64u, width);
    const unsigned first = static_cast<unsigned>(random() % (width - count + 1));
    const std::uint64_t value = random();
    set_pin_bits(pins, first, count, value);
    for (unsigned b = 0; b < count; ++b) expected[first + b] = value >> b & 1u;
    for (unsigned b = 0; b < width; ++b) ASSERT_EQ(pin_bits(pins, b, 1), expected[b]) << "bit " << b;
    const std::uint64_t field = count == 64 ? value : value & ((std::uint64_t{1} << count) - 1);
    ASSERT_EQ(pin_bits(pins, first, count), field);
  }
}

TEST(pin_bits, integers) {
  compare_with_bitset(std::uint8_t{0}, 8);
  compare_with_bitset(std::uint16_t{0}, 10);
  compare_with_bitset(std::uint32_t{0}, 32);
  compare_with_bitset(std::uint64_t{0}, 64);
}

TEST(pin_bits, arrays_of_words) {
  compare_with_bitset(std::array<std::uint32_t, 3>{}, 96);
  compare_with_bitset(std::array<std::uint32_t, 8>{}, 250);
}

}  // namespace
}  // namespace toriscope::pin_bits_test
