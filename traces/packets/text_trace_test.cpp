// SPDX-License-Identifier: Apache-2.0
// Packet traces as text: what each line may say, and what is said of a wrong one. The bytes that all formats are read
// from.
#include "traces/packets/text_trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/crc.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "base/words.h"

namespace toriscope::text_trace_test {
namespace {

std::vector<trace_packet> packets_of(const std::string& text, trace_reading how = {}) {
  const auto reader = open_packet_trace(std::make_unique<byte_source>("t", text), std::move(how));
  std::vector<trace_packet> list;
  for (trace_packet p; reader->next(p);) list.push_back(p);
  return list;
}

std::string wrong(const std::string& text, trace_reading how = {}) {
  return error_of<std::invalid_argument>([&] { packets_of(text, std::move(how)); });
}

std::uint32_t crc32(const std::string& text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return crc.checksum();
}

TEST(text_trace, a_line_is_a_packet) {
  const auto list = packets_of(
      "# for people\n\n \t\r\n5 1 2 3\n\t281474976710656\v4294967295 \f0\t65535 class=15 # more\r\n"
      "7 1 1 1 after=1,0 delay=281474976710656\n7 0 0 1 delay=2 class=3 after=2\n");
  ASSERT_EQ(list.size(), 4u);
  const auto expect = [&](unsigned i, cycle_t cycle, node_id source, node_id destination, unsigned flits,
                          unsigned message_class, const std::vector<std::uint64_t>& after, cycle_t delay) {
    EXPECT_EQ(list[i].number, i);
    EXPECT_EQ(list[i].cycle, cycle) << i;
    EXPECT_EQ(list[i].source, source) << i;
    EXPECT_EQ(list[i].destination, destination) << i;
    EXPECT_EQ(list[i].flits, flits) << i;
    EXPECT_EQ(list[i].message_class, message_class) << i;
    EXPECT_EQ(list[i].after, after) << i;
    EXPECT_EQ(list[i].delay, delay) << i;
    EXPECT_EQ(list[i].earliest, 0u) << i;
  };
  expect(0, 5, 1, 2, 3, 0, {}, 0);
  expect(1, max_trace_cycles, 0xffffffff, 0, 65535, 15, {}, 0);
  expect(2, 7, 1, 1, 1, 0, {1, 0}, max_trace_cycles);
  expect(3, 7, 0, 0, 1, 3, {2}, 2);
}

TEST(text_trace, nothing_of_a_packet_is_left_in_the_next) {
  const auto reader = open_packet_trace(std::make_unique<byte_source>("t", "0 0 1 4\n"));
  trace_packet p;
  p.number = p.delay = p.earliest = 7;
  p.message_class = 3;
  p.after = {1};
  ASSERT_TRUE(reader->next(p));
  EXPECT_EQ(p.number + p.delay + p.earliest + p.message_class + p.after.size(), 0u);
  EXPECT_FALSE(reader->header().recorded);
  EXPECT_EQ(reader->header().nodes, 0u) << "not told";
  EXPECT_EQ(reader->where(), "t:1");
  EXPECT_FALSE(reader->next(p));
  EXPECT_EQ(reader->end_cycle(), 0u) << "not told";
}

TEST(text_trace, what_is_wrong_is_told_with_its_line) {
  const std::string fields = "expected 4 fields, cycle source destination length, and found ",
                    no_newline = "the line does not end with a newline: is the file cut off?",
                    whole = "' must be a whole number from ", extra = ": behind the length may stand class=N, "
                                                                      "after=N,... and delay=CYCLES",
                    up_to_cycle = "0 to 281474976710656";
  const std::pair<std::string, std::string> all[] = {
      {"0 0 1\n", "t:1: " + fields + "3"},
      {"0 0 1 4 5\n", "t:1: " + fields + "5"},
      {"0 0 1 4 class\n", "t:1: " + fields + "5"},
      {"0 0 1 4\n0 0 1", "t:2: " + fields + "3; " + no_newline},
      {"0 0 1 4\n\n0 0 1 4", "t:3: the last line does not end with a newline: is the file cut off?"},
      {"x 0 1 4\n", "t:1: cycle 'x" + whole + up_to_cycle},
      {"-1 0 1 4\n", "t:1: cycle '-1" + whole + up_to_cycle},
      {"281474976710657 0 1 4\n", "t:1: cycle '281474976710657" + whole + up_to_cycle},
      {"0 4294967296 1 4\n", "t:1: node '4294967296" + whole + "0 to 4294967295"},
      {"0 0 b 4\n", "t:1: node 'b" + whole + "0 to 4294967295"},
      {"0 0 1 0\n", "t:1: length '0" + whole + "1 to 65535"},
      {"0 0 1 65536\n", "t:1: length '65536" + whole + "1 to 65535"},
      {"0 0 1 4 class=16\n", "t:1: class '16" + whole + "0 to 15"},
      {"0 0 1 4 class=\n", "t:1: class '" + whole + "0 to 15"},
      {"0 0 1 4 delay=281474976710657\n", "t:1: delay '281474976710657" + whole + up_to_cycle},
      {"0 0 1 4 after=0\n", "t:1: the first packet can be after no other"},
      {"0 0 1 4\n0 0 1 4 after=1\n", "t:2: after '1" + whole + "0 to 0"},
      {"0 0 1 4\n0 0 1 4\n0 0 1 4 after=0,2\n", "t:3: after '2" + whole + "0 to 1"},
      {"0 0 1 4\n0 0 1 4 after=0,\n", "t:2: after '" + whole + "0 to 0"},
      {"0 0 1 4 x=1\n", "t:1: 'x=1'" + extra},
      {"0 0 1 4 class=1 x\n", "t:1: 'x'" + extra},
      {"0 0 1 4 " + std::string(200, 'y') + "=\n", "t:1: '" + one_line(std::string(200, 'y') + '=', 100) + "'" + extra},
      {"0 0 1 4\n" + std::string("\0\n", 2), "t:2: the line contains a NUL byte: this is not a packet trace"},
      {"# toriscope p", "t:1: the file ends within its first line: is it cut off?"},
      {"# t", "t:1: the file ends within its first line: is it cut off?"},
      {"# ", "none"},
      {"# toriscope trace\n0 0 1 4\n", "none"}};
  for (const auto& [text, error] : all) EXPECT_EQ(wrong(text), error) << text;
  EXPECT_EQ(wrong(""), "traffic file t is empty: 0 bytes; a packet trace has a line, or a record, for each packet");
}

TEST(text_trace, what_is_wrong_in_a_recorded_one_is_told_with_its_line) {
  const std::string title = "# toriscope packets 1\n", packet = title + "3 0 1 4\n",
                    form = "the end of the trace must be '# end packets=N cycles=N crc32=HEX'",
                    no_newline = "; the line does not end with a newline: is the file cut off?",
                    sum = fmt::format("{:08x}", crc32(packet)), end = "# end packets=1 cycles=9 crc32=" + sum;
  ASSERT_EQ(packets_of(packet + end + '\n').size(), 1u);
  const std::pair<std::string, std::string> all[] = {
      {title + "# nodes x\n", "t:2: nodes must be a whole number"},
      {title + "# topology mesh:2\n# nodes\n", "t:3: nodes must be a whole number"},
      {packet, "t:2: the trace has no end after 1 packets: is the file cut off?"},
      {title + "#\n", "t:2: the trace has no end after 0 packets: is the file cut off?"},
      {packet + "2 0 1 4\n", "t:3: cycle 2 comes after cycle 3"},
      {packet + end, "t:3: the last line does not end with a newline: is the file cut off?"},
      {packet + "# end packets=1 cycles=9\n", "t:3: " + form},
      {packet + "# end packets=1 cycles=9", "t:3: " + form + no_newline},
      {packet + end + " x\n", "t:3: " + form},
      {packet + "# end packet=1 cycles=9 crc32=" + sum + '\n', "t:3: " + form},
      {packet + "# end packets=x cycles=9 crc32=" + sum + '\n', "t:3: " + form},
      {packet + "# end packets=1 cycle=9 crc32=" + sum + '\n', "t:3: " + form},
      {packet + "# end packets=1 cycles=x crc32=" + sum + '\n', "t:3: " + form},
      {packet + "# end packets=1 cycles=9 crc31=" + sum + '\n', "t:3: " + form},
      {packet + "# end packets=1 cycles=281474976710657 crc32=" + sum + '\n', "t:3: " + form},
      {packet + "# end packets=1 cycles=281474976710656 crc32=" + sum + '\n', "none"},
      {packet + "# end packets=2 cycles=9 crc32=" + sum + '\n',
       "t:3: the trace ends after 1 packets, 2 were written"},
      {packet + "# end packets=1 cycles=9 crc32=01020304\n",
       "t:3: the checksum is " + sum + ", 01020304 was written: the file is damaged, or was edited (then remove its "
                                       "first and its last line)"},
      {packet + end + "\n\n# and a comment\n" + end + '\n', "t:6: a second end of the trace"},
      {packet + end + "\n\n# and a comment\n4 0 1 4\n", "t:6: a packet after the end of the trace"}};
  for (const auto& [text, error] : all) EXPECT_EQ(wrong(text), error) << text;
}

TEST(text_trace, what_a_header_says_of_the_run) {
  const auto reader = open_packet_trace(std::make_unique<byte_source>(
      "t", "# toriscope packets 1\n# topology mesh:2 x\n#\n# x\n# nodes 12\n#config z\n# command a  b\n# config {}\n"));
  EXPECT_EQ(reader->header().topology, "mesh:2 x");
  EXPECT_EQ(reader->header().nodes, 12u);
  EXPECT_EQ(reader->header().command, "a  b");
  EXPECT_EQ(reader->header().config, "{}");
  EXPECT_EQ(reader->where(), "t:1") << "before the first packet";
}

TEST(text_trace, nodes_may_have_names) {
  const trace_reading named{[](std::string_view name) {
    if (name.size() != 1 || name[0] < 'a') throw std::invalid_argument("there is no node " + std::string(name));
    return static_cast<node_id>(name[0] - 'a');
  }};
  const auto list = packets_of("0 c a 4\n", named);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].source, 2u);
  EXPECT_EQ(list[0].destination, 0u);
  EXPECT_EQ(wrong("0 c a 4\n1 c 0 4\n", named), "t:2: there is no node 0");
}

