// SPDX-License-Identifier: Apache-2.0
// The state of objects as bytes, and back: one function of a class names its members, in the same order for both ways.
//
//   use      void thing::archive(state_archive& a) { a.number(count_); a.below(vc_, vcs); a.require(fits(), "..."); }
//   numbers  take a byte for each 7 bits; words take 8 bytes
//   safety   what is read is not trusted: nothing is read beyond the end, no list is longer than the bytes that are
//            left, and the caller gives the bounds of all numbers that lead to memory
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bit_set.h"

namespace toriscope {

/// What is read cannot be a state.
class damaged_state : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

class state_archive {
 public:
  /// Writes.
  state_archive() : reads_(false) {}
  /// Reads `bytes`, which outlive it.
  explicit state_archive(std::string_view bytes)
      : reads_(true), at_(bytes.data()), end_(bytes.data() + bytes.size()) {}
  state_archive(const state_archive&) = delete;
  state_archive& operator=(const state_archive&) = delete;

  bool reads() const { return reads_; }

  /// An unsigned number or a flag. @throws damaged_state where it does not fit its type
  template <class T>
  void number(T& value) {
    static_assert(std::is_unsigned_v<T>);
    if (!reads_) return put(value);
    const std::uint64_t read = get();
    value = static_cast<T>(read);
    if (value != read) damaged("a number is too large");
  }
  /// The same of one that is less than `end`.
  template <class T>
  void below(T& value, std::uint64_t end) {
    number(value);
    require(value < end, "a number is out of its range");
  }
  /// A set of members of `all`.
  template <class Word>
  void subset(bit_set<Word>& set, bit_set<Word> all) {
    Word mask = set.mask();
    number(mask);
    set = bit_set<Word>(mask);
    require(!(set - all), "a set has a member that does not exist");
  }
  /// A number of which all values are as likely.
  void word(std::uint64_t& value);
  void text(std::string& value);

  /// The number of items that follow, each of a byte at least: `items` when it writes.
  std::size_t size(std::size_t items) {
    std::uint64_t count = items;
    number(count);
    require(count <= left(), "a list is longer than the state");
    return static_cast<std::size_t>(count);
  }
  /// What `archive` writes or reads, behind its length in bytes.
  template <class Archive>
  void part(Archive archive) {
    if (reads_) {
      const std::size_t length = size(0);
      const char* const end = at_ + length;
      archive();
      return require(at_ == end, "a part does not have its length");
    }
    const std::size_t begin = bytes_.size();
    archive();
    char digits[most_digits];
    bytes_.insert(begin, digits, digits_of(bytes_.size() - begin, digits));
  }
  /// Reading: the bytes of a part, which it leaves out.
  std::string_view skip_part() {
    const std::size_t length = size(0);
    at_ += length;
    return {at_ - length, length};
  }
  /// Writing: bytes that another archive wrote.
  void append(std::string_view bytes) { bytes_.append(bytes); }
  template <class T>
  void numbers(std::vector<T>& list) {
    list.resize(size(list.size()));
    for (T& value : list) number(value);
  }

  /// Reading, this must be true. @throws damaged_state
  void require(bool holds, const char* what) const {
    if (reads_ && !holds) damaged(what);
  }
  /// Reading, all has been read. @throws damaged_state
  void end() const { require(at_ == end_, "there is more than a state has"); }

  /// Written so far.
  const std::string& bytes() const { return bytes_; }
  [[noreturn]] void damaged(const char* what) const;

 private:
  static constexpr unsigned most_digits = 10;

  /// Reading, bytes.
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  void put(std::uint64_t value) {
    char digits[most_digits];
    bytes_.append(digits, digits_of(value, digits));
  }
  static unsigned digits_of(std::uint64_t value, char* digits) {
    unsigned count = 0;
    for (; value >= 0x80; value >>= 7) digits[count++] = static_cast<char>(value | 0x80);
    digits[count++] = static_cast<char>(value);
    return count;
  }
  std::uint64_t get() {
    if (at_ != end_ && !(*at_ & 0x80)) return static_cast<unsigned char>(*at_++);
    return get_long();
  }
  std::uint64_t get_long();

  const bool reads_;
  std::string bytes_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

/// A checksum over bytes, for damage by accident.
std::uint64_t checksum_of(std::string_view bytes);

}  // namespace toriscope
