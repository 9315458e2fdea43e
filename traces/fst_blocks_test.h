// SPDX-License-Identifier: Apache-2.0
// For tests: the blocks of an FST file.
#pragma once

#include <gtest/gtest.h>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "traces/lz4_unpacked_test.h"

namespace toriscope {

/// What stands in a file by the description of the format. fst2vcd does not show where sections begin, nor what stands
/// there for readers that begin in the middle.
struct fst_blocks {
  struct section {
    std::uint64_t begin, end, unpacked_bytes, stamps;
    std::string frame, chains;  ///< of the chains the beginning, and what follows them
  };
  std::uint64_t begin, end, memory, scopes, variables, counted_sections;
  int timescale;  ///< a unit of time is 10^timescale seconds
  std::string writer, behind_writer, widths, hierarchy;
  std::vector<section> sections;

  explicit fst_blocks(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(in), {}};
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(file.at(at)); };
    const auto number = [&](std::size_t at) {
      std::uint64_t value = 0;
      for (std::size_t i = 0; i < 8; ++i) value = value << 8 | byte(at + i);
      return value;
    };
    const auto varint = [&](std::size_t& at) {
      std::uint64_t value = 0;
      unsigned shift = 0;
      for (; byte(at) > 127; shift += 7) value |= (byte(at++) & 127ull) << shift;
      return value | std::uint64_t{byte(at++)} << shift;
    };
    for (std::size_t block = 0; block < file.size();) {
      const char kind = file[block++];
      const std::size_t block_end = block + number(block);
      if (kind == 0) {
        begin = number(block + 8);
        EXPECT_EQ(number(block), 329U);
        end = number(block + 16);
        double e = 0;
        std::memcpy(&e, file.data() + block + 24, sizeof e);
        EXPECT_EQ(e, 2.7182818284590452354) << "tells the order of bytes";
        memory = number(block + 32);
        scopes = number(block + 40);
        EXPECT_EQ(number(block + 48), number(block + 56)) << "no variable is an alias";
        variables = number(block + 56);
        counted_sections = number(block + 64);
        timescale = static_cast<signed char>(byte(block + 72));
        writer = file.substr(block + 73, 128);
        behind_writer = file.substr(block + 73 + 128, block_end - (block + 73 + 128));
        writer.resize(writer.find('\0'));
      } else if (kind == 1) {
        section s{number(block + 8), number(block + 16), number(block + 24), number(block_end - 8), "", ""};
        std::size_t at = block + 32;
        const std::uint64_t frame_bytes = varint(at), packed_bytes = varint(at);
        EXPECT_EQ(varint(at), variables);
        s.frame = file.substr(at, packed_bytes);
        if (packed_bytes < frame_bytes) s.frame = inflated(s.frame);
        EXPECT_EQ(s.frame.size(), frame_bytes);
        at += packed_bytes;
        EXPECT_EQ(varint(at), variables);
        EXPECT_EQ(file.at(at++), '4') << "chains are packed by LZ4";
        s.chains = file.substr(at, block_end - at);
        sections.push_back(std::move(s));
      } else if (kind == 3) {
        widths = file.substr(block + 24, block_end - block - 24);
        if (widths.size() < number(block + 8)) widths = inflated(widths);
        EXPECT_EQ(widths.size(), number(block + 8));
        EXPECT_EQ(number(block + 16), variables);
      } else if (kind == 6) {
        const std::vector<std::uint8_t> packed(file.begin() + static_cast<std::ptrdiff_t>(block + 16),
                                               file.begin() + static_cast<std::ptrdiff_t>(block_end));
        const std::vector<std::uint8_t> text = lz4_unpacked(packed);
        EXPECT_EQ(text.size(), number(block + 8));
        hierarchy.assign(text.begin(), text.end());
      } else {
        ADD_FAILURE() << "a block of kind " << int{kind};
      }
      block = block_end;
    }
  }

 private:
  static std::string inflated(const std::string& packed) {
    namespace io = boost::iostreams;
    std::string text;
    io::filtering_streambuf<io::input> in;
    in.push(io::zlib_decompressor());
    in.push(io::array_source(packed.data(), packed.size()));
    io::copy(in, io::back_inserter(text));
    return text;
  }
};

}  // namespace toriscope