TEST(text_trace, a_name_that_is_all_ending_is_none_of_a_text) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(test_file("x")).parent_path());
  create_packet_trace(".txt.gz", {})->close(0);
  create_packet_trace("a.txt.gz", {})->close(0);
  EXPECT_EQ(byte_source(".txt.gz").take(7), "TORIPKT");
  EXPECT_EQ(byte_source("a.txt.gz").take(11), "# toriscope");
  std::filesystem::current_path(before);
}

std::string drawn_bytes(std::size_t count) {
  std::mt19937 random(3);
  std::string text(count, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

TEST(byte_source, gives_bytes_and_lines) {
  byte_source source("t", "ab\n\ncd");
  EXPECT_EQ(source.name(), "t");
  EXPECT_EQ(source.peek(), 'a');
  EXPECT_EQ(source.offset(), 0u);
  EXPECT_EQ(source.get(), 'a');
  EXPECT_EQ(source.offset(), 1u);
  EXPECT_EQ(source.checksum(), crc32("a"));
  std::string line = "before";
  bool complete = false;
  EXPECT_TRUE(source.line(line, complete));
  EXPECT_EQ(line, "b");
  EXPECT_TRUE(complete);
  EXPECT_EQ(source.offset(), 3u);
  EXPECT_TRUE(source.line(line, complete));
  EXPECT_EQ(line, "");
  EXPECT_TRUE(complete);
  EXPECT_TRUE(source.line(line, complete));
  EXPECT_EQ(line, "cd");
  EXPECT_FALSE(complete);
  EXPECT_FALSE(source.line(line, complete));
  EXPECT_EQ(source.get(), -1);
  EXPECT_EQ(source.peek(), -1);
  EXPECT_EQ(source.offset(), 6u);
  EXPECT_EQ(source.checksum(), crc32("ab\n\ncd"));
  EXPECT_EQ(source.where(5), "t: byte 5");
  source.rewind();
  EXPECT_EQ(source.checksum(), crc32(""));
  EXPECT_EQ(source.take(2), "ab");
  EXPECT_EQ(source.take(100), "\n\ncd");
}

/// It reads 65536 bytes at a time.
TEST(byte_source, counts_bytes_and_sums_over_all_that_it_has_read) {
  const std::string text = drawn_bytes(200000);
  byte_source source("t", text);
  for (const std::size_t part : {65535, 1, 1, 70000}) {
    const std::size_t before = source.offset();
    EXPECT_EQ(source.take(part), text.substr(before, part));
    EXPECT_EQ(source.offset(), before + part);
    EXPECT_EQ(source.checksum(), crc32(text.substr(0, before + part)));
  }
  EXPECT_EQ(source.get(), static_cast<unsigned char>(text[135537]));
  EXPECT_EQ(source.take(200000), text.substr(135538));
  EXPECT_EQ(source.offset(), 200000u);
  EXPECT_EQ(source.checksum(), crc32(text));
  source.rewind();
  EXPECT_EQ(source.offset(), 0u);
  EXPECT_EQ(source.take(200000), text);
}

TEST(byte_source, a_line_has_a_mebibyte_at_most) {
  const std::string most(1 << 20, 'x');
  byte_source source("t", "\n" + most + "\n" + most + "x\n");
  std::string line;
  bool complete = false;
  EXPECT_TRUE(source.line(line, complete));
  EXPECT_TRUE(source.line(line, complete));
  EXPECT_EQ(line, most);
  EXPECT_EQ(error_of<std::invalid_argument>([&] { source.line(line, complete); }),
            "t: byte 2097155: a line of more than 1048576 bytes: this is not a packet trace");
}

TEST(byte_source, tells_where_compressed_data_are_damaged) {
  const std::string path = test_file("damaged.gz"), text = drawn_bytes(100000);
  byte_sink sink(path, compression::gzip);
  sink.write(text);
  EXPECT_EQ(sink.checksum(), crc32(text));
  sink.close();
  std::ifstream in(path, std::ios::binary);
  std::string packed{std::istreambuf_iterator<char>(in), {}};
  byte_source whole("t", packed);
  EXPECT_EQ(whole.take(100001), text);
  EXPECT_EQ(whole.where(7), "t: byte 7 of what is compressed");
  packed[packed.size() - 6] ^= 1;  // the checksum of gzip itself
  byte_source source("t", packed);
  EXPECT_EQ(source.take(65536), text.substr(0, 65536));
  EXPECT_EQ(error_of<std::invalid_argument>([&] { source.get(); }),
            "t: byte 65536 of what is compressed: damaged gzip data, within the next 65536 bytes");
  byte_sink short_one(path, compression::zstd);
  short_one.write("0 0 1 4\n");
  short_one.close();
  std::ifstream again(path, std::ios::binary);
  const std::string frame{std::istreambuf_iterator<char>(again), {}};
  byte_source cut("t", frame.substr(0, 5));
  EXPECT_EQ(error_of<std::invalid_argument>([&] { cut.get(); }),
            "t: byte 0 of what is compressed: there is nothing in the zstd data: is the file cut off?");
}

TEST(byte_source, knows_how_bytes_are_compressed_by_the_first_of_them) {
  const auto kind = [](std::string_view bytes) { return compression_of(bytes); };
  EXPECT_EQ(kind("\x1f\x8b"), compression::gzip);
  EXPECT_EQ(kind("\x1f"), compression::none);
  EXPECT_EQ(kind("\x28\xb5\x2f\xfd"), compression::zstd);
  EXPECT_EQ(kind("\x28\xb5\x2f"), compression::none);
  EXPECT_EQ(kind("BZh9"), compression::bzip2);
  EXPECT_EQ(kind("BZ"), compression::none);
  EXPECT_EQ(kind(""), compression::none);
  EXPECT_STREQ(to_string(compression::none), "none");
  EXPECT_STREQ(to_string(compression::bzip2), "bzip2");
}

}  // namespace
}  // namespace toriscope::text_trace_test
