// SPDX-License-Identifier: Apache-2.0
#include "traces/lz4_block.h"

#include <algorithm>
#include <cstring>

namespace toriscope {
namespace {

constexpr std::size_t least_match = 4;
constexpr std::size_t max_offset = 65535;
constexpr unsigned tries = 4;
constexpr std::size_t good_match = 64;  ///< not improved
constexpr std::size_t places_kept = 8;  ///< of those in a match
// Rules of the format for the end of a block: readers copy in strides.
constexpr std::size_t last_literals = 5;
constexpr std::size_t last_match_begins_before = 12;

std::uint32_t four_bytes(const std::uint8_t* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// How many bytes from a and from b on are the same, those of b before `end`.
std::size_t common(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* end) {
  const std::uint8_t* const begin = b;
  for (; b + 8 <= end; a += 8, b += 8) {
    std::uint64_t of_a, of_b;
    std::memcpy(&of_a, a, 8);
    std::memcpy(&of_b, b, 8);
    if (of_a != of_b) return static_cast<std::size_t>(b - begin + __builtin_ctzll(of_a ^ of_b) / 8);
  }
  while (b < end && *a == *b) ++a, ++b;
  return static_cast<std::size_t>(b - begin);
}

}  // namespace

std::size_t lz4_packer::slot_of(std::size_t at) const {
  return four_bytes(bytes_ + at) * 2654435761u >> (32 - slot_bits_);
}

void lz4_packer::insert(std::size_t at) {
  std::uint32_t& last = last_[slot_of(at)];
  before_[at] = last;
  last = static_cast<std::uint32_t>(at + 1);
}

lz4_packer::match lz4_packer::find(std::size_t at, std::size_t beyond) {
  match best{beyond, 0};
  std::uint32_t& last = last_[slot_of(at)];
  std::uint32_t place = last;
  before_[at] = last;
  last = static_cast<std::uint32_t>(at + 1);
  for (unsigned i = 0; i < tries && place > 0; ++i, place = before_[place - 1]) {
    const std::size_t from = place - 1;
    if (at - from > max_offset) break;
    if (bytes_[from + best.length] != bytes_[at + best.length]) continue;
    const std::size_t length = common(bytes_ + from, bytes_ + at, bytes_ + matches_end_);
    if (length > best.length) best = {length, at - from};
    if (at + length >= matches_end_) break;
  }
  return best.offset > 0 ? best : match{};
}

/// Literals, then a match; without one at the end.
void lz4_packer::put_sequence(std::size_t literals_from, std::size_t literals, match m) {
  const std::size_t more = m.length > 0 ? m.length - least_match : 0;
  *out_++ =
      static_cast<std::uint8_t>(std::min<std::size_t>(literals, 15) << 4 | std::min<std::size_t>(more, 15));
  if (literals >= 15) out_ = put_lz4_length(out_, literals - 15);
  std::copy_n(bytes_ + literals_from, literals, out_);
  out_ += literals;
  if (m.length == 0) return;
  *out_++ = static_cast<std::uint8_t>(m.offset);
  *out_++ = static_cast<std::uint8_t>(m.offset >> 8);
  if (more >= 15) out_ = put_lz4_length(out_, more - 15);
}

std::size_t lz4_packer::pack(const std::uint8_t* bytes, std::size_t count, std::uint8_t* packed) {
  bytes_ = bytes;
  out_ = packed;
  slot_bits_ = 6;
  while (slot_bits_ < 14 && std::size_t{1} << slot_bits_ < count) ++slot_bits_;
  last_.assign(std::size_t{1} << slot_bits_, 0);
  if (before_.size() < count) before_.resize(count);
  const std::size_t begin_end = count > last_match_begins_before ? count - last_match_begins_before : 0;
  matches_end_ = count > last_literals ? count - last_literals : 0;
  std::size_t literals_from = 0;
  for (std::size_t at = 0; at < begin_end;) {
    match m = find(at, least_match - 1);
    if (m.length == 0) {
      ++at;
      continue;
    }
    std::size_t kept = at + 1;                             // the places before it are
    while (at + 1 < begin_end && m.length < good_match) {  // a longer one may begin later
      kept = at + 2;
      const match next = find(at + 1, m.length);
      if (next.length == 0) break;
      m = next;
      ++at;
    }
    put_sequence(literals_from, at - literals_from, m);
    literals_from = at + m.length;
    const std::size_t kept_end = std::min({literals_from, begin_end, at + 1 + places_kept});
    for (; kept < kept_end; ++kept) insert(kept);
    at = literals_from;
  }
  put_sequence(literals_from, count - literals_from, {});
  return static_cast<std::size_t>(out_ - packed);
}

}  // namespace toriscope
