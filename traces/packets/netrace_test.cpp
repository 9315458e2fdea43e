// SPDX-License-Identifier: Apache-2.0
// Netrace files, written here by hand from the description of the format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <stdexcept>

#include "traces/packets/packet_reader.h"

namespace toriscope::netrace_test {
namespace {

std::string bytes(std::uint64_t value, unsigned count) {
  std::string text;
  for (; count > 0; --count, value >>= 8) text += static_cast<char>(value & 255);
  return text;
}

std::string header(std::uint64_t packets) {
  std::string name = "by hand";
  name.resize(30);
  return "UTJH" + bytes(0x3f800000, 4) + name + bytes(64, 1) + bytes(0xa5, 1) + bytes(5000, 8) +
         bytes(packets, 8) + bytes(6, 4) + bytes(1, 4) + bytes(0, 8) + std::string("notes\0", 6) +
         bytes(0, 8) + bytes(5000, 8) + bytes(packets, 8);
}

std::string message(std::uint64_t cycle, unsigned id, unsigned type, unsigned source, unsigned destination,
                    const std::vector<unsigned>& dependents) {
  std::string text = bytes(cycle, 8) + bytes(id, 4) + bytes(0xdeadbeef, 4) + bytes(type, 1) +
                     bytes(source, 1) + bytes(destination, 1) + bytes(0x02, 1) + bytes(dependents.size(), 1);
  for (const unsigned d : dependents) text += bytes(d, 4);
  return text;
}

std::string compressed(const std::string& text) {
  std::string out;
  boost::iostreams::filtering_ostream to;
  to.push(boost::iostreams::bzip2_compressor());
  to.push(boost::iostreams::back_inserter(out));
  to << text;
  to.reset();
  return out;
}

/// A read request (10), its response (13), another request (20), and a message (25) that waits for both.
std::string small() {
  return header(4) + message(5, 10, 1, 3, 40, {13, 25}) + message(9, 13, 2, 40, 3, {}) +
         message(9, 20, 15, 63, 0, {25}) + message(30, 25, 27, 7, 7, {});
}

std::vector<trace_packet> read(const std::string& text, unsigned flit_bits = 64) {
  const auto reader =
      open_packet_trace(std::make_unique<byte_source>("n", text), trace_reading{nullptr, flit_bits});
  EXPECT_TRUE(reader->header().netrace);
  EXPECT_EQ(reader->header().nodes, 64u);
  std::vector<trace_packet> list;
  for (trace_packet p; reader->next(p);) list.push_back(p);
  EXPECT_EQ(reader->end_cycle(), 0u) << "not told";
  return list;
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(netrace, messages_become_packets_that_wait_for_those_which_name_them) {
  for (const std::string& text : {small(), compressed(small())}) {
    const std::vector<trace_packet> list = read(text);
    ASSERT_EQ(list.size(), 4u);
    EXPECT_EQ(list[0].cycle, 5u);
    EXPECT_EQ(list[0].earliest, 5u);
    EXPECT_EQ(list[0].source, 3u);
    EXPECT_EQ(list[0].destination, 40u);
    EXPECT_EQ(list[0].flits, 1u) << "8 bytes";
    EXPECT_EQ(list[0].message_class, 0);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(list[i].number, i);
    EXPECT_TRUE(list[0].after.empty());
    EXPECT_EQ(list[1].flits, 9u) << "72 bytes";
    EXPECT_EQ(list[1].message_class, 1);
    EXPECT_THAT(list[1].after, testing::ElementsAre(0));
    EXPECT_TRUE(list[2].after.empty());
    EXPECT_THAT(list[3].after, testing::ElementsAre(0, 2));
  }
  EXPECT_EQ(read(small(), 128)[1].flits, 5u);
  // 576 and 64 bits.
  for (const auto& [flit_bits, flits] : {std::pair{100u, 6u}, {575u, 2u}, {576u, 1u}})
    EXPECT_EQ(read(small(), flit_bits)[1].flits, flits) << flit_bits;
  EXPECT_EQ(read(small(), 63)[0].flits, 2u);
}

/// As header(), with as many bytes of notes and regions.
std::string header_with(std::uint32_t notes, std::uint32_t regions) {
  return header(0).substr(0, 56) + bytes(notes, 4) + bytes(regions, 4) + bytes(0, 8) +
         std::string(notes + std::size_t{24} * regions, 'x');
}

TEST(netrace, has_a_mebibyte_of_notes_and_as_many_regions_at_most) {
  EXPECT_TRUE(read(header_with(0, 0)).empty());
  EXPECT_TRUE(read(header_with(1 << 20, 0)).empty());
  EXPECT_TRUE(read(header_with(3, 1 << 20)).empty());
  EXPECT_EQ(error_of(header_with((1 << 20) + 1, 7)),
            "n: byte 0: 1048577 bytes of notes and 7 regions: the header is damaged");
  EXPECT_EQ(error_of(header_with(5, (1 << 20) + 1)),
            "n: byte 0: 5 bytes of notes and 1048577 regions: the header is damaged");
  EXPECT_EQ(error_of(header(0).substr(0, 71)),
            "n: byte 0: the file ends within the header, after 0 packets: is it cut off?");
  EXPECT_EQ(error_of(header_with(5, 1).substr(0, 72 + 28)),
            "n: byte 0: the file ends within the header, after 0 packets: is it cut off?");
}

TEST(netrace, each_type_has_its_length_and_class) {
  const struct {
    unsigned type, flits, message_class;
  } types[] = {{1, 1, 0},  {2, 9, 1},  {3, 9, 1},  {4, 9, 0},  {5, 1, 1},  {6, 9, 0},  {13, 1, 0}, {14, 1, 1},
               {15, 1, 0}, {16, 9, 1}, {25, 1, 1}, {27, 1, 0}, {28, 1, 1}, {29, 1, 0}, {30, 9, 1}};
  for (const auto& t : types) {
    const std::vector<trace_packet> list = read(header(1) + message(5, 1, t.type, 1, 2, {}));
    ASSERT_EQ(list.size(), 1u) << "type " << t.type;
    EXPECT_EQ(list[0].flits, t.flits) << "type " << t.type;
    EXPECT_EQ(list[0].message_class, t.message_class) << "type " << t.type;
  }
  for (const unsigned unknown : {0, 7, 12, 17, 24, 26, 31})
    EXPECT_THAT(error_of(header(1) + message(5, 1, unknown, 1, 2, {})),
                testing::HasSubstr("there is no message of type " + std::to_string(unknown)));
}

TEST(netrace, packets_have_no_delay_of_their_own) {
  const auto reader =
      open_packet_trace(std::make_unique<byte_source>("n", small()), trace_reading{nullptr, 64});
  trace_packet p;
  p.delay = 7;  // of a packet of another trace
  ASSERT_TRUE(reader->next(p));
  EXPECT_EQ(p.delay, 0u);
}

TEST(netrace, is_read_again_after_a_rewind) {
  const auto reader =
      open_packet_trace(std::make_unique<byte_source>("n", small()), trace_reading{nullptr, 64});
  for (int time = 0; time < 2; ++time, reader->rewind()) {
    std::vector<std::uint64_t> cycles;
    for (trace_packet p; reader->next(p);) cycles.push_back(p.cycle);
    EXPECT_THAT(cycles, testing::ElementsAre(5, 9, 9, 30));
  }
}

TEST(netrace, forgets_who_waits_for_whom_at_a_rewind) {
  const auto reader =
      open_packet_trace(std::make_unique<byte_source>("n", small()), trace_reading{nullptr, 64});
  trace_packet p;
  ASSERT_TRUE(reader->next(p));  // the next waits for it
  reader->rewind();
  ASSERT_TRUE(reader->next(p));
  ASSERT_TRUE(reader->next(p));
  EXPECT_THAT(p.after, testing::ElementsAre(0));
}

TEST(netrace, cut_off_anywhere_is_told) {
  for (const std::string& text : {small(), compressed(small())})
    for (std::size_t length = 4; length < text.size(); ++length)
      EXPECT_THAT(error_of(text.substr(0, length)), testing::StartsWith("n: byte ")) << length;
}

TEST(netrace, flipped_bits_do_no_harm) {
  const std::string text = small();
  for (std::size_t i = 4; i < text.size(); ++i)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string bad = text;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      if (i == 38) continue;  // the number of nodes, which read() looks at
      EXPECT_EQ(error_of(bad).find('\n'), std::string::npos);
    }
  std::string bad = compressed(text);
  bad[bad.size() / 2] ^= 1;
  EXPECT_THAT(error_of(bad), testing::HasSubstr("damaged bzip2 data"));
}

TEST(netrace, an_error_has_the_same_place_after_a_rewind) {
  const std::string text = small();
  const auto reader = open_packet_trace(
      std::make_unique<byte_source>("n", text.substr(0, text.size() - 3)), trace_reading{nullptr, 64});
  const std::string last = "n: byte " + std::to_string(text.size() - 21) + ": the file ends within a packet";
  for (int time = 0; time < 2; ++time, reader->rewind()) {
    try {
      for (trace_packet p; reader->next(p);) {
      }
      FAIL();
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::StartsWith(last)) << time;
    }
  }
}

TEST(netrace, takes_the_last_cycle_and_as_many_causes_as_a_packet_may_have) {
  constexpr cycle_t last = max_trace_cycles;
  EXPECT_EQ(read(header(1) + message(last, 0, 1, 0, 1, {})).front().cycle, last);
  EXPECT_THAT(error_of(header(1) + message(last + 1, 0, 1, 0, 1, {})), testing::HasSubstr("beyond 2^48"));
  const auto with_causes = [](unsigned causes) {
    std::string text = header(causes + 1);
    for (unsigned i = 0; i < causes; ++i) text += message(i, i, 1, 0, 1, {causes});
    return text + message(causes, causes, 2, 1, 0, {});
  };
  EXPECT_EQ(read(with_causes(max_trace_causes)).back().after.size(), max_trace_causes);
  EXPECT_THAT(error_of(with_causes(max_trace_causes + 1)), testing::HasSubstr("or 4096 for one"));
}

/// 2^22 is 16448 * 255 + 64; each of 2048 packets to come is named 2048 times.
TEST(netrace, at_most_2_to_the_22_packets_wait) {
  std::string text = header(99999);
  unsigned id = 0, named = 0;
  for (; named < 1u << 22; ++id) {
    std::vector<unsigned> dependents;
    for (; dependents.size() < (id < 16448 ? 255 : 64); ++named) dependents.push_back(20000 + named % 2048);
    text += message(0, id, 1, 0, 1, dependents);
  }
  const std::string count = "n: byte " + std::to_string(text.size()) + ": ";
  EXPECT_EQ(error_of(text + message(0, id, 1, 0, 1, {30000})),
            count + "more than 4194304 packets wait for packets that have not come, or 4096 for one");
  const std::string come = message(0, 20000, 1, 0, 1, {}), later = message(0, 20001, 1, 0, 1, {30000});
  EXPECT_THAT(error_of(text + come + later),
              testing::EndsWith(": the file ends after 16451 packets, its header says 99999: is it cut off?"));
}

TEST(netrace, what_is_wrong_is_told_with_its_byte) {
  const std::size_t first = header(0).size();
  const std::string at = "n: byte " + std::to_string(first + 25);
  const std::string one = message(5, 10, 1, 3, 40, {13});
  ASSERT_EQ(one.size(), 25u);
  EXPECT_THAT(error_of(header(2) + one + message(4, 13, 1, 0, 1, {})),
              testing::HasSubstr(at + ": cycle 4 comes after cycle 5"));
  EXPECT_THAT(error_of(header(2) + one + message(5, 10, 1, 0, 1, {})),
              testing::HasSubstr(at + ": packet 10 comes after packet 10"));
  EXPECT_THAT(error_of(header(2) + message(5, 10, 1, 63, 63, {}) + message(5, 9, 1, 0, 1, {})),
              testing::EndsWith(": packet 9 comes after packet 10"));
  EXPECT_THAT(error_of(header(2) + one + message(5, 13, 7, 0, 1, {})),
              testing::HasSubstr(at + ": there is no message of type 7"));
  EXPECT_THAT(error_of(header(2) + one + message(5, 13, 1, 64, 1, {})),
              testing::HasSubstr(at + ": node 64, and there are 64 of them"));
  EXPECT_THAT(error_of(header(2) + one + message(5, 13, 1, 0, 1, {12})),
              testing::HasSubstr(at + ": packet 12 stands before packet 13, which it waits for"));
  EXPECT_THAT(error_of(header(2) + one + message(5, 13, 1, 0, 1, {13})),
              testing::HasSubstr(at + ": packet 13 stands before packet 13"));
  EXPECT_THAT(error_of(header(3) + one), testing::HasSubstr("ends after 1 packets, its header says 3"));
  EXPECT_THAT(error_of(header(1) + one + message(5, 13, 1, 0, 1, {})),
              testing::HasSubstr("ends after 2 packets, its header says 1"));
  std::string other = small();
  other[4] = 1;
  EXPECT_THAT(error_of(other), testing::HasSubstr("another version than 1.0"));
  for (const std::size_t of_high_byte : {59u, 63u}) {
    std::string damaged = small();
    damaged[of_high_byte] = 0x7f;
    EXPECT_THAT(error_of(damaged), testing::HasSubstr("the header is damaged")) << of_high_byte;
  }
}

}  // namespace
}  // namespace toriscope::netrace_test
