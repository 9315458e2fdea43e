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
#include "traces/lz4_block.h"
#include "traces/lz4_records.h"
#include "traces/read_fst_test.h"
#include "traces/wave_file.h"

namespace toriscope {
namespace {

using bytes = std::vector<std::uint8_t>;

std::string scratch(const std::string& name) {
  static const scratch_directory directory;
  return directory.file(name);
}

/// By the description of the format: sequences of literals and matches, literals at the end.
bytes lz4_unpacked(const bytes& packed) {
  bytes out;
  std::size_t at = 0;
  const auto length = [&](std::size_t begun) {
    if (begun == 15)
      while (packed.at(at) == 255) begun += packed[at++];
    return begun < 15 ? begun : begun + packed.at(at++);
  };
  for (;;) {
    const std::uint8_t token = packed.at(at++);
    for (std::size_t left = length(token >> 4); left > 0; --left) out.push_back(packed.at(at++));
    if (at == packed.size()) return out;
    const std::size_t offset = packed.at(at) + 256u * packed.at(at + 1);
    at += 2;
    if (offset == 0 || offset > out.size()) throw std::runtime_error("offset");
    for (std::size_t left = length(token & 15u) + 4; left > 0; --left)
      out.push_back(out[out.size() - offset]);
  }
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
}  // namespace toriscope
