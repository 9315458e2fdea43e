// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/dependency_source.h"

#include <algorithm>

#include "router/invariant.h"

namespace toriscope {

dependency_source::dependency_source(std::unique_ptr<byte_source> bytes, const netlist& wiring,
                                     const trace_limits& limits, unsigned outstanding)
    : input_(std::move(bytes), wiring, trace_order::of_the_file,
             {limits.message_classes, limits.flit_bits, remembered}),
      outstanding_(outstanding),
      queues_(wiring.terminal_count()) {
  for (const std::uint64_t cause : input_.far_causes()) far_causes_[cause] = 0;
}

void dependency_source::packets_at(cycle_t now, std::vector<packet_request>& out) {
  read_ahead(now);
  for (; !planned_.empty() && planned_.top().first <= now; planned_.pop()) {
    const std::uint64_t number = planned_.top().second;
    number_of_[created_++] = number;
    at(number).done = step::under_way;
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
    if (more_) begin(packet, now);
  }
}

dependency_source::open_packet& dependency_source::open(const trace_packet& packet) {
  open_packet& p = open_.emplace_back();
  p.request = {packet.source, packet.destination, packet.flits, packet.message_class};
  p.delay = std::max<cycle_t>(1, packet.delay);
  p.earliest = packet.earliest;
  p.in_order = packet.after.empty() && !input_.header().netrace;
  return p;
}

void dependency_source::begin(const trace_packet& packet, cycle_t now) {
  open_packet& p = open(packet);
  if (p.in_order) {
    source_queue& queue = queues_[packet.source];
    if (queue.under_way == outstanding_) {
      queue.waiting.push_back(packet.number);
      return;
    }
    ++queue.under_way;
    return plan(packet.number, now);
  }
  wait_for(packet.after, packet.number);
  if (p.waits == 0) plan(packet.number, std::max(now, packet.after.empty() ? 0 : p.cycle + p.delay));
}

void dependency_source::wait_for(const std::vector<std::uint64_t>& causes, std::uint64_t number) {
  open_packet& p = at(number);
  for (const std::uint64_t cause : causes) {
    if (cause < first_) {
      if (const auto far = far_causes_.find(cause); far != far_causes_.end())
        p.cycle = std::max(p.cycle, far->second);
      continue;
    }
    open_packet& c = at(cause);
    if (c.done == step::finished) {
      p.cycle = std::max(p.cycle, c.cycle);
    } else {
      ++p.waits;
      c.dependents.push_back(number);
    }
  }
}

void dependency_source::plan(std::uint64_t number, cycle_t soonest) {
  open_packet& p = at(number);
  p.done = step::planned;
  p.cycle = std::max(soonest, p.earliest);
  planned_.emplace(p.cycle, number);
}

void dependency_source::finish(packet_id id, cycle_t now) {
  const auto found = number_of_.find(id);
  if (found == number_of_.end())  // of a state that was altered
    throw invariant_violation(0, "a packet that is not of the trace has ended");
  open_packet& p = at(found->second);
  number_of_.erase(found);
  p.done = step::finished;
  p.cycle = now;
  for (const std::uint64_t dependent : p.dependents) {
    open_packet& d = at(dependent);
    d.cycle = std::max(d.cycle, now);
    if (--d.waits == 0) plan(dependent, d.cycle + d.delay);
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
  for (; open_.size() > remembered && open_.front().done == step::finished; open_.pop_front(), ++first_)
    if (const auto far = far_causes_.find(first_); far != far_causes_.end())
      far->second = open_.front().cycle;
}

void dependency_source::archive(state_archive& a, cycle_t now, const packet_table& packets) {
  a.number(first_);
  const std::size_t count = a.size(open_.size());
  trace_packet packet;
  const auto read = [&] { a.require(input_.next(packet), "it has more packets than the trace"); };
  if (a.reads())
    for (std::uint64_t n = 0; n < first_; ++n) read();
  for (auto& [cause, received] : far_causes_)
    if (cause < first_) a.below(received, now);
  std::uint64_t created = first_, under_way = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (a.reads()) read();
    open_packet& p = a.reads() ? open(packet) : open_[i];
    auto done = static_cast<std::uint8_t>(p.done);
    a.below(done, 4);
    a.number(p.cycle);
    if (!a.reads()) continue;
    p.done = static_cast<step>(done);
    created += p.done == step::under_way || p.done == step::finished;
    a.require(p.done == step::planned ? p.cycle >= now && p.cycle <= std::max(now + p.delay, p.earliest)
                                      : p.cycle < now,
              "a packet is planned for another cycle");
    under_way += p.done == step::under_way;
    if (p.done == step::planned) planned_.emplace(p.cycle, packet.number);
    source_queue& queue = queues_[packet.source];
    if (p.in_order && p.done == step::waiting) queue.waiting.push_back(packet.number);
    if (p.in_order && (p.done == step::planned || p.done == step::under_way)) ++queue.under_way;
    if (p.in_order || p.done != step::waiting) continue;
    wait_for(packet.after, packet.number);
    a.require(p.waits > 0, "a packet waits for nothing");
  }
  for (const source_queue& queue : queues_)
    a.require(queue.under_way <= outstanding_ && (queue.waiting.empty() || queue.under_way == outstanding_),
              "a packet waits for nothing");
  if (a.reads()) created_ = packets.created();
  a.require(created == created_, "not as many packets were created as are of the trace");
  std::vector<bool> seen(open_.size());
  packets.for_each_alive([&](packet_id id, const packet_record& record) {
    // One that has been discarded is under way no more, though some of its flits may be.
    const auto known = number_of_.find(id);
    std::uint64_t place = known == number_of_.end() ? open_.size() : known->second - first_;
    a.below(place, open_.size() + 1);
    if (!a.reads() || place == open_.size()) return;
    const open_packet& p = open_[place];
    a.require(p.done == step::under_way && !seen[place] && p.request.source == record.source &&
                  p.request.destination == record.destination && p.request.flits == record.flits &&
                  p.request.message_class == record.message_class,
              "a packet is not one of those of the trace");
    seen[place] = true;
    number_of_[id] = first_ + place;
  });
  a.require(number_of_.size() == under_way, "a packet is not one of those of the trace");
}

}  // namespace toriscope
