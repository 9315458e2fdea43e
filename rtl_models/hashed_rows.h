// SPDX-License-Identifier: Apache-2.0
// Where the rows of a hashed table stand: 4 ways, each with a hash of its own, so that a key has one place in
// each (cuckoo hashing; Pagh, Rodler 2004). Reading is 4 look-ups and comparisons side by side.
//
// The hash of way w: the key is cut into pieces of INDEX_BITS, from the lowest bit on; piece j is turned left
// by j*w bits; all are added modulo 2 (sv/route_table.sv does the same).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace toriscope {

class hashed_rows {
 public:
  static constexpr unsigned ways = 4;

  /// The row of a key in a way. @pre 0 < index_bits < 32
  static std::uint32_t index(std::uint64_t key, unsigned way, unsigned index_bits);

  /// Finds places for all keys: by place (way << index_bits | index) 1 + the number of the key, 0: nothing.
  /// None when no arrangement was found.
  static std::optional<std::vector<std::uint32_t>> arrange(const std::vector<std::uint64_t>& keys,
                                                           unsigned index_bits);
};

}  // namespace toriscope
