// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/hashed_rows.h"

#include <random>
#include <utility>

namespace toriscope {

std::uint32_t hashed_rows::index(std::uint64_t key, unsigned way, unsigned index_bits) {
  const std::uint64_t mask = (std::uint64_t{1} << index_bits) - 1;
  std::uint64_t result = 0;
  for (unsigned piece = 0; key; ++piece, key >>= index_bits) {
    const unsigned turn = piece * way % index_bits;
    const std::uint64_t bits = key & mask;
    result ^= (bits << turn | bits >> (index_bits - turn)) & mask;
  }
  return static_cast<std::uint32_t>(result);
}

std::optional<std::vector<std::uint32_t>> hashed_rows::arrange(const std::vector<std::uint64_t>& keys,
                                                               unsigned index_bits) {
  std::vector<std::uint32_t> rows(std::size_t{ways} << index_bits);
  constexpr unsigned moves_at_most = 500;
  std::minstd_rand random;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    // Who finds no free place takes that of another, who then looks for one in the other ways.
    auto homeless = static_cast<std::uint32_t>(k + 1);
    unsigned not_there = ways;
    for (unsigned left = moves_at_most; homeless; --left) {
      if (!left) return std::nullopt;
      const auto place = [&](unsigned way) -> std::uint32_t& {
        return rows[std::size_t{way} << index_bits | index(keys[homeless - 1], way, index_bits)];
      };
      unsigned way = 0;
      while (way < ways && place(way)) ++way;
      if (way == ways) do
          way = static_cast<unsigned>(random() % ways);
        while (way == not_there);
      std::swap(place(way), homeless);
      not_there = way;
    }
  }
  return rows;
}

}  // namespace toriscope
