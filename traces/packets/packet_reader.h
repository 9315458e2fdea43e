// SPDX-License-Identifier: Apache-2.0
// Packets out of a file, one after the other, from any format: text, binary, Netrace, each also compressed. The
// format is seen by the first bytes. Nothing of the file is held but a block of bytes, so that it may be of any
// length. Whatever is wrong with a file is one line with its name and the line or byte, std::invalid_argument.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "traces/packets/byte_source.h"
#include "traces/packets/packet_trace.h"

namespace toriscope {

/// What reading needs to know of the network.
struct trace_reading {
  /// A node as people write it. @throws std::invalid_argument. Null: numbers only
  std::function<node_id(std::string_view)> node;
  unsigned flit_bits = 64;  ///< Netrace tells sizes in bytes
};

class packet_reader {
 public:
  virtual ~packet_reader() = default;
  packet_reader(const packet_reader&) = delete;
  packet_reader& operator=(const packet_reader&) = delete;

  const trace_header& header() const { return header_; }
  /// The next packet, in the order of the file. @returns false at the end, which has been checked, too
  virtual bool next(trace_packet& packet) = 0;
  /// Back to the first packet.
  virtual void rewind() = 0;
  /// Where the packet given last stands: "FILE:LINE" or "FILE: byte N".
  virtual std::string where() const = 0;
  /// After the last packet: the cycle in which the recorded run ended; 0: not told.
  cycle_t end_cycle() const { return end_cycle_; }

 protected:
  packet_reader() = default;
  /// @throws std::invalid_argument where() and this
  [[noreturn]] void refuse(const std::string& why) const;

  trace_header header_;
  cycle_t end_cycle_ = 0;
};

/// @throws std::invalid_argument one line, also for a file of 0 bytes
std::unique_ptr<packet_reader> open_packet_trace(const std::string& path, trace_reading how = {});
/// The same for bytes that are at hand. @param name  of the file, in errors
std::unique_ptr<packet_reader> open_packet_trace(std::unique_ptr<byte_source> bytes, trace_reading how = {});

}  // namespace toriscope
