// SPDX-License-Identifier: Apache-2.0
// Writes items of CBOR, the Concise Binary Object Representation (RFC 8949): what FTR files are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace toriscope {

/// What an item is: its upper three bits.
enum class cbor_type : std::uint8_t {
  number = 0,
  negative = 1,
  bytes = 2,
  text = 3,
  array = 4,
  map = 5,
  tag = 6
};

inline constexpr std::uint8_t cbor_open_array = 0x9f;  ///< of items until cbor_break
inline constexpr std::uint8_t cbor_break = 0xff;
inline constexpr std::size_t cbor_most_bytes = 9;  ///< of the beginning of an item

/// The beginning of an item: its type, and its value, length or count, in as few bytes as it takes.
/// @param at  space for cbor_most_bytes
/// @returns the byte behind it
inline std::uint8_t* put_cbor(std::uint8_t* at, cbor_type type, std::uint64_t value) {
  const auto head = static_cast<unsigned>(type) << 5;
  if (value < 24) {
    *at = static_cast<std::uint8_t>(head | value);
    return at + 1;
  }
  const unsigned size = value <= 0xff         ? 0
                        : value <= 0xffff     ? 1
                        : value <= 0xffffffff ? 2
                                              : 3;  // its logarithm
  *at++ = static_cast<std::uint8_t>(head | (24 + size));
  for (unsigned bits = 8u << size; bits > 0; bits -= 8)
    *at++ = static_cast<std::uint8_t>(value >> (bits - 8));
  return at;
}

inline void add_cbor(std::string& text, cbor_type type, std::uint64_t value) {
  std::uint8_t item[cbor_most_bytes];
  text.append(reinterpret_cast<const char*>(item),
              static_cast<std::size_t>(put_cbor(item, type, value) - item));
}

inline void add_cbor_number(std::string& text, std::int64_t value) {
  if (value < 0)
    add_cbor(text, cbor_type::negative, static_cast<std::uint64_t>(-1 - value));
  else
    add_cbor(text, cbor_type::number, static_cast<std::uint64_t>(value));
}

inline void add_cbor_text(std::string& text, std::string_view value) {
  add_cbor(text, cbor_type::text, value.size());
  text += value;
}

}  // namespace toriscope
