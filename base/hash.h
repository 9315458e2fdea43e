// SPDX-License-Identifier: Apache-2.0
// The order-free hashes of docs/model.md.
#pragma once

#include <cstdint>

namespace toriscope {

/// mix(x) without its last step, which leaves the upper 31 bits as they are.
constexpr std::uint64_t mix_unfinished(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  return (x ^ (x >> 27)) * 0x94d049bb133111ebu;
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection that mixes all bits.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = mix_unfinished(x);
  return x ^ (x >> 31);
}

/// mix over several values; the order of the arguments matters.
template <class... Rest>
constexpr std::uint64_t mix(std::uint64_t first, std::uint64_t second, Rest... rest) {
  return mix(mix(first + 0x9e3779b97f4a7c15u) ^ second, static_cast<std::uint64_t>(rest)...);
}

}  // namespace toriscope
