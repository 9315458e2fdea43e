// SPDX-License-Identifier: Apache-2.0
// FST as GTKWave's own reader (fst2vcd) sees it, beside the VCD of the same changes; blocks of LZ4 as a naive decoder
// does.
#include "traces/fst_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

#include "base/error_of_test.h"
#include "base/scratch_directory.h"
#include "traces/fst_blocks_test.h"
#include "traces/lz4_block.h"
#include "traces/lz4_records.h"
#include "traces/lz4_unpacked_test.h"
#include "traces/read_fst_test.h"
#include "traces/wave_file.h"

namespace toriscope::fst_format_test {
namespace {

using bytes = std::vector<std::uint8_t>;

std::string scratch(const std::string& name) {
  static const scratch_directory directory;
  return directory.file(name);
}

TEST(lz4_packer, gives_what_a_naive_decoder_undoes) {
  std::mt19937 random(1);
  lz4_packer packer;
  for (unsigned round = 0; round < 600; ++round) {
    bytes text(round < 40 ? round : random() % 3000 + (round == 599 ? 200000 : 0));
    const unsigned letters = 1 + random() % 200;  // one: runs; many: nothing to pack
    for (std::size_t i = 0; i < text.size(); ++i)
      text[i] = i > 20 && random() % 4 ? text[i - 1 - random() % 20]
                                       : static_cast<std::uint8_t>(random() % letters);
    bytes packed(lz4_packer::bound(text.size()));
    packed.resize(packer.pack(text.data(), text.size(), packed.data()));
    ASSERT_EQ(lz4_unpacked(packed), text) << round;
  }
}

TEST(lz4_packer, packs_what_repeats) {
  bytes text(4500);
  for (std::size_t i = 0; i < text.size(); ++i)
    text[i] = static_cast<std::uint8_t>(i % 9 == 8 ? i / 9 % 16 : i % 9);
  bytes packed(lz4_packer::bound(text.size()));
  EXPECT_LT(lz4_packer().pack(text.data(), text.size(), packed.data()), text.size() / 10);
}

std::size_t packed_size(const std::string& text) {
  const bytes unpacked(text.begin(), text.end());
  bytes packed(lz4_packer::bound(text.size()));
  packed.resize(lz4_packer().pack(unpacked.data(), unpacked.size(), packed.data()));
  EXPECT_EQ(lz4_unpacked(packed), unpacked);
  return packed.size();
}

/// By hand: "abcd" repeats, but "bcdefghi" is longer, and begins as late as a match may.
/// 16 literals and the match: a token, a byte for a length of 15 or more, 16 and an offset. Then 5 literals.
TEST(lz4_packer, prefers_a_longer_match_that_begins_one_byte_later) {
  EXPECT_EQ(packed_size("abcd-+bcdefghij" "abcdefghi" "12345"), (1 + 1 + 16 + 2) + (1 + 5u));
}

/// By hand: 70 bytes are repeated, then all of the repetition but its first byte together with the 8 bytes behind it.
/// What begins in the repetition is the longer match: lengths of 70 and 77 take a byte beyond the token.
TEST(lz4_packer, keeps_the_first_places_in_a_long_match) {
  std::string first, behind;
  for (char c = 1; c <= 70; ++c) first += c;
  for (char c = 101; c <= 108; ++c) behind += c;
  EXPECT_EQ(packed_size(first + first + behind + first.substr(1) + behind + "vwxyz"),
            (1 + 1 + 70 + 2 + 1) + (1 + 8 + 2 + 1) + (1 + 5u));
}

/// By hand: the same with the last letter left out. Now the longer match would begin 11 bytes before the end, where the
/// format has literals only: 15 literals and "abcd", then 9 literals.
TEST(lz4_packer, begins_no_match_less_than_12_bytes_before_the_end) {
  EXPECT_EQ(packed_size("abcd-+bcdefghij" "abcdefgh" "12345"), (1 + 1 + 15 + 2) + (1 + 9u));
}

/// By hand: 64 bytes, then all of them but the first together with 8 more, then both. A match of 64 bytes is long
/// enough: the one that begins a byte later and has 71 is not looked for.
TEST(lz4_packer, takes_a_match_of_64_bytes_as_it_is) {
  std::string first, behind;
  for (char c = 1; c <= 64; ++c) first += c;
  for (char c = 101; c <= 108; ++c) behind += c;
  EXPECT_EQ(packed_size(first + 'd' + first.substr(1) + behind + first + behind + "vwxyz"),
            (1 + 1 + 65 + 2 + 1) + (1 + 8 + 2 + 1) + (1 + 2) + (1 + 5u));
}

/// By hand: 8 bytes that repeat behind zeros, 65535 bytes later. The zeros but one are a match with the byte before.
TEST(lz4_packer, finds_what_stands_65535_bytes_before) {
  const std::string mark = "ABCDEFGH", tail = "vwxyz";
  const auto text = [&](std::size_t distance) {
    return mark + std::string(distance - mark.size(), '\0') + mark + tail;
  };
  const auto zeros = [](std::size_t count) { return 1 + (8 + 1) + 2 + (1 + (count - 1 - 4 - 15) / 255); };
  EXPECT_EQ(packed_size(text(65535)), zeros(65527) + (1 + 2) + (1 + 5u));
  EXPECT_EQ(packed_size(text(65536)), zeros(65528) + (1 + 13u));
}

bytes packed_by(lz4_packer& packer, const std::string& text) {
  bytes packed(lz4_packer::bound(text.size()));
  packed.resize(packer.pack(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), packed.data()));
  return packed;
}

TEST(lz4_packer, writes_the_bytes_of_the_format) {
  lz4_packer packer;
  EXPECT_EQ(packed_by(packer, ""), bytes{0x00});
  EXPECT_EQ(packed_by(packer, "abc"), (bytes{0x30, 'a', 'b', 'c'}));
  const std::string run(20, 'a');  // of a match to the fifth byte from the end
  EXPECT_EQ(packed_by(packer, run), (bytes{0x1a, 'a', 1, 0, 0x50, 'a', 'a', 'a', 'a', 'a'}));
  EXPECT_EQ(packed_by(packer, run.substr(7)), (bytes{0xd0, 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a',
                                                     'a'}))
      << "too short for a match";
}

/// Texts like waves: records of a few kinds that differ from the last of their kind in a byte or two.
std::string like_waves(std::size_t size, unsigned kinds) {
  std::mt19937 random(kinds);
  std::vector<std::string> last(kinds);
  std::string text;
  while (text.size() < size) {
    std::string& record = last[random() % kinds];
    if (record.empty())
      for (unsigned left = 4 + random() % 20; left > 0; --left) record += static_cast<char>(random() % 256);
    for (unsigned changes = random() % 3; changes > 0; --changes)
      record[random() % record.size()] = static_cast<char>(random() % 16);
    text += record;
  }
  text.resize(size);
  return text;
}

/// How hard it looks for matches decides how large wave files are: a change of that changes these numbers.
TEST(lz4_packer, packs_as_well_as_it_did) {
  std::vector<std::size_t> sizes;
  for (const std::size_t size : {60, 64, 65, 300, 5000, 16384, 16385, 70000, 300000})
    sizes.push_back(packed_size(like_waves(size, size < 1000 ? 3 : 40)));
  EXPECT_THAT(sizes, testing::ElementsAre(53, 51, 51, 169, 2451, 7236, 7237, 29234, 122556));
}

TEST(lz4_records, writes_the_bytes_of_the_format) {
  const std::string letters = "abcdefghijklmnop", last = "0123456789A";
  const auto packed = [&](const std::vector<std::string>& records) {
    lz4_records packer(5);
    for (const std::string& record : records) packer.add(record, 0);
    packer.add(last, 1);
    const std::string_view all = packer.pack("!");
    return std::string(all);
  };
  const std::string end = '\xc0' + last + '!', begin = "\x01" + letters + std::string("\x10\0", 2);
  EXPECT_EQ(packed({}), end);
  EXPECT_EQ(packed({letters, letters}), "\xfc" + begin + end) << "16 literals, a match of 4 + 12, 16 before";
  EXPECT_EQ(packed({letters, letters, letters}), "\xff" + begin + "\x0d" + end) << "one of 4 + 15 + 13";
  const std::string other = "ABCDEFGHIJKL";
  EXPECT_EQ(packed({letters, "abcd" + other}),
            "\xf0" + begin + std::string("\xf0\x09", 2) + other + last + '!')
      << "a match of 4";
  EXPECT_EQ(packed({letters, "abc" + other}), "\xf0" + std::string(1, 16 + 15 + 12 - 15) + letters + "abc" + other +
                                                  last + '!')
      << "none of 3";
  // Bytes 5 before in the same record; then the same place in the record before.
  EXPECT_EQ(packed({"12345" "12345" "12345"}), "\x56" "12345" + std::string("\x05\0", 2) + end);
  EXPECT_EQ(packed({"1234", "56789", "a1234"}),
            "\xf0\x0b" "123456789a1234" + last + '!')
      << "what stands elsewhere is not looked for";
}

TEST(lz4_records, gives_what_a_naive_decoder_undoes) {
  std::mt19937 random(2);
  lz4_records packer(5);
  for (unsigned round = 0; round < 400; ++round) {
    std::string text;
    const unsigned kinds = 1 + random() % 300, letters = 1 + random() % 40;
    std::vector<std::string> last(kinds);
    const std::size_t most = round % 50 == 0 ? lz4_records::most_bytes - 20 : 1 + random() % 4000;
    for (unsigned i = 0; i == 0 || text.size() < most; ++i) {
      const unsigned kind = random() % kinds;
      std::string record = last[kind];
      if (record.empty() || random() % 9 == 0)
        record.resize(i == 0 ? 1
                             : std::min<std::size_t>(11 + random() % (round % 7 == 0 ? 900 : 60),
                                                     most + 11 - text.size()),
                      static_cast<char>(random() % letters));
      for (unsigned changes = random() % 4; changes > 0; --changes)
        record[random() % record.size()] = static_cast<char>(random() % letters);
      if (text.size() + record.size() > lz4_records::most_bytes - 1) break;
      packer.add(record, kind);
      if (i > 0) last[kind] = record;
      text += record;
      ASSERT_EQ(packer.size(), text.size());
    }
    const std::string_view packed = packer.pack("!");
    text += '!';
    ASSERT_EQ(lz4_unpacked(bytes(packed.begin(), packed.end())), bytes(text.begin(), text.end())) << round;
    ASSERT_EQ(packer.size(), 0u);
  }
}

TEST(lz4_records, packs_records_that_are_alike) {
  lz4_records packer(5);
  std::size_t size = 0;
  for (unsigned i = 0; i < 800; ++i, size += 50) {
    std::string record(50, static_cast<char>(i % 3));  // a kind each
    record[20] = static_cast<char>(i);
    packer.add(record, i % 3);
  }
  EXPECT_LT(packer.pack("!").size(), size / 6);  // a byte, and two matches of 3 or 4
}

/// Random changes of variables of all widths; some change in every stamp, some never.
template <class Add, class Stamp>
void random_waves(unsigned variables, unsigned stamps, Add&& add, Stamp&& stamp) {
  std::mt19937_64 random(variables);
  std::vector<std::uint64_t> values;
  const auto drawn = [&](unsigned v) {
    const unsigned width = 1 + v % 64;
    if (width < 64 && random() % 4 == 0) return no_wave_value;
    return random() % 3 ? random() >> (64 - width) : random() % 2;
  };
  for (unsigned v = 0; v < variables; ++v) {
    add("top.m" + std::to_string(v / 7), "v" + std::to_string(v), 1 + v % 64);
    values.push_back(drawn(v));
  }
  std::uint64_t time = 500;
  for (unsigned s = 0; s < stamps; ++s, time += 1 + random() % 100000) {
    std::vector<wave_change> changes;
    for (unsigned v = 0; v < variables; ++v) {
      const std::uint64_t value = s == 0 ? values[v] : random() % (1 + v) ? values[v] : drawn(v);
      if (s == 0 || value != values[v]) changes.push_back({values[v] = value, v});
    }
    stamp(time, changes);
  }
}

TEST(fst, holds_what_the_vcd_holds) {
  if (!fst2vcd_is_there()) GTEST_SKIP() << "fst2vcd is not installed";
  for (const unsigned variables : {1u, 300u, 9000u}) {  // 9000: several threads
    std::vector<std::string> paths;
    for (const char* suffix : {".vcd", ".fst"}) {
      paths.push_back(scratch(std::to_string(variables) + suffix));
      wave_file file(paths.back(), "100 ps", {"for people"});
      bool begun = false;
      random_waves(
          variables, 400,
          [&](const std::string& scope, const std::string& name, unsigned width) {
            file.add(scope, name, width);
          },
          [&](std::uint64_t time, const std::vector<wave_change>& changes) {
            if (begun)
              file.advance(time);
            else
              file.begin(time);
            begun = true;
            for (const wave_change& c : changes) file.set(c.variable, c.value);
          });
      file.close(100000000);
    }
    const vcd_contents vcd = vcd_reader::read(paths[0]), fst = read_fst(paths[1]);
    expect_equal(vcd, fst);
    EXPECT_EQ(fst.timescale, "100ps");
    EXPECT_GT(vcd.times.size(), 2u);
    if (variables == 300) {
      EXPECT_LT(std::filesystem::file_size(paths[1]), std::filesystem::file_size(paths[0]));
    }
  }
}

TEST(fst, does_not_depend_on_where_its_sections_end) {
  if (!fst2vcd_is_there()) GTEST_SKIP() << "fst2vcd is not installed";
  std::vector<std::string> paths;
  for (const std::size_t section_bytes : {fst_format::default_section_bytes, std::size_t{1}}) {
    paths.push_back(scratch("sections" + std::to_string(section_bytes) + ".fst"));
    output_file out(paths.back());
    fst_format fst(out, "1 ps", {}, section_bytes);
    std::uint64_t last = 0;
    bool begun = false;
    random_waves(
        300, 50, [&](const std::string&, const std::string& name, unsigned width) { fst.add(name, width); },
        [&](std::uint64_t time, const std::vector<wave_change>& changes) {
          if (!std::exchange(begun, true)) fst.end_header();
          if (changes.empty()) return;
          fst.write({{{time, changes.size()}}, changes});
          last = time;
        });
    fst.end(last);
    out.close();
  }
  EXPECT_GT(std::filesystem::file_size(paths[1]), std::filesystem::file_size(paths[0]))
      << "the second has many sections";
  expect_equal(read_fst(paths[0]), read_fst(paths[1]));
}

/// Four variables, all of which change at each of the times 100, 110, 120 ...; one has no value at every third.
struct four_variables {
  static constexpr unsigned widths[] = {1, 4, 63, 64};

