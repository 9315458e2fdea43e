// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/peers/lone_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace toriscope {
namespace {

unsigned distance(unsigned a, unsigned b, bool wraps, unsigned k) {
  const unsigned straight = a > b ? a - b : b - a;
  return wraps ? std::min(straight, k - straight) : straight;
}

}  // namespace

std::vector<lone_packet> lone_packets_of(const std::vector<double>& latencies, unsigned nodes) {
  std::vector<lone_packet> packets;
  for (unsigned source = 0; source < nodes; ++source)
    for (unsigned destination = 0; destination < nodes; ++destination) {
      const double cycles = latencies.at(std::size_t{source} * nodes + destination);
      if (std::isfinite(cycles) && cycles == std::floor(cycles))
        packets.push_back({source, destination, static_cast<std::uint64_t>(cycles)});
    }
  return packets;
}

std::string packet_file(const std::vector<lone_packet>& packets, unsigned flits) {
  std::string text = "# cycle source destination length\n";
  for (std::size_t i = 0; i < packets.size(); ++i)
    text += fmt::format("{} {} {} {}\n", i * lone_packet_spacing, packets[i].source, packets[i].destination,
                        flits);
  return text;
}

std::string expected_packet_hash(const std::vector<lone_packet>& packets) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const std::uint64_t created = i * lone_packet_spacing;
    sum += mix(packets[i].source, packets[i].destination, created, created + packets[i].latency);
  }
  return fmt::format("{:016x}", sum);
}

std::size_t agreeing_before_first_difference(const std::vector<lone_packet>& packets,
                                             const packets_agree& agree) {
  if (agree(packets)) return packets.size();
  // The first difference is in [first, first + length).
  std::size_t first = 0;
  std::size_t length = packets.size();
  while (length > 1) {
    const std::size_t half = length / 2;
    const auto begin = packets.begin() + static_cast<std::ptrdiff_t>(first);
    if (agree({begin, begin + static_cast<std::ptrdiff_t>(half)})) {
      first += half;
      length -= half;
    } else {
      length = half;
    }
  }
  return first;
}

std::map<unsigned, std::map<std::uint64_t, unsigned>> by_routers(const std::vector<lone_packet>& packets,
                                                                 bool wraps, unsigned k) {
  std::map<unsigned, std::map<std::uint64_t, unsigned>> result;
  for (const lone_packet& p : packets) {
    const unsigned links = distance(p.source % k, p.destination % k, wraps, k) +
                           distance(p.source / k, p.destination / k, wraps, k);
    ++result[links + 1][p.latency];
  }
  return result;
}

}  // namespace toriscope
