// SPDX-License-Identifier: Apache-2.0
// Binary logarithms of whole numbers.
#pragma once

namespace toriscope {

/// Bits that tell so many values apart: log2 rounded up, 0 for one value.
constexpr unsigned bits_for(unsigned values) {
  unsigned bits = 0;
  while ((1u << bits) < values) ++bits;
  return bits;
}

/// log2 rounded down, of a number from 1 on.
constexpr unsigned floor_log2(unsigned number) {
  unsigned log = 0;
  while ((number >> log) > 1) ++log;
  return log;
}

}  // namespace toriscope
