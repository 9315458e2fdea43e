// SPDX-License-Identifier: Apache-2.0
#include "traces/packets/packet_writer.h"

#include "traces/packets/binary_trace.h"
#include "traces/packets/text_trace.h"

namespace toriscope {

std::unique_ptr<packet_writer> create_packet_trace(const std::string& path, const trace_header& header) {
  const compression how = compression_named(path);
  const std::string bare = path.substr(0, path.rfind('.'));
  const bool text = bare.size() > 4 && bare.substr(bare.size() - 4) == ".txt";
  if (how == compression::none || text) return std::make_unique<text_trace_writer>(path, how, header);
  return std::make_unique<binary_trace_writer>(path, how, header);
}

}  // namespace toriscope
