// SPDX-License-Identifier: Apache-2.0
// What an RTL route unit that computes routes instead of reading a table must know of a network: constants, the same
// for all of its nodes (rtl_models/sv/route_cube.sv, route_ttn.sv; their headers have the layout).
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace toriscope {

struct route_arithmetic {
  enum unit_kind : unsigned { none = 0, cube = 1, ttn = 2 };

  unit_kind unit = none;
  std::string obstacle{};                ///< none: why, in words
  std::array<std::uint64_t, 8> words{};  ///< 512 bits, the lowest first

  /// @pre the field lies in the words, and value has no more than `bits` bits
  void put(unsigned at, unsigned bits, std::uint64_t value) {
    for (unsigned b = 0; b < bits; ++b) words[(at + b) / 64] |= (value >> b & 1u) << (at + b) % 64;
  }
};

}  // namespace toriscope
