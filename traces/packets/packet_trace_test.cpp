// SPDX-License-Identifier: Apache-2.0
// Packet traces in every format: what is written is read, and whatever is damaged is told or does not matter.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <tuple>

#include "traces/packets/binary_trace.h"
#include "traces/packets/compression.h"
#include "traces/packets/ordered_packets.h"
#include "traces/packets/packet_reader.h"
#include "traces/packets/packet_writer.h"

namespace toriscope {

bool operator==(const trace_packet& a, const trace_packet& b) {
  const auto all = [](const trace_packet& p) {
    return std::tie(p.number, p.cycle, p.source, p.destination, p.flits, p.message_class, p.after, p.delay,
                    p.earliest);
  };
  return all(a) == all(b);
}

}  // namespace toriscope

namespace toriscope::packet_trace_test {
namespace {

using packets = std::vector<trace_packet>;

class packet_trace : public testing::TestWithParam<const char*> {
 protected:
  packet_trace()
      : directory_(std::filesystem::temp_directory_path() / ("packet_trace." + std::to_string(getpid()))) {
    std::filesystem::create_directories(directory_);
  }
  ~packet_trace() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  std::string bytes_of(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string write(const std::string& name, const packets& list) const {
    trace_header header;
    header.nodes = 300;
    header.topology = "mesh:20x15";
    header.command = "toriscope record --topology mesh:20x15";
    header.config = "{\"traffic\":{}}";
    const auto file = create_packet_trace(path(name), header);
    for (const trace_packet& p : list) file->write(p);
    file->close(12345);
    return bytes_of(name);
  }

 private:
  const std::filesystem::path directory_;
};

packets some_packets(std::size_t count) {
  std::mt19937 random(1);
  packets list(count);
  cycle_t now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    trace_packet& p = list[i];
    p.number = i;
    p.cycle = now += random() % 3 == 0 ? random() % 1000 : 0;
    p.source = random() % 300;
    p.destination = random() % 300;
    p.flits = 1 + random() % 500;
    p.message_class = random() % 2 ? 0 : static_cast<std::uint8_t>(random() % 16);
    for (unsigned k = random() % 3; i > 0 && k > 0; --k) p.after.push_back(random() % i);
    if (!p.after.empty()) p.delay = random() % 40;
  }
  return list;
}

packets read_all(packet_reader& reader) {
  packets list;
  for (trace_packet p; reader.next(p);) list.push_back(p);
  return list;
}

std::unique_ptr<packet_reader> reader_of(std::string bytes) {
  return open_packet_trace(std::make_unique<byte_source>("t", std::move(bytes)));
}

/// What reading says: "" when it reads these packets, the error when it tells one, else "other packets".
std::string verdict(std::string bytes, const packets& right) {
  try {
    const auto reader = reader_of(std::move(bytes));
    const packets list = read_all(*reader);
    reader->rewind();
    return read_all(*reader) == right && list == right ? "" : "other packets";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST_P(packet_trace, reads_what_was_written) {
  const packets list = some_packets(2000);
  write(GetParam(), list);
  const auto reader = open_packet_trace(path(GetParam()));
  EXPECT_TRUE(reader->header().recorded);
  EXPECT_EQ(reader->header().nodes, 300u);
  EXPECT_EQ(reader->header().topology, "mesh:20x15");
  EXPECT_EQ(reader->header().command, "toriscope record --topology mesh:20x15");
  EXPECT_EQ(reader->header().config, "{\"traffic\":{}}");
  EXPECT_EQ(reader->end_cycle(), 0u) << "not told so far";
  EXPECT_EQ(read_all(*reader), list);
  EXPECT_EQ(reader->end_cycle(), 12345u);
  EXPECT_EQ(read_all(*reader), packets()) << "behind the end there are none";
  reader->rewind();
  EXPECT_EQ(read_all(*reader), list) << "a second time";
}

TEST_P(packet_trace, may_be_as_long_and_have_as_many_causes_as_the_limits_say) {
  packets list = some_packets(2);
  list[0].after.clear();
  list[0].delay = 0;
  list[1].after.assign(max_trace_causes, 0);
  list[1].cycle = max_trace_cycles;
  trace_header header;
  header.nodes = ~std::uint64_t{0};
  const auto file = create_packet_trace(path(GetParam()), header);
  for (const trace_packet& p : list) file->write(p);
  file->close(max_trace_cycles);
  const auto reader = open_packet_trace(path(GetParam()));
  EXPECT_EQ(read_all(*reader), list);
  EXPECT_EQ(reader->end_cycle(), max_trace_cycles);
  EXPECT_EQ(reader->header().nodes, header.nodes);
}

TEST_P(packet_trace, may_be_longer_than_what_is_read_at_once) {
  const packets list = some_packets(20000);
  write(GetParam(), list);
  const auto reader = open_packet_trace(path(GetParam()));
  EXPECT_EQ(read_all(*reader), list);
  reader->rewind();
  EXPECT_EQ(read_all(*reader), list) << "a second time";
}

TEST_P(packet_trace, cut_off_anywhere_is_told) {
  const packets list = some_packets(12);
  const std::string whole = write(GetParam(), list);
  ASSERT_EQ(verdict(whole, list), "");
  for (std::size_t length = 3; length < whole.size(); ++length) {
    const std::string said = verdict(whole.substr(0, length), list);
    // What a compressor puts behind its data may be missing: the trace's own end has been seen.
    if (said.empty() && length + 12 > whole.size()) continue;
    EXPECT_THAT(said, testing::StartsWith("t:")) << "after " << length << " of " << whole.size();
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}

TEST_P(packet_trace, a_flipped_bit_anywhere_is_told_or_does_not_matter) {
  const packets list = some_packets(12);
  const std::string whole = write(GetParam(), list);
  std::size_t told = 0;
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int bit : {0, 3, 7}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      const std::string said = verdict(bytes, list);
      EXPECT_NE(said, "other packets") << "byte " << i << ", bit " << bit;
      EXPECT_EQ(said.find('\n'), std::string::npos);
      told += said.empty() ? 0 : 1;
    }
  EXPECT_GT(told, whole.size() * 2);
}

INSTANTIATE_TEST_SUITE_P(formats, packet_trace,
                         testing::Values("t.txt", "t.gz", "t.zst", "t.bz2", "t.txt.gz", "t.txt.zst", "t.txt.bz2"),
                         [](const auto& format) {
                           std::string name(format.param);
                           for (char& c : name)
                             if (c == '.') c = '_';
                           return name;
                         });

TEST_F(packet_trace, has_the_form_that_its_name_asks_for) {
  const packets list = some_packets(3);
  const std::string text = write("t.txt", list), magic = "TORIPKT\1";
  EXPECT_EQ(text.rfind("# toriscope packets 1\n", 0), 0u);
  for (const char* name : {"t", "t.bin"}) EXPECT_EQ(write(name, list), text) << name;
  const auto written_as = [&](const char* name, compression how) {
    EXPECT_EQ(compression_of(write(name, list)), how) << name;
    byte_source bytes(path(name));
    return bytes.take(magic.size());
  };
  for (const char* name : {"t.txt.gz", "x.txt.gz"})
    EXPECT_EQ(written_as(name, compression::gzip), text.substr(0, 8)) << name;
  for (const char* name : {"t.gz", "txt.gz", "t.text.gz"})
    EXPECT_EQ(written_as(name, compression::gzip), magic) << name;
  EXPECT_EQ(written_as("t.zst", compression::zstd), magic);
  EXPECT_EQ(written_as("t.bz2", compression::bzip2), magic);
}

TEST_F(packet_trace, the_binary_form_is_small) {
  const packets list = some_packets(5000);
  const std::size_t text = write("t.txt", list).size();
  EXPECT_LT(write("t.gz", list).size(), text / 2);
  EXPECT_LT(write("t.zst", list).size(), text / 2);
}

/// Bytes as docs/packet_traces.md has them: a header without anything, and three packets.
const std::string binary_header("TORIPKT\1\0\0\0\0", 12);
// 8 * 5 + 1; 300 is 44 + 2 * 128. Then 8 * 0 + 2 + 1, class 15. Then 8 * 2 + 4 + 1: after the first and the second,
// delay 130.
const std::string first_packet("\x29\x03\xac\x02\x04", 5), second_packet("\x03\x00\x01\x01\x0f", 5),
    third_packet("\x15\x01\x00\x7f\x02\x02\x01\x82\x01", 9);

/// The end of a trace: 0, the cycles of the run, the count of packets, and the checksum of all before it.
std::string with_end(const std::string& bytes, char cycles, char count) {
  byte_source source("t", bytes);
  source.take(bytes.size());
  std::string end{'\0', cycles, count};
  for (unsigned byte = 0; byte < 4; ++byte) end += static_cast<char>(source.checksum() >> 8 * byte);
  return bytes + end;
}

packets hand_made_packets() {
  packets list(3);
  list[0] = {0, 5, 3, 300, 4, 0, {}, 0, 0};
  list[1] = {1, 5, 0, 1, 1, 15, {}, 0, 0};
  list[2] = {2, 7, 1, 0, 127, 0, {0, 1}, 130, 0};
  return list;
}

TEST_F(packet_trace, a_binary_one_has_the_bytes_that_the_documentation_says) {
  const std::string whole = with_end(binary_header + first_packet + second_packet + third_packet, 9, 3);
  binary_trace_writer file(path("t.bin"), compression::none, {});
  for (const trace_packet& p : hand_made_packets()) file.write(p);
  file.close(9);
  EXPECT_EQ(bytes_of("t.bin"), whole);
  EXPECT_EQ(verdict(whole, hand_made_packets()), "");
  const auto reader = reader_of(whole);
  trace_packet packet;
  packet.earliest = 4;  // of a packet of another trace
  std::vector<std::string> places;
  while (reader->next(packet)) {
    places.push_back(reader->where());
    EXPECT_EQ(packet.earliest, 0u);
  }
  EXPECT_THAT(places, testing::ElementsAre("t: byte 12", "t: byte 17", "t: byte 22"));
  EXPECT_FALSE(reader->next(packet)) << "again";
  EXPECT_EQ(reader->where(), "t: byte 31");
  EXPECT_EQ(reader->end_cycle(), 9u);
}

TEST_F(packet_trace, what_is_wrong_in_a_binary_one_is_told_with_its_byte) {
  const auto text = [](std::initializer_list<unsigned> bytes) { return std::string(bytes.begin(), bytes.end()); };
  const auto second = [&](const std::string& bytes) { return verdict(binary_header + first_packet + bytes, {}); };
  const std::string no_more = text({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}), at = "t: byte 17: ";
  EXPECT_EQ(second(text({2})), at + "this is not the start of a packet");
  EXPECT_EQ(second(text({1, 1, 0, 0})), at + "a packet of no flits");
  EXPECT_EQ(second(text({1, 1, 0, 0x80, 0x80, 4})), at + "length is 65536, and at most 65535 is possible");
  EXPECT_EQ(second(text({3, 1, 0, 1, 16})), at + "class is 16, and at most 15 is possible");
  for (const char* of : {"source", "destination"})
    EXPECT_EQ(second(text({1}) + (*of == 's' ? "" : "\1") + no_more + '\1'),
              at + of + " is 9223372036854775808, and at most 4294967295 is possible");
  EXPECT_EQ(second(text({1}) + no_more + '\2'), at + "source has more than 64 bits");
  EXPECT_EQ(second(text({1}) + no_more + "\x80\1"), at + "source has more than 64 bits");
  EXPECT_EQ(second(no_more + '\1'), at + "this is not the start of a packet");
  // 2^48 - 5 cycles later is 2^48; times 8, and 1: seven bits each, low ones first.
  const auto later = [](std::uint64_t first) {
    std::string bytes;
    for (; first >= 128; first /= 128) bytes += static_cast<char>(first % 128 + 128);
    return bytes + static_cast<char>(first);
  };
  EXPECT_EQ(second(later(((std::uint64_t{1} << 48) - 4) * 8 + 1)), at + "the cycle is beyond 2^48");
  EXPECT_EQ(second(later(((std::uint64_t{1} << 48) - 5) * 8 + 1)),
            at + "the file ends within source, after 1 packets: is it cut off?");
  EXPECT_EQ(second(text({5, 1, 0, 1, 1, 0, 0})), at + "a packet after itself");
  EXPECT_EQ(second(text({5, 1, 0, 1, 1, 2, 0})),
            at + "packet it is after is 2, and at most 1 is possible");
  EXPECT_EQ(second(text({5, 1, 0, 1, 0x81, 0x20})),
            at + "count of packets it is after is 4097, and at most 4096 is possible");
  const std::string whole = binary_header + first_packet;
  EXPECT_EQ(verdict(with_end(whole, 9, 2), {}), at + "the trace ends after 1 packets, 2 were written");
  EXPECT_EQ(verdict(with_end(whole, 9, 1) + ' ', {}), at + "there is something behind the end of the trace");
  std::string damaged = with_end(whole, 9, 1);
  damaged.replace(damaged.size() - 4, 4, "\x04\x03\x02\x01");
  byte_source sum("t", whole);
  sum.take(whole.size());
  EXPECT_EQ(verdict(damaged, {}), at + "the checksum is " + fmt::format("{:08x}", sum.checksum()) +
                                      ", 01020304 was written: the file is damaged");
  EXPECT_EQ(verdict(binary_header.substr(0, 8) + "\5mesh", {}),
            "t: byte 0: the file ends within topology: is it cut off?");
  EXPECT_EQ(verdict(binary_header.substr(0, 8) + text({0x81, 0x80, 0x40}), {}),
            "t: byte 0: topology is 1048577, and at most 1048576 is possible");
}

TEST_F(packet_trace, an_edited_text_says_how_to_go_on) {
  std::string text = write("t.txt", some_packets(3));
  text.insert(text.find("# end"), "2000 1 2 3\n");
  EXPECT_THAT(verdict(text, {}), testing::HasSubstr("ends after 4 packets, 3 were written"));
  text.erase(text.find("# end"));
  text.erase(0, text.find('\n') + 1);
  EXPECT_EQ(verdict(text, {}), "other packets") << "without the first and the last line it is a plain text";
}

TEST_F(packet_trace, may_have_fewer_bytes_than_tell_how_it_is_compressed) {
  for (const char* text : {"\n", "#\n", "# \n"}) {
    std::ofstream(path("t")) << text;
    const auto reader = open_packet_trace(path("t"));
    EXPECT_EQ(read_all(*reader), packets()) << text;
    reader->rewind();
    EXPECT_EQ(read_all(*reader), packets()) << text;
  }
}

TEST_F(packet_trace, has_one_end) {
  std::string text = write("t.txt", some_packets(3));
  text += text.substr(text.find("# end"));
  EXPECT_THAT(verdict(text, {}), testing::HasSubstr("a second end of the trace"));
}

TEST_F(packet_trace, is_compressed_as_the_ending_behind_its_name_says) {
  EXPECT_EQ(compression_named("t.gz"), compression::gzip);
  EXPECT_EQ(compression_named("t.zst"), compression::zstd);
  EXPECT_EQ(compression_named("t.bz2"), compression::bzip2);
  EXPECT_EQ(compression_named(".gz"), compression::none) << "a name, and nothing behind it";
  EXPECT_EQ(compression_named("gz"), compression::none);
}

TEST_F(packet_trace, extra_fields_are_checked) {
  EXPECT_THAT(verdict("0 0 1 4 class=16\n", {}), testing::HasSubstr("t:1: class '16' must be"));
  EXPECT_THAT(verdict("0 0 1 4 after=0\n", {}),
              testing::HasSubstr("t:1: the first packet can be after no other"));
  EXPECT_THAT(verdict("0 0 1 4\n0 0 1 4 after=1\n", {}), testing::HasSubstr("t:2: after '1' must be"));
  EXPECT_THAT(verdict("0 0 1 4 x=1\n", {}),
              testing::HasSubstr("t:1: 'x=1': behind the length may stand class=N"));
}

TEST_F(packet_trace, comments_behind_the_first_packet_are_not_the_header) {
  std::string text = write("t.txt", some_packets(3));
  text.insert(text.find("# end"), "# topology torus:4\n");
  const auto reader = reader_of(text);
  EXPECT_THROW(read_all(*reader), std::invalid_argument) << "it was edited";
  EXPECT_EQ(reader->header().topology, "mesh:20x15");
}

TEST_F(packet_trace, a_comment_that_begins_like_an_end_is_one_only_where_a_run_was_recorded) {
  std::string text = write("t.txt", some_packets(3));
  text.insert(text.find("# end"), "# end of my notes\n");
  EXPECT_THAT(verdict(text, some_packets(3)), testing::HasSubstr("the end of the trace must be '# end packets=N"));
  text = "# end of my notes\n0 1 2 4\n";
  EXPECT_EQ(read_all(*reader_of(text)).size(), 1u);
  text = "0 1 2 4\n# end of my notes\n1 1 2 4\n";
  EXPECT_EQ(read_all(*reader_of(text)).size(), 2u);
}

TEST_F(packet_trace, an_error_names_the_line_also_behind_a_header_and_after_a_rewind) {
  std::string text = write("t.txt", some_packets(3));
  const std::size_t place = text.find("# end");
  text.insert(place, "2000 1 2 0\n");
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  const std::string error = "t:" + std::to_string(line) + ": length '0' must be";
  EXPECT_THAT(verdict(text, {}), testing::StartsWith(error));
  const auto reader = reader_of(text);
  trace_packet packet;
  reader->next(packet);
  reader->rewind();
  try {
    read_all(*reader);
    FAIL();
  } catch (const std::invalid_argument& told) {
    EXPECT_THAT(told.what(), testing::StartsWith(error));
  }
}

TEST_F(packet_trace, of_a_run_is_in_the_order_of_cycles) {
  trace_packet seventh;
  seventh.cycle = 7;
  for (const std::string cycle : {"6", "7"}) {
    std::string text = write("t.txt", {seventh});
    text.insert(text.find("# end"), cycle + " 1 2 4\n");
    EXPECT_THAT(verdict(text, {}), testing::HasSubstr(cycle == "6" ? ": cycle 6 comes after cycle 7"
                                                                   : "ends after 2 packets, 1 were written"));
  }
}

TEST_F(packet_trace, a_line_has_a_mebibyte_at_most) {
  const auto line_of = [](std::size_t bytes) {
    return "0 0 1 1 #" + std::string(bytes - 9, 'x') + "\n0 1 2 1\n";
  };
  EXPECT_EQ(read_all(*reader_of(line_of(1 << 20))).size(), 2U);
  EXPECT_THAT(verdict(line_of((1 << 20) + 1), {}), testing::HasSubstr(": a line of more than 1048576 bytes"));
}

TEST_F(packet_trace, a_line_has_4096_causes_at_most) {
  const auto with_causes = [](std::size_t count) {
    std::string text = "0 0 1 4\n9 1 0 4 after=0";
    while (--count > 0) text += ",0";
    return text + "\n";
  };
  EXPECT_EQ(read_all(*reader_of(with_causes(4096))).back().after.size(), 4096u);
  EXPECT_THAT(verdict(with_causes(4097), {}), testing::HasSubstr("t:2: after: more than 4096 packets"));
}

TEST_F(packet_trace, put_in_order_again_after_a_rewind) {
  const auto reader = reader_of("7 0 1 1\n5 0 1 1\n6 0 1 1\n5 0 1 2\n");
  ordered_packets in_order(*reader);
  const auto numbers = [&](std::size_t most) {
    std::vector<std::uint64_t> list;
    for (trace_packet p; list.size() < most && in_order.next(p);) list.push_back(p.number);
    return list;
  };
  EXPECT_THAT(numbers(2), testing::ElementsAre(1, 3)) << "packets of a cycle in the order of the file";
  in_order.rewind();
  EXPECT_THAT(numbers(9), testing::ElementsAre(1, 3, 2, 0)) << "after a part of them";
  in_order.rewind();
  EXPECT_THAT(numbers(9), testing::ElementsAre(1, 3, 2, 0)) << "after all";
}

TEST_F(packet_trace, lines_out_of_order_are_put_in_order_within_a_bound) {
  const auto ordered = [](const std::string& text) {
    const auto reader = reader_of(text);
    ordered_packets in_order(*reader);
    std::vector<cycle_t> cycles;
    for (trace_packet p; in_order.next(p);) cycles.push_back(p.cycle);
    return cycles;
  };
  EXPECT_THAT(ordered("7 0 1 1\n5 0 1 1\n6 0 1 1\n"), testing::ElementsAre(5, 6, 7));
  std::string text;
  for (std::size_t i = 0; i < ordered_packets::max_held; ++i) text += std::to_string(i + 1) + " 0 1 1\n";
  text.erase(0, text.find('\n') + 1);
  EXPECT_EQ(ordered(text + "0 0 1 1\n").front(), 0u) << "as late as it may be";
  text += "70000 0 1 1\n";
  try {
    ordered(text + "0 0 1 1\n");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("t:65537: cycle 0 comes too late"));
  }
}

}  // namespace
}  // namespace toriscope::packet_trace_test
