// SPDX-License-Identifier: Apache-2.0
// Packets from Netrace files, version 1.0 (J. Hestness, S. W. Keckler: "Netrace: Dependency-Tracking Traces for
// Efficient Network-on-Chip Experimentation", The University of Texas at Austin, TR-10-11): messages of a coherence
// protocol, of 8 or 72 bytes, each with the messages that cannot be sent before it has arrived. Little endian:
//
//   header  magic "UTJH", float 1.0, name[30], nodes (8 bits), a byte, cycles (64), packets (64), bytes of
//           notes (32), regions (32), 8 bytes; the notes; 24 bytes for each region, which are not used here
//   packet  cycle (64), id (32), address (32), type, source, destination, kinds of nodes, count of dependents
//           (8 each); ids of the dependents (32 each), which stand further down
//
// A packet waits for those that name it, and for its cycle. Requests are message class 0, responses class 1.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "traces/packets/packet_reader.h"

namespace toriscope {

/// The first bytes of the file.
inline const std::string netrace_magic = "UTJH";

class netrace_reader final : public packet_reader {
 public:
  /// @param bytes      at the first of them
  /// @param flit_bits  a message takes as many flits as its bytes fill
  netrace_reader(std::unique_ptr<byte_source> bytes, unsigned flit_bits);
  bool next(trace_packet& packet) override;
  void rewind() override;
  std::string where() const override { return bytes_->where(start_); }

 private:
  void read_header();
  void read_dependents(std::uint32_t id, unsigned count);
  std::string take(std::size_t count, const char* what);

  std::unique_ptr<byte_source> bytes_;
  const unsigned flit_bits_;
  std::uint64_t start_ = 0;  ///< of the packet, or what else is being read
  std::uint64_t expected_ = 0;
  std::uint64_t packets_ = 0;
  std::uint64_t next_id_ = 0;  ///< ids rise
  cycle_t last_ = 0;
  /// By the id of a packet to come: the numbers of those that it waits for.
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> causes_;
  std::uint64_t pending_ = 0;  ///< numbers in it
};

}  // namespace toriscope
