// SPDX-License-Identifier: Apache-2.0
// Packets into a file, one after the other. The name chooses the format: NAME.gz and NAME.zst are the binary form,
// compressed; NAME.txt.gz and NAME.txt.zst are the text, compressed; any other name is text. The file appears when
// it is complete, or not at all.
#pragma once

#include <memory>
#include <string>

#include "traces/packets/packet_trace.h"

namespace toriscope {

class packet_writer {
 public:
  virtual ~packet_writer() = default;
  /// In order of cycles; the packet's number is the count of those written before, whatever it says.
  virtual void write(const trace_packet& packet) = 0;
  /// Writes the end: count, checksum and this cycle, in which the run ended.
  /// @throws std::runtime_error "cannot write PATH: reason"
  virtual void close(cycle_t end_cycle) = 0;
};

/// @throws std::runtime_error "cannot write PATH: reason"
std::unique_ptr<packet_writer> create_packet_trace(const std::string& path, const trace_header& header);

}  // namespace toriscope
