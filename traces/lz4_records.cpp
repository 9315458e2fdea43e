// SPDX-License-Identifier: Apache-2.0
#include "traces/lz4_records.h"

#include <algorithm>
#include <cstring>

#include "traces/lz4_block.h"

namespace toriscope {
namespace lz4_detail {

constexpr std::size_t slack = 16;  ///< that is read and written beyond what counts

template <class Word>
Word word_at(const std::uint8_t* at) {
  Word value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void make_space(std::vector<std::uint8_t>& bytes, std::size_t size) {
  if (bytes.size() >= size + slack) return;
  bytes.resize(std::max(size + slack, std::min(3 * size / 2, lz4_records::most_bytes + slack)));
}

}  // namespace lz4_detail

/// How many bytes from `at` on, before `end`, are those that stand `before` bytes before them.
std::size_t lz4_records::common(std::size_t at, std::size_t before, std::size_t end) const {
  const std::uint8_t* const bytes = bytes_.data();
  for (std::size_t to = at; to < end; to += 8) {
    const std::uint64_t differ = lz4_detail::word_at<std::uint64_t>(bytes + to) ^
                                 lz4_detail::word_at<std::uint64_t>(bytes + to - before);
    if (differ != 0) return std::min(to + static_cast<unsigned>(__builtin_ctzll(differ)) / 8, end) - at;
  }
  return end - at;
}

/// Literals up to `literals_to`, then a match; without one (length 0) at the end.
void lz4_records::put_sequence(std::size_t literals_to, std::size_t offset, std::size_t length) {
  const std::size_t literals = literals_to - literals_from_;
  const std::size_t more = length > 0 ? length - least_match : 0;
  lz4_detail::make_space(packed_, packed_size_ + literals + literals / 255 + more / 255 + 8);
  std::uint8_t* out = packed_.data() + packed_size_;
  *out++ =
      static_cast<std::uint8_t>(std::min<std::size_t>(literals, 15) << 4 | std::min<std::size_t>(more, 15));
  if (literals >= 15) out = put_lz4_length(out, literals - 15);
  if (literals <= lz4_detail::slack)
    std::memcpy(out, bytes_.data() + literals_from_, lz4_detail::slack);
  else
    std::memcpy(out, bytes_.data() + literals_from_, literals);
  out += literals;
  literals_from_ = literals_to + length;
  if (length > 0) {
    *out++ = static_cast<std::uint8_t>(offset);
    *out++ = static_cast<std::uint8_t>(offset >> 8);
    if (more >= 15) out = put_lz4_length(out, more - 15);
  }
  packed_size_ = static_cast<std::size_t>(out - packed_.data());
}

/// The match is as long as it gets.
void lz4_records::put_match() {
  put_sequence(match_from_, offset_, match_length_);
  match_length_ = 0;
}

/// @param begin   of the record
/// @param others  how far before its bytes like ones may stand
void lz4_records::pack_record(std::size_t begin, std::size_t end, const places& others) {
  std::size_t at = begin;
  if (match_length_ > 0) {  // one that reaches the end of the record before
    const std::size_t more = common(at, offset_, end);
    match_length_ += more;
    at += more;
    if (at == end) return;
    put_match();
  }
  for (; at + least_match <= end; ++at) {
    std::size_t longest = least_match - 1;
    const auto first = lz4_detail::word_at<std::uint32_t>(bytes_.data() + at);
    for (const std::size_t before : others) {
      if (before > at || lz4_detail::word_at<std::uint32_t>(bytes_.data() + at - before) != first) continue;
      const std::size_t length = common(at, before, end);
      if (length > longest) longest = length, offset_ = before;
    }
    if (longest < least_match) continue;
    match_from_ = at;
    match_length_ = longest;
    at += longest;
    if (at == end) return;
    put_match();
    --at;
  }
}

void lz4_records::append(std::string_view record) {
  lz4_detail::make_space(bytes_, size_ + record.size());
  std::memcpy(bytes_.data() + size_, record.data(), record.size());
  size_ += record.size();
}

void lz4_records::add(std::string_view record, unsigned kind) {
  if (size_ > 0) pack_record(waiting_, size_, waiting_places_);
  std::uint16_t& last = last_[kind % kinds];
  const std::size_t like = last > 0 ? size_ - (last - 1u) : repeat_;
  waiting_places_ = {like, size_ > 0 ? size_ - waiting_ : repeat_, repeat_};
  waiting_ = size_;
  last = static_cast<std::uint16_t>(size_ + 1);
  append(record);
}

std::string_view lz4_records::pack(std::string_view end) {
  if (match_length_ > 0) put_match();
  // Rules of the format for the end of a block: the last record and what follows it are literals, 12 bytes at least.
  append(end);
  put_sequence(size_, 0, 0);
  const std::string_view packed(reinterpret_cast<const char*>(packed_.data()), packed_size_);
  size_ = packed_size_ = waiting_ = literals_from_ = 0;
  last_ = {};
  return packed;
}

}  // namespace toriscope
