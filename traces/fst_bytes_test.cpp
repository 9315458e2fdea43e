// SPDX-License-Identifier: Apache-2.0
// FST files byte by byte, as the description of the format has them.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/test_file.h"
#include "traces/fst_blocks_test.h"
#include "traces/fst_format.h"

namespace toriscope::fst_bytes_test {
namespace {

using widths = std::vector<unsigned>;

/// A file whose changes are given one by one.
class hand_made {
 public:
  explicit hand_made(const widths& all,
                     std::size_t section_bytes = fst_format::default_section_bytes,
                     const std::string& timescale = "1 ps")
      : path_(test_file("hand.fst")), out_(path_), fst_(out_, timescale, {"for people", ""}, section_bytes) {
    fst_.open_scope("top");
    for (const unsigned width : all) fst_.add("v" + std::to_string(width), width);
    fst_.close_scope();
    fst_.end_header();
  }
  void at(std::uint64_t time, std::vector<wave_change> changes) {
    const std::size_t count = changes.size();
    fst_.write({{{time, count}}, std::move(changes)});
  }
  void write(const wave_batch& batch) { fst_.write(batch); }
  fst_blocks closed(std::uint64_t end) {
    fst_.end(end);
    out_.close();
    return fst_blocks(path_);
  }

 private:
  std::string path_;
  output_file out_;
  fst_format fst_;
};

std::string text(std::initializer_list<unsigned> bytes) { return std::string(bytes.begin(), bytes.end()); }

std::string big_endian(std::uint64_t number) {
  std::string bytes(8, '\0');
  for (std::size_t i = 8; i-- > 0; number >>= 8) bytes[i] = static_cast<char>(number & 255);
  return bytes;
}

/// A record is the number of stamps since the last one and the value: of one bit, 4 n + 2 value, or 16 n + 3 for
/// nothing; else 2 n and the bits from the left, or 2 n + 1 and a character for each bit.
TEST(fst_bytes, of_a_section_are_chains_their_places_and_the_times) {
  hand_made file(widths{1, 4, 9, 64, 2});
  file.at(100, {{1, 0}, {0x155, 2}});
  file.at(227, {{no_wave_value, 0}});
  file.at(355, {{0, 0}, {no_wave_value, 2}});
  file.at(1000, {{~std::uint64_t{0}, 3}});
  const fst_blocks found = file.closed(1000);
  ASSERT_EQ(found.sections.size(), 1U);
  const fst_blocks::section& section = found.sections[0];
  EXPECT_EQ(section.begin, 100U);
  EXPECT_EQ(section.end, 1000U);
  EXPECT_EQ(section.stamps, 4U);
  EXPECT_EQ(section.unpacked_bytes, 3U + (3 + 10) + 9);
  EXPECT_EQ(section.frame, std::string(1 + 4 + 9, 'z') + std::string(64, '0') + "zz");
  const std::string bit = text({0, 0x02, 0x13, 0x04}), nine = text({0, 0, 0xaa, 0x80, 5}) + "zzzzzzzzz",
                    word = text({0, 6}) + std::string(8, '\xff');
  // Places: 2 (distance to the place before, the first at 1) + 1, or 2 (variables without a change).
  const std::string places = text({2 * 1 + 1, 2 * 1, 2 * 4 + 1, 2 * 14 + 1, 2 * 1});
  const std::string times = text({100, 127, 0x80, 1, 0x85, 5});
  EXPECT_EQ(section.chains, bit + nine + word + places + big_endian(5) + times + big_endian(6) + big_endian(6) +
                                big_endian(4));
}

TEST(fst_bytes, numbers_have_seven_bits_a_byte) {
  hand_made file(widths{4, 1});
  for (unsigned stamp = 0; stamp < 128; ++stamp) {
    std::vector<wave_change> changes;
    if (stamp == 0) changes = {{5, 0}, {0, 1}};
    if (stamp == 31) changes = {{1, 1}};
    if (stamp == 63) changes = {{no_wave_value, 0}, {0, 1}};
    if (stamp == 127) changes = {{15, 0}};
    file.at(stamp, changes);
  }
  const std::string chains = file.closed(127).sections.at(0).chains;
  const std::string four = text({0, 0, 0x50, 2 * 63 + 1}) + "zzzz" + text({0x80, 1, 0xf0}),
                    one = text({0, 0, 4 * 31 + 2, 0x80, 1});
  EXPECT_EQ(chains.substr(0, four.size() + one.size() + 2), four + one + text({2 * 1 + 1, 2 * 11 + 1}));
}

TEST(fst_bytes, of_the_header_and_the_names) {
  hand_made file(widths{1, 17, 64}, 1);
  file.at(7, {});
  const fst_blocks found = file.closed(9);
  EXPECT_EQ(found.begin, 7U);
  EXPECT_EQ(found.end, 9U);
  EXPECT_EQ(found.memory, 3 * 160U) << "of a section, at least";
  EXPECT_EQ(found.scopes, 1U);
  EXPECT_EQ(found.variables, 3U);
  EXPECT_EQ(found.counted_sections, 1U);
  EXPECT_EQ(found.writer, "toriscope");
  EXPECT_EQ(found.behind_writer, std::string(119 + 1 + 8, '\0')) << "no date, Verilog, no time at 0";
  EXPECT_EQ(found.widths, text({1, 17, 64}));
  const std::string comment = text({0xfc, 0, 0}), wire = text({16, 0}), end = text({0, 0});
  EXPECT_EQ(found.hierarchy, comment + "for people" + end + comment + end + text({0xfe, 0}) + "top" + end + wire +
                                 "v1" + text({0, 1, 0}) + wire + "v17 [16:0]" + text({0, 17, 0}) + wire +
                                 "v64 [63:0]" + text({0, 64, 0}) + text({0xff}));
}

TEST(fst_bytes, of_the_unit_of_time) {
  const std::pair<const char*, int> all[] = {{"1 s", 0},     {"10 ms", -2},   {"100 us", -4},
                                             {"1 ns", -9},   {"100 ps", -10}, {"1 fs", -15}};
  for (const auto& [timescale, exponent] : all) {
    hand_made file(widths{1}, 1, timescale);
    file.at(0, {});
    EXPECT_EQ(file.closed(0).timescale, exponent) << timescale;
  }
}

TEST(fst_bytes, of_values_before_a_section_are_its_frame) {
  hand_made file(widths{64, 63}, 1);
  file.at(1, {{~std::uint64_t{0}, 0}, {~std::uint64_t{0} >> 1, 1}});
  file.at(2, {{0, 0}});
  const fst_blocks found = file.closed(2);
  ASSERT_EQ(found.sections.size(), 2U);
  EXPECT_EQ(found.sections[1].frame, std::string(64 + 63, '1')) << "64 bits always have a value";
}

/// zlib makes 11 bytes of 11 that are the same: then they stay as they are.
TEST(fst_bytes, are_packed_where_that_makes_fewer) {
  for (unsigned width = 8; width < 20; ++width) {
    hand_made file(widths{width});
    file.at(1, {});
    EXPECT_EQ(file.closed(1).sections.at(0).frame, std::string(width, 'z'));
  }
}

/// 8 literals, a match of 5 bytes and 21 literals take 34 bytes, as many as they are: they stay as they are.
TEST(fst_bytes, of_a_chain_are_packed_where_that_makes_fewer) {
  hand_made file(widths{8});
  std::string chain(1, '\0');
  for (unsigned stamp = 0; stamp < 17; ++stamp) {
    const bool first = stamp == 1 || stamp == 4, second = stamp == 2 || stamp == 5;
    const unsigned value = first ? 0x80 : second ? 0x81 : 0x10 + stamp;
    file.at(stamp, {{value, 0}});
    chain += text({stamp > 0 ? 2u : 0u, value});
  }
  EXPECT_EQ(file.closed(16).sections.at(0).chains.substr(0, 35), chain);
}

/// Changes are kept in pieces of 48, 96, 192, 384 and then 768 bytes, 16 of which say what follows; a new one begins
/// where less than 13 bytes are left. Of a bit that changes each time: 20 + 68 + 164 + 356 changes, and 740 in each of
/// the 1364 pieces that have space in the rest of a mebibyte. The next change takes another mebibyte, and the section
/// ends before the one after it.
TEST(fst_bytes, a_section_ends_when_its_space_is_taken) {
  constexpr std::size_t in_a_section = 20 + 68 + 164 + 356 + 1364 * 740 + 1, all = in_a_section + 100;
  hand_made file(widths{1}, std::size_t{1} << 20);
  wave_batch batch;
  for (std::size_t i = 0; i < all; ++i) {
    batch.changes.push_back({i % 2, 0});
    batch.stamps.push_back({i, i + 1});
  }
  file.write(batch);
  const fst_blocks found = file.closed(all - 1);
  ASSERT_EQ(found.sections.size(), 2U);
  EXPECT_EQ(found.sections[0].stamps, in_a_section);
  EXPECT_EQ(found.sections[0].end, in_a_section - 1);
  EXPECT_EQ(found.sections[1].stamps, 1 + 100U);
}

}  // namespace
}  // namespace toriscope::fst_bytes_test
