// SPDX-License-Identifier: Apache-2.0
// For tests: files of transactions as a naive decoder of CBOR and LZ4 reads them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "traces/cbor.h"
#include "traces/lz4_unpacked_test.h"

namespace toriscope::ftr_reading {

using bytes = std::vector<std::uint8_t>;

/// Items of CBOR one after the other (RFC 8949).
class cbor_reader {
 public:
  explicit cbor_reader(bytes text) : text_(std::move(text)) {}

  bool at_end() const { return at_ == text_.size(); }
  /// Whether the break follows; takes it.
  bool breaks() { return text_.at(at_) == 0xff && ++at_ > 0; }
  void open_array() { EXPECT_EQ(text_.at(at_++), 0x9f); }
  /// The beginning of an item of that type. @returns its value, length or count
  std::uint64_t take(cbor_type type) {
    const unsigned head = text_.at(at_++), low = head & 31;
    EXPECT_EQ(head >> 5, static_cast<unsigned>(type)) << "byte " << at_ - 1;
    if (low < 24) return low;
    EXPECT_LE(low, 27U);
    std::uint64_t value = 0;
    for (unsigned left = 1u << (low - 24); left > 0; --left) value = value << 8 | text_.at(at_++);
    return value;
  }
  std::uint64_t number() { return take(cbor_type::number); }
  bytes string(cbor_type type) {
    const std::uint64_t length = take(type);
    bytes part(length);
    for (std::uint8_t& b : part) b = text_.at(at_++);
    return part;
  }

 private:
  bytes text_;
  std::size_t at_ = 0;
};

struct transaction {
  std::uint64_t id, generator, begin, end;
  std::vector<std::array<std::uint64_t, 3>> attributes;  ///< name, type, value
  bool operator==(const transaction& o) const {
    return std::tie(id, generator, begin, end, attributes) ==
           std::tie(o.id, o.generator, o.begin, o.end, o.attributes);
  }
};
using relation = std::array<std::uint64_t, 5>;

struct ftr_contents {
  std::map<std::uint64_t, std::string> texts;
  /// Of each stream its name and kind; of each generator its name and stream.
  std::map<std::uint64_t, std::pair<std::string, std::string>> streams;
  std::map<std::uint64_t, std::pair<std::string, std::uint64_t>> generators;
  std::size_t blocks = 0, relation_chunks = 0;
  std::map<std::uint64_t, std::vector<transaction>> transactions;  ///< by stream
  std::vector<relation> relations;

  /// @param exponent  of the unit of time, less than 0
  explicit ftr_contents(const std::string& path, int exponent = -12) {
    std::ifstream in(path, std::ios::binary);
    cbor_reader file(bytes{std::istreambuf_iterator<char>(in), {}});
    EXPECT_EQ(file.take(cbor_type::tag), 55799U);
    file.open_array();
    EXPECT_EQ(file.take(cbor_type::tag), 6U);
    cbor_reader info(file.string(cbor_type::bytes));
    EXPECT_EQ(info.take(cbor_type::array), 2U);
    EXPECT_EQ(info.take(cbor_type::negative), static_cast<std::uint64_t>(-1 - exponent));
    EXPECT_EQ(info.take(cbor_type::tag), 1U);
    EXPECT_EQ(info.number(), 0U) << "made at no time";
    EXPECT_TRUE(info.at_end());
    while (!file.breaks()) chunk(file);
    EXPECT_TRUE(file.at_end());
  }

 private:
  void chunk(cbor_reader& file) {
    const std::uint64_t kind = file.take(cbor_type::tag), items = file.take(cbor_type::array);
    EXPECT_EQ(items, kind == 13 ? 5U : 2U);
    const std::uint64_t stream = kind == 13 ? file.number() : 0, begin = kind == 13 ? file.number() : 0,
                        end = kind == 13 ? file.number() : 0, size = file.number();
    const bytes unpacked = lz4_unpacked(file.string(cbor_type::bytes));
    EXPECT_EQ(unpacked.size(), size);
    cbor_reader content(unpacked);
    if (kind == 9)
      for (std::uint64_t left = content.take(cbor_type::map); left > 0; --left) {
        const std::uint64_t number = content.number();
        const bytes text = content.string(cbor_type::text);
        texts[number] = std::string(text.begin(), text.end());
      }
    if (kind == 11)
      for (content.open_array(); !content.breaks();) {
        const bool is_stream = content.take(cbor_type::tag) == 16;
        EXPECT_EQ(content.take(cbor_type::array), 3U);
        const std::uint64_t number = content.number(), name = content.number(), more = content.number();
        if (is_stream)
          streams[number] = {texts.at(name), texts.at(more)};
        else
          generators[number] = {texts.at(name), more};
      }
    if (kind == 13) block(content, transactions[stream], begin, end, size);
    if (kind == 15) {
      ++relation_chunks;
      for (content.open_array(); !content.breaks();) {
        EXPECT_EQ(content.take(cbor_type::array), 5U);
        for (std::uint64_t& number : relations.emplace_back()) number = content.number();
      }
    }
    EXPECT_TRUE(content.at_end());
  }

  void block(cbor_reader& content, std::vector<transaction>& all, std::uint64_t begin, std::uint64_t end,
             std::uint64_t size) {
    ++blocks;
    EXPECT_LE(size, 61440U);
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (content.open_array(); !content.breaks();) {
      transaction t{};
      std::uint64_t left = content.take(cbor_type::array) - 1;
      EXPECT_EQ(content.take(cbor_type::tag), 6U);
      EXPECT_EQ(content.take(cbor_type::array), 4U);
      for (std::uint64_t* number : {&t.id, &t.generator, &t.begin, &t.end}) *number = content.number();
      for (; left > 0; --left) {
        EXPECT_EQ(content.take(cbor_type::tag), 8U);
        EXPECT_EQ(content.take(cbor_type::array), 3U);
        for (std::uint64_t& number : t.attributes.emplace_back()) number = content.number();
      }
      first = std::min(first, t.begin);
      last = std::max(last, t.end);
      all.push_back(std::move(t));
    }
    EXPECT_EQ(begin, first) << "the span of time of its transactions, by which readers find it";
    EXPECT_EQ(end, last);
  }
};

}  // namespace toriscope::ftr_reading
