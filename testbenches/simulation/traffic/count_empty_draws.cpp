// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/count_empty_draws.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define TORISCOPE_AVX512 1
#endif

namespace toriscope {
namespace {

using counting = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);

std::uint64_t count_none(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) { return 0; }

#ifdef TORISCOPE_AVX512

constexpr unsigned width = 8;
using numbers [[gnu::vector_size(width * sizeof(std::uint64_t))]] = std::uint64_t;

/// The upper 31 bits of mix_unfinished() (base/hash.h).
[[gnu::always_inline]] inline void to_upper_bits(numbers& x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = ((x ^ (x >> 27)) * 0x94d049bb133111ebu) >> 33;
}

[[gnu::target("avx512f,avx512dq")]] std::uint64_t count_avx512(std::uint64_t counter, std::uint64_t step,
                                                               std::uint64_t limit, std::uint64_t most) {
  constexpr unsigned together = 4 * width;
  const std::uint64_t surely_above = (limit >> 32) + 1;
  numbers next = {1, 2, 3, 4, 5, 6, 7, 8};
  next = next * step + counter;
  std::uint64_t done = 0;
  for (; done + together <= most; done += together) {
    numbers borrows = {};  // the top bit of a place is set when a number there may be below
    for (unsigned k = 0; k < together / width; ++k, next += width * step) {
      numbers x = next;
      to_upper_bits(x);
      borrows |= x - surely_above;
    }
    std::uint64_t any = 0;
    for (unsigned k = 0; k < width; ++k) any |= borrows[k];
    if (any >> 63) break;
  }
  return done;
}

#endif

counting best_counting() {
#ifdef TORISCOPE_AVX512
  if (__builtin_cpu_supports("avx512dq")) return count_avx512;
#endif
  return count_none;
}

}  // namespace

std::uint64_t count_empty_draws(std::uint64_t counter, std::uint64_t step, std::uint64_t limit,
                            std::uint64_t most) {
  if (limit >> 57) return 0;  // there will be a packet soon
  static const counting best = best_counting();
  return best(counter, step, limit, most);
}

}  // namespace toriscope
