// SPDX-License-Identifier: Apache-2.0
// A hash of a text, for names and checksums; and a hash as text.
#pragma once

#include <string>
#include <string_view>

#include "base/hash.h"

namespace toriscope {

/// @param hash  of the text before it
constexpr std::uint64_t mix_text(std::string_view text, std::uint64_t hash = 0) {
  for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

/// 16 hexadecimal digits.
inline std::string hex_text(std::uint64_t hash) {
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4)
    *digit = "0123456789abcdef"[hash & 15];
  return digits;
}

}  // namespace toriscope
