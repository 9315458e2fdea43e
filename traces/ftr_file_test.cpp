// SPDX-License-Identifier: Apache-2.0
// Files of transactions as a naive decoder of CBOR and LZ4 reads them.
#include "traces/ftr_file.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/scratch_directory.h"
#include "traces/read_ftr_test.h"

namespace toriscope::ftr_file_test {
namespace {

using namespace ftr_reading;  // NOLINT(google-build-using-namespace)

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
  ASSERT_EQ(found.streams.size(), 3U);
  ASSERT_EQ(found.generators.size(), 6U);
  EXPECT_EQ(found.streams.at(2), std::pair(std::string("b"), std::string("node")));
  EXPECT_EQ(found.generators.at(6), std::pair(std::string("waits"), std::uint64_t{3}));
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

TEST(cbor, numbers_take_as_few_bytes_as_they_can) {
  const auto item = [](cbor_type type, std::uint64_t value) {
    std::string text;
    add_cbor(text, type, value);
    return bytes(text.begin(), text.end());
  };
  EXPECT_EQ(item(cbor_type::number, 0), (bytes{0x00}));
  EXPECT_EQ(item(cbor_type::number, 23), (bytes{0x17}));
  EXPECT_EQ(item(cbor_type::number, 24), (bytes{0x18, 24}));
  EXPECT_EQ(item(cbor_type::bytes, 0xff), (bytes{0x58, 0xff}));
  EXPECT_EQ(item(cbor_type::text, 0x100), (bytes{0x79, 1, 0}));
  EXPECT_EQ(item(cbor_type::array, 0xffff), (bytes{0x99, 0xff, 0xff}));
  EXPECT_EQ(item(cbor_type::map, 0x10000), (bytes{0xba, 0, 1, 0, 0}));
  EXPECT_EQ(item(cbor_type::tag, 0xffffffff), (bytes{0xda, 0xff, 0xff, 0xff, 0xff}));
  EXPECT_EQ(item(cbor_type::number, 0x123456789a), (bytes{0x1b, 0, 0, 0, 0x12, 0x34, 0x56, 0x78, 0x9a}));
  std::string text;
  for (const std::int64_t number : {0, 1, -1, -24, -25}) add_cbor_number(text, number);
  add_cbor_text(text, "it");
  EXPECT_EQ(bytes(text.begin(), text.end()), (bytes{0, 1, 0x20, 0x37, 0x38, 24, 0x62, 'i', 't'}));
}

TEST(ftr_file, each_block_tells_its_own_span_of_time) {
  for (const std::uint64_t time : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    const scratch_directory scratch;
    ftr_file file(scratch.file("span.ftr"), -12);
    const std::uint32_t stream = file.add_stream("a", "node"), generator = file.add_generator(stream, "packets");
    file.begin();
    for (unsigned i = 0; i < 15000; ++i) file.add(stream, {i, generator, time, time}, 0);
    file.close();
    const ftr_contents found(scratch.file("span.ftr"));  // looks at the spans
    EXPECT_GT(found.blocks, 2u);
    EXPECT_EQ(found.transactions.at(stream).size(), 15000u);
  }
}

/// Blocks of all streams have 32 MiB: of 1024 (one is of no stream) each has 32 KiB. A transaction takes 31 bytes:
/// three heads, three numbers of 9 bytes, and one of a byte. A block begins with a byte and ends with one.
TEST(ftr_file, blocks_are_smaller_where_there_are_many_streams) {
  constexpr std::uint64_t large = std::uint64_t{1} << 40;
  for (const unsigned more : {0u, 1u}) {
    const scratch_directory scratch;
    ftr_file file(scratch.file("many.ftr"), -12);
    const std::uint32_t stream = file.add_stream("a", "node"), generator = file.add_generator(stream, "packets");
    while (file.add_stream("b", "node") < 1023) {
    }
    file.begin();
    for (unsigned i = 0; i < 2 * 1056 + more; ++i) {
      const ftr_transaction one(large + i, generator, large, large);
      ASSERT_EQ(one.bytes().size(), 31U);
      file.add(stream, one, 0);
    }
    file.close();
    const ftr_contents found(scratch.file("many.ftr"));
    EXPECT_EQ(found.streams.size(), 1023U);
    EXPECT_EQ(found.transactions.at(stream).size(), 2 * 1056 + more);
    EXPECT_EQ(found.blocks, 2 + more) << "1 + 1056 * 31 < 32768, 1 + 1057 * 31 is not";
  }
}

/// A relation takes 8 bytes here, 54 at most. The first byte and 8185 relations leave less than 54 of 65535 bytes.
TEST(ftr_file, a_chunk_of_relations_is_full_when_the_longest_might_not_fit) {
  for (const unsigned count : {8185u, 8186u}) {
    const scratch_directory scratch;
    ftr_file file(scratch.file("r.ftr"), -12);
    const ftr_text hop = file.add_text("hop");
    const std::uint32_t from = file.add_stream("a", "node"), to = file.add_stream("b", "node");
    file.begin();
    for (unsigned i = 0; i < count; ++i) file.relate(hop, from, 300, to, 7);
    file.close();
    const ftr_contents found(scratch.file("r.ftr"));
    EXPECT_EQ(found.relation_chunks, count == 8185 ? 1U : 2U);
    EXPECT_EQ(found.relations, std::vector<relation>(count, {hop, 300, 7, from, to}));
  }
}

TEST(ftr_file, all_attributes_may_be_as_long_as_they_get) {
  constexpr std::uint64_t largest = ~std::uint64_t{0};
  constexpr ftr_text name = ~ftr_text{0};
  const scratch_directory scratch;
  ftr_file file(scratch.file("long.ftr"), -12);
  const std::uint32_t stream = file.add_stream("a", "node");
  file.begin();
  ftr_transaction made(largest, ~std::uint32_t{0}, largest - 1, largest);
  transaction expected{largest, ~std::uint32_t{0}, largest - 1, largest, {}};
  for (std::uint64_t i = 0; i < ftr_transaction::most_attributes; ++i) {
    made.add_number(name, largest - i);
    expected.attributes.push_back({name, 3, largest - i});
  }
  EXPECT_EQ(made.begin(), largest - 1);
  EXPECT_EQ(made.end(), largest);
  file.add(stream, made, 0);
  file.relate(name, ~std::uint32_t{0}, largest, ~std::uint32_t{0}, largest);
  file.close();
  const ftr_contents found(scratch.file("long.ftr"));
  EXPECT_EQ(found.transactions.at(stream), (std::vector<transaction>{expected}));
  EXPECT_EQ(found.relations, (std::vector<relation>{{name, largest, largest, 0xffffffff, 0xffffffff}}));
}

}  // namespace
}  // namespace toriscope::ftr_file_test
