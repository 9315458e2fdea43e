// SPDX-License-Identifier: Apache-2.0
// For tests: a naive decoder of LZ4 blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace toriscope {

/// By the description of the format: sequences of literals and matches, literals at the end.
inline std::vector<std::uint8_t> lz4_unpacked(const std::vector<std::uint8_t>& packed) {
  std::vector<std::uint8_t> out;
  std::size_t at = 0;
  const auto length = [&](std::size_t begun) {
    if (begun == 15)
      while (packed.at(at) == 255) begun += packed[at++];
    return begun < 15 ? begun : begun + packed.at(at++);
  };
  for (;;) {
    const std::uint8_t token = packed.at(at++);
    for (std::size_t left = length(token >> 4); left > 0; --left) out.push_back(packed.at(at++));
    if (at == packed.size()) return out;
    const std::size_t offset = packed.at(at) + 256u * packed.at(at + 1);
    at += 2;
    if (offset == 0 || offset > out.size()) throw std::runtime_error("offset");
    for (std::size_t left = length(token & 15u) + 4; left > 0; --left)
      out.push_back(out[out.size() - offset]);
  }
}

}  // namespace toriscope
