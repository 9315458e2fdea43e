// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/received_packets.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace toriscope {

received_packets::received_packets(const std::string& path, const netlist& wiring, more further)
    : file_(path, compression_named(path)), further_(std::move(further)) {
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t) terminals_.push_back(wiring.terminal_address(t));
  file_.write("packet,source,destination,class,flits,created,sent,received,hops" + further_.columns + "\n");
}

void received_packets::packet_received(packet_id id, const packet_record& record, cycle_t received) {
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "{},{},{},{},{},{},{},{},{}{}\n", id, terminals_[record.source],
                 terminals_[record.destination], unsigned{record.message_class}, record.flits, record.created,
                 record.head_sent, received, unsigned{record.hops},
                 further_.values ? further_.values(id) : "");
  file_.write({line.data(), line.size()});
}

}  // namespace toriscope
