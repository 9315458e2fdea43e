// SPDX-License-Identifier: Apache-2.0
#include "traces/packets/binary_trace.h"

#include <fmt/format.h>

#include <utility>

namespace toriscope {
namespace {

constexpr std::uint64_t any = ~std::uint64_t{0};
constexpr std::uint64_t longest_text = std::uint64_t{1} << 20;
// Bits of a packet's first number, above which stands the difference of cycles; 0 is the end.
constexpr unsigned packet_bit = 1, class_bit = 2, causes_bit = 4, cycle_shift = 3;

void append(std::string& bytes, std::uint64_t value) {
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
  bytes += static_cast<char>(value);
}

void append(std::string& bytes, const std::string& text) {
  append(bytes, text.size());
  bytes += text;
}

}  // namespace

binary_trace_reader::binary_trace_reader(std::unique_ptr<byte_source> bytes) : bytes_(std::move(bytes)) {
  header_.recorded = true;
  read_header();
}

void binary_trace_reader::rewind() {
  bytes_->rewind();
  packets_ = 0;
  last_ = 0;
  ended_ = false;
  read_header();
}

void binary_trace_reader::read_header() {
  start_ = 0;
  bytes_->take(binary_trace_magic.size());
  header_.topology = text("topology");
  header_.nodes = number("nodes", any);
  header_.command = text("command");
  header_.config = text("config");
}

unsigned binary_trace_reader::byte(const char* what) {
  const int value = bytes_->get();
  if (value < 0)
    refuse(fmt::format("the file ends within {}, after {} packets: is it cut off?", what, packets_));
  return static_cast<unsigned>(value);
}

std::uint64_t binary_trace_reader::number(const char* what, std::uint64_t most) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint64_t b = byte(what);
    const std::uint64_t part = b & 127;
    if (shift > 63 || (part << shift) >> shift != part) refuse(fmt::format("{} has more than 64 bits", what));
    value |= part << shift;
    if (b < 128) break;
  }
  if (value > most) refuse(fmt::format("{} is {}, and at most {} is possible", what, value, most));
  return value;
}

std::string binary_trace_reader::text(const char* what) {
  const std::uint64_t length = number(what, longest_text);
  std::string value = bytes_->take(length);
  if (value.size() < length) refuse(fmt::format("the file ends within {}: is it cut off?", what));
  return value;
}

bool binary_trace_reader::next(trace_packet& packet) {
  if (ended_) return false;
  start_ = bytes_->offset();
  const std::uint32_t before = bytes_->peek() == 0 ? bytes_->checksum() : 0;
  const std::uint64_t first = number("packet", any);
  if (first == 0) {
    end_cycle_ = number("end cycle", max_trace_cycles);
    const std::uint64_t packets = number("count of packets", any);
    if (packets != packets_)
      refuse(fmt::format("the trace ends after {} packets, {} were written", packets_, packets));
    std::uint32_t written = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) written |= std::uint32_t{byte("checksum")} << shift;
    if (written != before)
      refuse(fmt::format("the checksum is {:08x}, {:08x} was written: the file is damaged", before, written));
    if (bytes_->peek() >= 0) refuse("there is something behind the end of the trace");
    ended_ = true;
    return false;
  }
  if ((first & packet_bit) == 0) refuse("this is not the start of a packet");
  packet.number = packets_;
  if (first >> cycle_shift > max_trace_cycles - last_) refuse("the cycle is beyond 2^48");
  packet.cycle = last_ += first >> cycle_shift;
  packet.source = static_cast<node_id>(number("source", 0xffffffff));
  packet.destination = static_cast<node_id>(number("destination", 0xffffffff));
  packet.flits = static_cast<std::uint32_t>(number("length", max_trace_flits));
  if (packet.flits == 0) refuse("a packet of no flits");
  packet.message_class =
      static_cast<std::uint8_t>(first & class_bit ? number("class", max_trace_classes - 1) : 0);
  packet.after.clear();
  packet.delay = packet.earliest = 0;
  if (first & causes_bit) read_causes(packet);
  ++packets_;
  return true;
}

void binary_trace_reader::read_causes(trace_packet& packet) {
  const std::uint64_t count = number("count of packets it is after", max_trace_causes);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t back = number("packet it is after", packet.number);
    if (back == 0) refuse("a packet after itself");
    packet.after.push_back(packet.number - back);
  }
  packet.delay = number("delay", max_trace_cycles);
}

binary_trace_writer::binary_trace_writer(const std::string& path, compression how, const trace_header& header)
    : bytes_(path, how), record_(binary_trace_magic) {
  append(record_, header.topology);
  append(record_, header.nodes);
  append(record_, header.command);
  append(record_, header.config);
  bytes_.write(record_);
}

void binary_trace_writer::write(const trace_packet& p) {
  record_.clear();
  append(record_, (p.cycle - last_) << cycle_shift | (p.after.empty() ? 0 : causes_bit) |
                      (p.message_class == 0 ? 0 : class_bit) | packet_bit);
  append(record_, std::uint64_t{p.source});
  append(record_, std::uint64_t{p.destination});
  append(record_, std::uint64_t{p.flits});
  if (p.message_class > 0) append(record_, std::uint64_t{p.message_class});
  if (!p.after.empty()) {
    append(record_, p.after.size());
    for (const std::uint64_t cause : p.after) append(record_, packets_ - cause);
    append(record_, p.delay);
  }
  bytes_.write(record_);
  last_ = p.cycle;
  ++packets_;
}

void binary_trace_writer::close(cycle_t end_cycle) {
  const std::uint32_t checksum = bytes_.checksum();
  record_.assign(1, '\0');
  append(record_, end_cycle);
  append(record_, packets_);
  for (unsigned shift = 0; shift < 32; shift += 8) record_ += static_cast<char>(checksum >> shift);
  bytes_.write(record_);
  bytes_.close();
}

}  // namespace toriscope
