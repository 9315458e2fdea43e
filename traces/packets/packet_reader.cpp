// SPDX-License-Identifier: Apache-2.0
#include "traces/packets/packet_reader.h"

#include <stdexcept>
#include <utility>

#include "traces/packets/binary_trace.h"
#include "traces/packets/netrace_reader.h"
#include "traces/packets/text_trace.h"

namespace toriscope {

void packet_reader::refuse(const std::string& why) const {
  throw std::invalid_argument(where() + ": " + why);
}

std::unique_ptr<packet_reader> open_packet_trace(const std::string& path, trace_reading how) {
  return open_packet_trace(std::make_unique<byte_source>(path), std::move(how));
}

std::unique_ptr<packet_reader> open_packet_trace(std::unique_ptr<byte_source> bytes, trace_reading how) {
  const std::string first = bytes->take(8);
  if (first.empty())
    throw std::invalid_argument(
        "traffic file " + bytes->name() +
        " is empty: 0 bytes; a packet trace has a line, or a record, for each packet");
  bytes->rewind();
  if (first == binary_trace_magic) return std::make_unique<binary_trace_reader>(std::move(bytes));
  if (first.substr(0, 4) == netrace_magic)
    return std::make_unique<netrace_reader>(std::move(bytes), how.flit_bits);
  return std::make_unique<text_trace_reader>(std::move(bytes), std::move(how));
}

}  // namespace toriscope