  static std::uint64_t value(unsigned variable, unsigned stamp) {
    if (variable == 1 && stamp % 3 == 0) return no_wave_value;
    const std::uint64_t drawn = (stamp + 1 + variable) * 0x9e3779b97f4a7c15;
    return variable == 0 ? stamp & 1u : drawn >> (64 - widths[variable]);
  }
  /// Of a frame: before the first stamp no variable has a value, and one of 64 bits is 0.
  static std::string values(unsigned stamps) {
    std::string text;
    for (unsigned v = 0; v < 4; ++v) {
      const std::uint64_t now = stamps > 0 ? value(v, stamps - 1) : v == 3 ? 0 : no_wave_value;
      for (unsigned bit = widths[v]; bit-- > 0;)
        text += v < 3 && now == no_wave_value ? 'z' : now >> bit & 1 ? '1' : '0';
    }
    return text;
  }
  static fst_blocks written(std::size_t section_bytes, unsigned stamps, std::uint64_t end) {
    const std::string path = scratch("four.fst");
    output_file out(path);
    fst_format fst(out, "1 ps", {}, section_bytes);
    fst.open_scope("top");
    for (const unsigned width : widths) fst.add("v" + std::to_string(width), width);
    fst.close_scope();
    fst.end_header();
    for (unsigned stamp = 0; stamp < stamps; ++stamp) {
      wave_batch batch{{{100 + 10 * stamp, 4}}, {}};
      for (std::uint32_t v = 0; v < 4; ++v) batch.changes.push_back({value(v, stamp), v});
      fst.write(batch);
    }
    fst.end(end);
    out.close();
    return fst_blocks(path);
  }
};

TEST(fst, a_section_begins_with_the_values_before_it) {
  constexpr unsigned stamps = 40;
  const fst_blocks file = four_variables::written(1, stamps, 490);
  EXPECT_EQ(file.writer, "toriscope");
  EXPECT_EQ(file.begin, 100U);
  EXPECT_EQ(file.end, 490U);
  EXPECT_EQ(file.scopes, 1U);
  EXPECT_EQ(file.variables, 4U);
  EXPECT_EQ(file.counted_sections, file.sections.size());
  // A section ends when its changes have taken more space than it may: a mebibyte at least, and 160 bytes of each
  // variable are less. The next may have half as much again: 640 * 1.5^18 is still less, 640 * 1.5^19 is more.
  ASSERT_EQ(file.sections.size(), 20U);
  for (unsigned s = 0; s < 20; ++s) {
    const fst_blocks::section& section = file.sections[s];
    EXPECT_EQ(section.begin, 100 + 10 * (s > 0 ? s - 1 : 0)) << s;
    EXPECT_EQ(section.end, s < 19 ? 100 + 10 * s : 490) << s;
    EXPECT_EQ(section.frame, four_variables::values(s)) << s;
    // The stamp that it begins with, and those of its changes: one, and what is left in the last.
    const unsigned changes = s < 19 ? 1 : stamps - 19;
    EXPECT_EQ(section.stamps, s == 0 ? 1 : 1 + changes) << s;
    // By change: a byte that says when, but for one bit the value, and "no value" as characters.
    unsigned bytes = 0;
    for (unsigned stamp = s; stamp < s + changes; ++stamp)
      bytes += 1 + (1 + (stamp % 3 == 0 ? 4 : 1)) + (1 + 8) + (1 + 8);
    EXPECT_EQ(section.unpacked_bytes, bytes) << s;
  }
  const fst_blocks later = four_variables::written(1, 3, 121);
  EXPECT_EQ(later.end, 121U);
  EXPECT_EQ(later.sections.back().end, 121U);
  EXPECT_EQ(later.sections.back().stamps, 3U);
}

TEST(fst, a_section_may_be_as_large_as_it_was_asked_for) {
  constexpr std::size_t space = std::size_t{1} << 20;  // what the first changes take, whatever there is in it
  EXPECT_EQ(four_variables::written(space, 3, 200).sections.size(), 1U);
  EXPECT_EQ(four_variables::written(space - 1, 3, 200).sections.size(), 2U);
}

/// A bit that changes at each time: a byte for each change, 4 for the time and 2 for a 1.
TEST(fst, packs_33_bytes_of_changes_or_more) {
  const auto chain_of = [](unsigned changes) {
    const std::string path = scratch("bit.fst");
    output_file out(path);
    fst_format fst(out, "1 ps", {});
    fst.add("bit", 1);
    fst.end_header();
    for (unsigned i = 0; i < changes; ++i) fst.write({{{i, 1}}, {{i % 2, 0}}});
    fst.end(changes);
    out.close();
    return fst_blocks(path).sections.at(0).chains;
  };
  std::string unpacked(2, '\0');  // 0: not packed; then the first value
  for (unsigned i = 1; i < 32; ++i) unpacked += i % 2 ? '\6' : '\4';
  EXPECT_EQ(chain_of(32).substr(0, 1 + 32), unpacked);
  // The bytes that it has unpacked; literals 0 6 4; a match of 4 + 15 + 6 bytes, 2 before; the last five.
  EXPECT_EQ(chain_of(33).substr(0, 14), std::string("\x21\x3f\0\6\4\x02\0\x06\x50\4\6\4\6\4", 14));
}

TEST(fst, is_the_same_file_each_time_and_appears_whole) {
  std::vector<std::string> texts;
  for (const char* name : {"once.fst", "again.fst"}) {
    const std::string path = scratch(name);
    wave_file file(path, "1 ps", {});
    for (unsigned v = 0; v < 5000; ++v) file.add("m", "v" + std::to_string(v), 16);
    file.begin(0);
    for (unsigned t = 1; t < 50; ++t) {
      file.advance(t);
      for (unsigned v = 0; v < 5000; v += 1 + t) file.set(v, t * v & 0xffffu);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    file.close(50);
    texts.emplace_back(std::istreambuf_iterator<char>(std::ifstream(path).rdbuf()),
                       std::istreambuf_iterator<char>());
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(fst, complains_in_one_line) {
  const auto close_at = [](const std::string& path) {
    wave_file file(path, "1 ps", {});
    const auto v = file.add("top", "v", 64);
    file.begin(0);
    for (unsigned t = 1; t < 100; ++t) {
      file.advance(t);
      file.set(v, t);
    }
    file.close(100);
  };
  EXPECT_EQ(error_of<std::runtime_error>([&] { close_at("/no/such/place.fst"); }),
            "cannot write /no/such/place.fst: No such file or directory");
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  output_file out("/dev/full");
  fst_format fst(out, "1 ps", {});
  fst.add("v", 8);
  fst.end_header();
  fst.write({{{0, 1}}, {{5, 0}}});
  fst.end(1);
  EXPECT_EQ(error_of<std::runtime_error>([&] { out.close(); }),
            "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace toriscope::fst_format_test
