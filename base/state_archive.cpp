// SPDX-License-Identifier: Apache-2.0
#include "base/state_archive.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace toriscope {

void state_archive::damaged(const char* what) const { throw damaged_state(what); }

std::uint64_t state_archive::get_long() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_ == end_) damaged("it ends too soon");
    const auto digit = static_cast<unsigned char>(*at_++);
    value |= std::uint64_t{digit & 0x7fu} << shift;
    if (digit < 0x80) {
      if (shift == 63 && digit > 1) break;
      return value;
    }
  }
  damaged("a number has more than 64 bits");
}

void state_archive::word(std::uint64_t& value) {
  char digits[8];
  if (reads_) {
    if (left() < sizeof digits) damaged("it ends too soon");
    std::memcpy(digits, at_, sizeof digits);
    at_ += sizeof digits;
    value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= std::uint64_t{static_cast<unsigned char>(digits[i])} << 8 * i;
    return;
  }
  for (unsigned i = 0; i < 8; ++i) digits[i] = static_cast<char>(value >> 8 * i);
  bytes_.append(digits, sizeof digits);
}

void state_archive::text(std::string& value) {
  const std::size_t length = size(value.size());
  if (!reads_) {
    bytes_ += value;
    return;
  }
  value.assign(at_, length);
  at_ += length;
}

std::uint64_t checksum_of(std::string_view bytes) {
  std::uint64_t sum = mix(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    sum = mix(sum ^ word);
  }
  return sum;
}

}  // namespace toriscope
