// SPDX-License-Identifier: Apache-2.0
// Numbers and texts that go from one process to another as words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace toriscope {

/// Its length, and its characters in whole words.
inline void append_text(std::vector<std::uint64_t>& words, const std::string& text) {
  words.push_back(text.size());
  const std::size_t at = words.size();
  words.resize(at + (text.size() + 7) / 8);
  std::memcpy(words.data() + at, text.data(), text.size());
}

/// Reads them one after the other.
class word_reader {
 public:
  /// @param words  must outlive the reader
  explicit word_reader(const std::vector<std::uint64_t>& words) : words_(words) {}

  bool more() const { return at_ < words_.size(); }
  /// @throws std::out_of_range when there are no more
  std::uint64_t next() { return words_.at(at_++); }
  /// What append_text() wrote. @throws as next()
  std::string text() {
    const auto length = static_cast<std::size_t>(next());
    const std::size_t words = length / 8 + (length % 8 > 0);
    if (words > words_.size() - at_) throw std::out_of_range("the text is longer than what came");
    std::string result(length, ' ');
    std::memcpy(result.data(), words_.data() + at_, length);
    at_ += words;
    return result;
  }

 private:
  const std::vector<std::uint64_t>& words_;
  std::size_t at_ = 0;
};

}  // namespace toriscope
