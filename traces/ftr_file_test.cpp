// SPDX-License-Identifier: Apache-2.0
// Files of transactions as a naive decoder of CBOR and LZ4 reads them.
#include "traces/ftr_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/scratch_directory.h"
#include "traces/lz4_unpacked_test.h"

namespace toriscope {
namespace {

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
  std::size_t streams = 0, generators = 0, blocks = 0, relation_chunks = 0;
  std::map<std::uint64_t, std::vector<transaction>> transactions;  ///< by stream
  std::vector<relation> relations;

  explicit ftr_contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    cbor_reader file(bytes{std::istreambuf_iterator<char>(in), {}});
    EXPECT_EQ(file.take(cbor_type::tag), 55799U);
    file.open_array();
    EXPECT_EQ(file.take(cbor_type::tag), 6U);
    cbor_reader info(file.string(cbor_type::bytes));
    EXPECT_EQ(info.take(cbor_type::array), 2U);
    EXPECT_EQ(info.take(cbor_type::negative), 11U) << "10^-12 seconds";
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
        ++(content.take(cbor_type::tag) == 16 ? streams : generators);
        for (std::uint64_t left = content.take(cbor_type::array); left > 0; --left) content.number();
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

TEST(ftr_file, holds_what_was_recorded) {
  const scratch_directory scratch;
  const std::string path = scratch.file("t.ftr");
  std::mt19937_64 random(1);
  std::map<std::uint64_t, std::vector<transaction>> recorded;
  std::vector<relation> related;
  ftr_file file(path, -12);
  const ftr_text hops = file.add_text("hops"), causes = file.add_text("causes");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // stream, generator
  for (const char* name : {"a", "b", "c"}) {
    const std::uint32_t stream = file.add_stream(name, "node");
    for (const char* generator : {"packets", "waits"})
      places.emplace_back(stream, file.add_generator(stream, generator));
  }
  EXPECT_EQ(places.front(), (std::pair<std::uint32_t, std::uint32_t>{1, 1})) << "0 is none";
  EXPECT_EQ(places.back(), (std::pair<std::uint32_t, std::uint32_t>{3, 6}));
  file.begin();
  // In time the streams go back and forth: what a block says of its span holds for that block alone.
  for (std::uint64_t id = 0; id < 12000; ++id) {
    const auto [stream, generator] = places[random() % places.size()];
    transaction t{id, generator, random() >> random() % 60, 0, {}};
    t.end = t.begin + random() % 1000;
    ftr_transaction made(t.id, generator, t.begin, t.end);
    for (std::uint64_t left = random() % 4; left > 0; --left) {
      const std::uint64_t value = random() >> random() % 64;
      t.attributes.push_back({hops, 3, value});
      made.add_number(hops, value);
    }
    if (id % 7 == 0) {
      t.attributes.push_back({causes, 10, hops});
      made.add_text(causes, hops);
      t.attributes.push_back({hops, 11, t.begin});
      made.add_time(hops, t.begin);
    }
    file.add(stream, made, static_cast<unsigned>(random() % 300));
    recorded[stream].push_back(t);
    related.push_back({causes, id, random() % (id + 1), stream, places[random() % places.size()].first});
    file.relate(causes, static_cast<std::uint32_t>(related.back()[3]), id,
                static_cast<std::uint32_t>(related.back()[4]), related.back()[2]);
  }
  file.close();

  const ftr_contents found(path);
  EXPECT_EQ(found.texts.at(hops), "hops");
  EXPECT_EQ(found.texts.size(), 1U + 2 + 3 * (2 + 2)) << "the empty one, and each name as often as it was given";
  EXPECT_EQ(found.streams, 3U);
  EXPECT_EQ(found.generators, 6U);
  EXPECT_GT(found.blocks, 6U) << "several of each stream";
  EXPECT_GT(found.relation_chunks, 1U);
  EXPECT_EQ(found.transactions, recorded);
  EXPECT_EQ(found.relations, related);
}

TEST(ftr_file, times_may_be_as_late_as_64_bits_allow) {
  const scratch_directory scratch;
  const std::string path = scratch.file("late.ftr");
  constexpr std::uint64_t last = ~std::uint64_t{0};
  ftr_file file(path, -12);
  const std::uint32_t stream = file.add_stream("a", "node"), generator = file.add_generator(stream, "packets");
  file.begin();
  file.add(stream, {0, generator, last, last}, 0);
  file.close();
  const ftr_contents found(path);  // looks at the span of the block
  EXPECT_EQ(found.blocks, 1U);
  EXPECT_EQ(found.relation_chunks, 0U);
  EXPECT_EQ(found.transactions.at(stream), (std::vector<transaction>{{0, generator, last, last, {}}}));
}

}  // namespace
}  // namespace toriscope
