// SPDX-License-Identifier: Apache-2.0
// Binary logarithms of whole numbers.
#pragma once

#include <cstdint>

namespace toriscope {

/// Bits needed for `values` values: log2 rounded up, 0 for one value.
constexpr unsigned bits_for(std::uint64_t values) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < values) ++bits;
  return bits;
}

/// log2 rounded down, of a number from 1 on.
constexpr unsigned floor_log2(unsigned number) {
  unsigned log = 0;
  while ((number >> log) > 1) ++log;
  return log;
}

}  // namespace toriscope
