// SPDX-License-Identifier: Apache-2.0
#include "traces/packets/netrace_reader.h"

#include <fmt/format.h>

#include <utility>

namespace toriscope {
namespace {

constexpr std::size_t header_bytes = 72, region_bytes = 24, packet_bytes = 21;
constexpr std::uint32_t version_one = 0x3f800000;  // 1.0 as a float
constexpr std::uint32_t max_notes = 1u << 20, max_regions = 1u << 20;
constexpr std::uint64_t max_pending = std::uint64_t{1} << 22;  // bounds the memory that a file can ask for

std::uint64_t little_endian(const std::string& bytes, std::size_t from, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[from + i])} << (8 * i);
  return value;
}

struct message {
  unsigned bytes;  // 0: there is no such type
  std::uint8_t message_class;
};

/// By type: what it is in the protocol is on the right.
constexpr message message_of(std::uint64_t type) {
  switch (type) {
    case 1:
      return {8, 0};  // read request
    case 2:
      return {72, 1};  // read response
    case 3:
      return {72, 1};  // read response with invalidation
    case 4:
      return {72, 0};  // write request
    case 5:
      return {8, 1};  // write response
    case 6:
      return {72, 0};  // write back
    case 13:
      return {8, 0};  // upgrade request
    case 14:
      return {8, 1};  // upgrade response
    case 15:
      return {8, 0};  // read exclusive request
    case 16:
      return {72, 1};  // read exclusive response
    case 25:
      return {8, 1};  // bad address
    case 27:
      return {8, 0};  // invalidate request
    case 28:
      return {8, 1};  // invalidate response
    case 29:
      return {8, 0};  // downgrade request
    case 30:
      return {72, 1};  // downgrade response
    default:
      return {0, 0};
  }
}

}  // namespace

netrace_reader::netrace_reader(std::unique_ptr<byte_source> bytes, unsigned flit_bits)
    : bytes_(std::move(bytes)), flit_bits_(flit_bits) {
  header_.netrace = true;
  read_header();
}

void netrace_reader::rewind() {
  bytes_->rewind();
  packets_ = next_id_ = pending_ = 0;
  last_ = 0;
  causes_.clear();
  read_header();
}

std::string netrace_reader::take(std::size_t count, const char* what) {
  std::string bytes = bytes_->take(count);
  if (bytes.size() < count)
    refuse(fmt::format("the file ends within {}, after {} packets: is it cut off?", what, packets_));
  return bytes;
}

void netrace_reader::read_header() {
  start_ = 0;
  const std::string head = take(header_bytes, "the header");
  if (little_endian(head, 4, 4) != version_one) refuse("this Netrace file has another version than 1.0");
  header_.nodes = little_endian(head, 38, 1);
  expected_ = little_endian(head, 48, 8);
  const std::uint64_t notes = little_endian(head, 56, 4);
  const std::uint64_t regions = little_endian(head, 60, 4);
  if (notes > max_notes || regions > max_regions)
    refuse(fmt::format("{} bytes of notes and {} regions: the header is damaged", notes, regions));
  take(notes + regions * region_bytes, "the header");
}

bool netrace_reader::next(trace_packet& packet) {
  start_ = bytes_->offset();
  if (bytes_->peek() < 0) {
    if (packets_ != expected_)
      refuse(fmt::format("the file ends after {} packets, its header says {}: is it cut off?", packets_,
                         expected_));
    return false;
  }
  const std::string record = take(packet_bytes, "a packet");
  const auto id = static_cast<std::uint32_t>(little_endian(record, 8, 4));
  const message kind = message_of(little_endian(record, 16, 1));
  packet.number = packets_;
  packet.cycle = packet.earliest = little_endian(record, 0, 8);
  packet.source = static_cast<node_id>(little_endian(record, 17, 1));
  packet.destination = static_cast<node_id>(little_endian(record, 18, 1));
  packet.flits = (kind.bytes * 8 + flit_bits_ - 1) / flit_bits_;
  packet.message_class = kind.message_class;
  packet.delay = 0;
  if (kind.bytes == 0) refuse(fmt::format("there is no message of type {}", little_endian(record, 16, 1)));
  if (packet.cycle > max_trace_cycles) refuse("the cycle is beyond 2^48");
  if (packet.cycle < last_) refuse(fmt::format("cycle {} comes after cycle {}", packet.cycle, last_));
  if (id < next_id_) refuse(fmt::format("packet {} comes after packet {}", id, next_id_ - 1));
  for (const node_id n : {packet.source, packet.destination})
    if (n >= header_.nodes) refuse(fmt::format("node {}, and there are {} of them", n, header_.nodes));
  last_ = packet.cycle;
  next_id_ = std::uint64_t{id} + 1;
  packet.after.clear();
  if (const auto causes = causes_.extract(id)) {
    packet.after = std::move(causes.mapped());
    pending_ -= packet.after.size();
  }
  read_dependents(id, static_cast<unsigned>(little_endian(record, 20, 1)));
  ++packets_;
  return true;
}

void netrace_reader::read_dependents(std::uint32_t id, unsigned count) {
  const std::string ids = take(std::size_t{count} * 4, "a packet");
  for (unsigned i = 0; i < count; ++i) {
    const auto dependent = static_cast<std::uint32_t>(little_endian(ids, std::size_t{i} * 4, 4));
    if (dependent <= id)
      refuse(fmt::format("packet {} stands before packet {}, which it waits for", dependent, id));
    std::vector<std::uint64_t>& causes = causes_[dependent];
    causes.push_back(packets_);
    if (causes.size() > max_trace_causes || ++pending_ > max_pending)
      refuse(fmt::format("more than {} packets wait for packets that have not come, or {} for one",
                         max_pending, max_trace_causes));
  }
}

}  // namespace toriscope
