// SPDX-License-Identifier: Apache-2.0
// A hash of a text, for names and checksums.
#pragma once

#include <string_view>

#include "links/hash.h"

namespace toriscope {

constexpr std::uint64_t mix_text(std::string_view text) {
  std::uint64_t hash = 0;
  for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace toriscope
