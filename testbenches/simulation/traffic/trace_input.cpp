// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/trace_input.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "testbenches/simulation/traffic/node_address.h"

namespace toriscope {

trace_input::trace_input(std::unique_ptr<byte_source> bytes, const netlist& wiring, trace_order order,
                         const trace_limits& limits)
    : wiring_(wiring),
      order_(order),
      limits_(limits),
      name_(bytes->name()),
      reader_(open_packet_trace(
          std::move(bytes),
          {[&wiring](std::string_view text) { return parse_terminal(text, wiring); }, limits.flit_bits})),
      ordered_(*reader_) {
  const trace_header& head = header();
  if (head.nodes > wiring.terminal_count())
    throw std::invalid_argument(name_ + ": the trace is of " + std::to_string(head.nodes) + " nodes" +
                                (head.topology.empty() ? "" : " (" + head.topology + ")") +
                                ", the network has " + std::to_string(wiring.terminal_count()) +
                                ": choose a --topology with as many");
  for (trace_packet packet; next(packet); ++packets_) {
    last_cycle_ = std::max(last_cycle_, packet.cycle);
    has_causes_ = has_causes_ || !packet.after.empty();
    for (const std::uint64_t cause : packet.after)
      if (packet.number - cause > limits.near) far_causes_.insert(cause);
  }
  if (packets_ == 0)
    throw std::invalid_argument(name_ + ": the trace has no packets: there is nothing to run");
  ordered_.rewind();
}

bool trace_input::next(trace_packet& packet) {
  const bool more = order_ == trace_order::of_cycles ? ordered_.next(packet) : reader_->next(packet);
  if (more) check(packet);
  return more;
}

void trace_input::check(trace_packet& packet) const {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(reader_->where() + ": " + why);
  };
  for (const node_id n : {packet.source, packet.destination})
    if (n >= wiring_.terminal_count())
      refuse("node " + std::to_string(n) + ", and the network has " +
             std::to_string(wiring_.terminal_count()));
  if (packet.message_class < limits_.message_classes) return;
  if (header().netrace)
    packet.message_class = static_cast<std::uint8_t>(limits_.message_classes - 1);
  else
    refuse("class " + std::to_string(packet.message_class) + ", and the network has " +
           std::to_string(limits_.message_classes) + " message classes; use --message-classes " +
           std::to_string(packet.message_class + 1));
}

}  // namespace toriscope
