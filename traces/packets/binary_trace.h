// SPDX-License-Identifier: Apache-2.0
// Packet traces in few bytes (docs/packet_traces.md): whole numbers of 7 bits a byte, cycles as differences, five
// bytes or so a packet before compression.
#pragma once

#include <memory>
#include <string>

#include "traces/packets/byte_sink.h"
#include "traces/packets/packet_reader.h"
#include "traces/packets/packet_writer.h"

namespace toriscope {

/// The first bytes of the file.
inline const std::string binary_trace_magic = "TORIPKT\x01";

class binary_trace_reader final : public packet_reader {
 public:
  /// @param bytes  at the first of them
  explicit binary_trace_reader(std::unique_ptr<byte_source> bytes);
  bool next(trace_packet& packet) override;
  void rewind() override;
  std::string where() const override { return bytes_->where(start_); }

 private:
  void read_header();
  void read_causes(trace_packet& packet);
  unsigned byte(const char* what);
  std::uint64_t number(const char* what, std::uint64_t most);
  std::string text(const char* what);

  std::unique_ptr<byte_source> bytes_;
  std::uint64_t start_ = 0;  ///< of the packet, or what else is being read
  std::uint64_t packets_ = 0;
  cycle_t last_ = 0;
  bool ended_ = false;
};

class binary_trace_writer final : public packet_writer {
 public:
  binary_trace_writer(const std::string& path, compression how, const trace_header& header);
  void write(const trace_packet& packet) override;
  void close(cycle_t end_cycle) override;

 private:
  byte_sink bytes_;
  std::string record_;
  std::uint64_t packets_ = 0;
  cycle_t last_ = 0;
};

}  // namespace toriscope
