// SPDX-License-Identifier: Apache-2.0
// Packet traces as text (docs/packet_traces.md): a line for each packet,
//
//   CYCLE SOURCE DESTINATION FLITS [class=N] [after=NUMBER[,NUMBER...] delay=CYCLES]
//
// '#' starts a comment. What `record` writes has a header and an end in comments of its own; with them the file
// is checked for completeness. Without them lines may be in any order of cycles.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/packets/byte_sink.h"
#include "traces/packets/packet_reader.h"
#include "traces/packets/packet_writer.h"

namespace toriscope {

class text_trace_reader final : public packet_reader {
 public:
  text_trace_reader(std::unique_ptr<byte_source> bytes, trace_reading how);
  bool next(trace_packet& packet) override;
  void rewind() override;
  std::string where() const override;

 private:
  bool next_line();
  void read_comment();
  void read_header_line(std::string_view key, std::string_view value);
  void read_end(std::string_view text);
  void read_packet(trace_packet& packet);
  void read_extra(std::string_view field, trace_packet& packet) const;
  node_id node(std::string_view text) const;

  std::unique_ptr<byte_source> bytes_;
  trace_reading how_;
  std::string line_;
  bool complete_ = true;                 ///< the line ended with a newline
  std::vector<std::string_view> field_;  ///< of the line
  std::uint64_t line_number_ = 0;
  std::uint64_t packets_ = 0;
  cycle_t last_ = 0;
  std::uint32_t checksum_ = 0;  ///< of all that stands before the line, when it is a comment
  bool ended_ = false;          ///< the end of a recorded trace has been read
};

class text_trace_writer final : public packet_writer {
 public:
  text_trace_writer(const std::string& path, compression how, const trace_header& header);
  void write(const trace_packet& packet) override;
  void close(cycle_t end_cycle) override;

 private:
  byte_sink bytes_;
  std::uint64_t packets_ = 0;
};

}  // namespace toriscope
