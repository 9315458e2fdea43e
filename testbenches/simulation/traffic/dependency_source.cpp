// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/dependency_source.h"

#include <algorithm>

namespace toriscope {

dependency_source::dependency_source(std::unique_ptr<byte_source> bytes, const netlist& wiring,
                                     const trace_limits& limits, unsigned outstanding)
    : input_(std::move(bytes), wiring, trace_order::of_the_file, limits),
      outstanding_(outstanding),
      queues_(wiring.terminal_count()) {}

void dependency_source::packets_at(cycle_t now, std::vector<packet_request>& out) {
  read_ahead(now);
  for (; !planned_.empty() && planned_.top().first <= now; planned_.pop()) {
    const std::uint64_t number = planned_.top().second;
    number_of_[created_++] = number;
    out.push_back(at(number).request);
  }
}

cycle_t dependency_source::next_packet_cycle(cycle_t from) const {
  if (more_ && open_.size() < max_open) return from;
  return planned_.empty() ? ~cycle_t{0} : std::max(planned_.top().first, from);
}

void dependency_source::read_ahead(cycle_t now) {
  trace_packet packet;
  while (more_ && open_.size() < max_open) {
    more_ = input_.next(packet);
    if (more_) open(packet, now);
  }
}

void dependency_source::open(const trace_packet& packet, cycle_t now) {
  open_packet& p = open_.emplace_back();
  p.request = {packet.source, packet.destination, packet.flits, packet.message_class};
  p.delay = std::max<cycle_t>(1, packet.delay);
  p.earliest = packet.earliest;
  p.in_order = packet.after.empty() && !input_.header().netrace;
  if (p.in_order) {
    source_queue& queue = queues_[packet.source];
    if (queue.under_way == outstanding_) {
      queue.waiting.push_back(packet.number);
      return;
    }
    ++queue.under_way;
    return plan(packet.number, now);
  }
  for (const std::uint64_t cause : packet.after) {
    if (cause < first_) continue;
    open_packet& c = at(cause);
    if (c.finished) {
      p.received = std::max(p.received, c.received);
    } else {
      ++p.waits;
      c.dependents.push_back(packet.number);
    }
  }
  if (p.waits == 0) plan(packet.number, std::max(now, packet.after.empty() ? 0 : p.received + p.delay));
}

void dependency_source::plan(std::uint64_t number, cycle_t soonest) {
  planned_.emplace(std::max(soonest, at(number).earliest), number);
}

void dependency_source::finish(packet_id id, cycle_t now) {
  const auto found = number_of_.find(id);
  open_packet& p = at(found->second);
  number_of_.erase(found);
  p.finished = true;
  p.received = now;
  for (const std::uint64_t dependent : p.dependents) {
    open_packet& d = at(dependent);
    d.received = std::max(d.received, now);
    if (--d.waits == 0) plan(dependent, d.received + d.delay);
  }
  p.dependents = {};
  if (p.in_order) {
    source_queue& queue = queues_[p.request.source];
    if (queue.waiting.empty()) {
      --queue.under_way;
    } else {
      plan(queue.waiting.front(), now + 1);
      queue.waiting.pop_front();
    }
  }
  for (; open_.size() > remembered && open_.front().finished; open_.pop_front()) ++first_;
}

}  // namespace toriscope
