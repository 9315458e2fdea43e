// SPDX-License-Identifier: Apache-2.0
// Random numbers: one 64-bit integer stream per node (docs/model.md, "Random numbers").
//
// The stream is SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a counter that goes through a bijection. It
// costs 8 bytes per node, and what was drawn last can be looked at again. No <random>, no libm: the same on
// every machine.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "base/state_archive.h"
#include "testbenches/simulation/traffic/count_empty_draws.h"

namespace toriscope {

__extension__ typedef unsigned __int128 uint128;

class random_stream {
 public:
  explicit random_stream(std::uint64_t start = 0) : counter_(start) {}
  /// The stream of one node.
  random_stream(std::uint64_t seed, std::uint64_t node) : counter_(mix(seed, node)) {}

  /// The next 64 random bits.
  std::uint64_t next() { return mix(counter_ += step); }
  /// Calls next() until it returns a number whose upper 63 bits are below `limit`, at most `most` times.
  /// Returns the number of calls, or most + 1 when there was none.
  std::uint64_t calls_to_below(std::uint64_t limit, std::uint64_t most) {
    const std::uint64_t in_vain = count_empty_draws(counter_, step, limit, most);
    std::uint64_t counter = counter_ + in_vain * step;
    for (std::uint64_t call = in_vain + 1; call <= most; ++call) {
      const std::uint64_t y = mix_unfinished(counter += step);
      if (y >> 33 > limit >> 32 || (y ^ y >> 31) >> 1 >= limit) continue;
      counter_ = counter;
      return call;
    }
    counter_ = counter;
    return most + 1;
  }
  /// What next() returned last.
  std::uint64_t last() const { return mix(counter_); }

  /// Uniform in 0 .. n-1, n >= 1, by multiply-and-shift; off by less than n / 2^64.
  std::uint64_t below(std::uint64_t n) { return static_cast<std::uint64_t>(uint128{next()} * n >> 64); }

  /// True with the probability p / 2^63.
  bool chance(std::uint64_t p) { return next() >> 1 < p; }

  void archive(state_archive& a) { a.word(counter_); }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;
  std::uint64_t counter_;
};

/// Probabilities as integers: p / 2^63, so that 0 and 1 are both exact.
inline constexpr std::uint64_t certain = std::uint64_t{1} << 63;

/// The integer for a probability: exact to the 53 bits of a double. Clamped to 0 .. 1.
constexpr std::uint64_t probability(double p) {
  return p <= 0 ? 0 : p >= 1 ? certain : static_cast<std::uint64_t>(p * static_cast<double>(certain));
}

}  // namespace toriscope
