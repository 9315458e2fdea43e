// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/trace_file_source.h"

#include <istream>
#include <iterator>

namespace toriscope {

trace_file_source::trace_file_source(const std::string& path, const netlist& wiring,
                                     const trace_limits& limits)
    : input_(std::make_unique<byte_source>(path), wiring, trace_order::of_cycles, limits),
      more_(input_.next(head_)) {}

trace_file_source::trace_file_source(std::istream& in, const std::string& name, const netlist& wiring)
    : input_(std::make_unique<byte_source>(name, std::string(std::istreambuf_iterator<char>(in), {})), wiring,
             trace_order::of_cycles),
      more_(input_.next(head_)) {}

void trace_file_source::packets_at(cycle_t now, std::vector<packet_request>& out) {
  for (; more_ && head_.cycle <= now; more_ = input_.next(head_)) {
    if (head_.cycle < now) continue;
    out.push_back({head_.source, head_.destination, head_.flits, head_.message_class});
    if (slots_ && head_.message_class == reply_slots::reply_class) slots_->reply_created(head_.source);
  }
}

}  // namespace toriscope
