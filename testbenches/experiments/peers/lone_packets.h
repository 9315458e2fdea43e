// SPDX-License-Identifier: Apache-2.0
// Zero-load latency pair by pair: what a peer measured beside what toriscope needs, packet by packet.
//
// toriscope prints one hash over source, destination, creation and reception of all packets (docs/model.md).
// So a file with a lone packet for each pair says whether all latencies equal the peer's: then the hash is the
// one that the peer's latencies give. Where it is not, halving the file finds the first pair that differs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace toriscope {

/// Cycles between the packets of a file: the network is empty again when the next one comes.
constexpr std::uint64_t lone_packet_spacing = 400;

struct lone_packet {
  unsigned source = 0;
  unsigned destination = 0;
  std::uint64_t latency = 0;  ///< cycles, as the peer has it
};

/// The pairs of a table of latencies (index source * nodes + destination) that are whole numbers of cycles:
/// others were disturbed, or have no packet.
std::vector<lone_packet> lone_packets_of(const std::vector<double>& latencies, unsigned nodes);

/// The file of `toriscope run --traffic-file`: a packet every lone_packet_spacing cycles.
std::string packet_file(const std::vector<lone_packet>& packets, unsigned flits);

/// packet_hash of that file if every packet takes its latency.
std::string expected_packet_hash(const std::vector<lone_packet>& packets);

/// Runs a file of these packets and says whether the hash is the expected one.
using packets_agree = std::function<bool(const std::vector<lone_packet>&)>;

/// How many of the packets come before the first one whose latency is another: all, if none is.
std::size_t agreeing_before_first_difference(const std::vector<lone_packet>& packets,
                                             const packets_agree& agree);

/// Latencies by the number of routers on the way in a k x k network, of the peer: how many pairs have each.
std::map<unsigned, std::map<std::uint64_t, unsigned>> by_routers(const std::vector<lone_packet>& packets,
                                                                 bool wraps, unsigned k);

}  // namespace toriscope
