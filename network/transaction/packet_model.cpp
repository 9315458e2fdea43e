// SPDX-License-Identifier: Apache-2.0
#include "network/transaction/packet_model.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/hash.h"
#include "network/packet_check.h"
#include "network/router_kinds.h"
#include "topologies/wire_place.h"

namespace toriscope {

packet_model::packet_model(std::shared_ptr<const netlist> wiring,
                           std::shared_ptr<const routing_function> routing, const network_config& config)
    : wiring_(std::move(wiring)),
      routing_(std::move(routing)),
      config_(config),
      injection_(*routing_),
      compares_queues_(routing_->compares_queues()),
      vcs_(config.router.vcs) {
  const node_id nodes = wiring_->node_count();
  const terminal_id terminals = wiring_->terminal_count();
  const router_kinds kinds(*wiring_, config);
  const auto x = [&kinds](node_id n) { return kinds.of(n).timing.switch_to_sent; };
  for (const netlist_link& l : wiring_->links())
    channels_.push_back(
        make_channel(kinds.of(l.to), l.to, l.to_port, l.from, l.delay_cycles, l.flit_cycles, x(l.from)));
  for (terminal_id t = 0; t < terminals; ++t) {
    const netlist_terminal at = wiring_->terminal(t);
    channels_.push_back(
        make_channel(kinds.of(at.node), at.node, at.port, nodes + t, config_.injection_delay_cycles, 1, 0));
    channels_.back().crosses_link = false;
  }
  for (terminal_id t = 0; t < terminals; ++t) {
    const netlist_terminal at = wiring_->terminal(t);
    channels_.push_back(make_channel(kinds.of(at.exit), at.exit, at.exit_port, at.exit,
                                     config_.ejection_delay_cycles, 1, x(at.exit)));
    transaction_channel& c = channels_.back();
    c.crosses_link = false;
    c.into_interface = true;
    c.limited = config_.limited_reception;
    if (!c.limited) c.can_be_uncontended = true;
  }
  for (terminal_id t = 0; config_.limited_reception && t < terminals; ++t) {
    channels_.emplace_back();
    channels_.back().from = nodes + t;
    channels_.back().crosses_link = false;
    channels_.back().limited = false;
    channels_.back().by_vc = true;
  }
  for (node_id n = 0; n < nodes; ++n) {
    first_out_.push_back(static_cast<std::uint32_t>(out_channels_.size()));
    for (port_id p = 0; p < wiring_->port_count(n); ++p)
      out_channels_.push_back(static_cast<std::uint32_t>(wire_out_of(*wiring_, n, p)));
  }
  unsigned longest = 0;
  for (const transaction_channel& c : channels_)
    longest = std::max<unsigned>({longest, c.depth, c.lag, c.credit_lag + (compares_queues_ ? c.rc : 0u)});
  while (history_ < longest + 1) history_ = history_ * 2 + 1;
  lanes_.resize(channels_.size() * vcs_);
  queues_.resize(std::size_t{terminals} * config_.message_classes);
  waiting_.resize(nodes);
  contending_.resize(std::size_t{nodes} + terminals);
  last_arbitration_.resize(contending_.size(), never);
  is_allocating_.resize(nodes);
}

transaction_channel packet_model::make_channel(const router_kind& to_kind, node_id to, unsigned to_port,
                                               std::uint32_t from, unsigned delay, unsigned flit_cycles,
                                               unsigned grant_to_sent) const {
  transaction_channel c;
  c.from = from;
  c.to = to;
  c.to_port = static_cast<std::uint16_t>(to_port);
  c.lag = static_cast<std::uint16_t>(grant_to_sent + delay + flit_cycles - 1);
  c.credit_lag = static_cast<std::uint16_t>(delay + config_.credit_delay_cycles);
  c.flit_cycles = static_cast<std::uint8_t>(flit_cycles);
  c.vcs = static_cast<std::uint8_t>(to_kind.config.vcs);
  c.depth = static_cast<std::uint8_t>(to_kind.config.depth);
  c.rc = static_cast<std::uint8_t>(to_kind.timing.rc);
  c.head_va = static_cast<std::uint8_t>(to_kind.timing.head_va);
  c.can_be_uncontended = c.depth * c.flit_cycles >= c.lag + c.credit_lag + c.rc + c.head_va;
  return c;
}

void packet_model::create(const packet_request& request, cycle_t now) {
  check_packet(request, wiring_->terminal_count(), config_.message_classes);
  events_.advance(now);
  const packet_id packet = packets_.create(request, now);
  turns_.give(packets_[packet], injection_, wiring_->terminal_count());
  ++counters_.packets_created;
  counters_.flits_created += request.flits;
  const std::uint32_t number = request.source * config_.message_classes + request.message_class;
  source_queue& q = queues_[number];
  if (q.first == no_packet) {
    q.first = packet;
    events_.add(start_packet, number, now);
  } else {
    packets_[q.last].next = packet;
  }
  q.last = packet;
}

void packet_model::do_cycle(cycle_t now) {
  events_.begin(now);
  events_.take(tail_gone, [&](std::uint32_t s) { take_tail(s, now); });
  events_.take(vc_free, [&](std::uint32_t lane) {
    channels_[lane / vcs_].owned.remove(lane % vcs_);
    want_allocation(channels_[lane / vcs_].from);
  });
  events_.take(start_packet, [&](std::uint32_t queue) { start(queue, now); });
  events_.take(head_ready, [&](std::uint32_t s) { head_arrives(s, now); });
  events_.take(allocate_again, [&](std::uint32_t n) { want_allocation(n); });
  for (std::size_t i = 0; i < allocating_.size(); ++i) allocate(allocating_[i], now);
  for (const node_id n : allocating_) is_allocating_[n] = false;
  allocating_.clear();
  events_.take(arbitration, [&](std::uint32_t stepper) { arbitrate(stepper, now); });
  events_.take(received, [&](std::uint32_t s) { receive(s, now); });
  events_.end();
}

segment_id packet_model::new_segment() {
  if (unused_.empty()) {
    segments_.emplace_back();
    slots_.resize(segments_.size() * (history_ + 1));
    return static_cast<segment_id>(segments_.size() - 1);
  }
  const segment_id s = unused_.back();
  unused_.pop_back();
  segments_[s] = segment{};
  return s;
}

/// The interface sends the first packet of a source queue, if a VC of its router has space.
void packet_model::start(std::uint32_t queue, cycle_t now) {
  source_queue& q = queues_[queue];
  if (q.first == no_packet || q.sending != no_segment) return;
  const terminal_id t = queue / config_.message_classes;
  const unsigned m = queue % config_.message_classes;
  const auto channel = static_cast<unsigned>(wiring_->links().size()) + t;
  const unsigned vcs = channels_[channel].vcs;
  const unsigned each = config_.shared_classes ? vcs : vcs / config_.message_classes;
  const unsigned first = config_.shared_classes ? 0 : m * each;
  for (unsigned k = 0; k < each; ++k) {
    const unsigned vc = first + (q.vc_pointer + k) % each;
    const lane_id lane = channel * vcs_ + vc;
    if (lanes_[lane].last != no_segment) {
      const segment& before = segments_[lanes_[lane].last];
      if (!before.done || buffered(before, now) >= channels_[channel].depth) continue;
    }
    q.vc_pointer = static_cast<std::uint16_t>((vc + 1 - first) % each);
    const segment_id s = new_segment();
    segment& made = segments_[s];
    made.packet = q.first;
    made.start = now;
    made.flits = packets_[q.first].flits;
    made.destination = packets_[q.first].destination;
    made.lane = lane;
    made.channel = channel;
    made.in_port = static_cast<std::uint16_t>(m);
    made.state = injection_.of(q.first, packets_[q.first]);
    packets_[q.first].head_sent = now;
    q.sending = s;
    return join(s, now);
  }
  events_.add(start_packet, queue, now + 1);
}

/// The tail of segment s had its slot in the cycle before.
void packet_model::take_tail(segment_id id, cycle_t now) {
  segment& s = segments_[id];
  if (s.done || s.end + 1 != now) return;
  s.done = true;
  transaction_channel& c = channel_of(s);
  leave(s);
  c.flits += s.flits;
  if (c.flit_cycles > 1) c.busy_until = std::max(c.busy_until, s.end + c.flit_cycles);
  const bool atomic = config_.router.vc_reallocation == vc_reallocation::atomic && c.limited;
  if (s.up == no_segment) {  // it was the interface's
    packet_record& record = packets_[s.packet];
    counters_.flits_injected += s.flits;
    if (gate_) gate_->packet_sent(s.packet, record, s.end);
    const std::uint32_t queue = record.source * config_.message_classes + record.message_class;
    source_queue& q = queues_[queue];
    q.first = record.next;
    q.sending = no_segment;
    if (q.first != no_packet) events_.add(start_packet, queue, now);
  } else {
    const segment_id up = s.up;
    s.up = no_segment;
    leave_buffer(up, now);
    if (!atomic && !c.by_vc) {
      c.owned.remove(s.lane % vcs_);
      if (!waiting_[c.from].empty()) want_allocation(c.from);
    }
  }
  if (c.by_vc) {
    hand_over(id);
  } else if (!c.limited) {
    events_.add(received, id, s.end + c.lag);
  } else if (s.down != no_segment && !segments_[s.down].shared) {
    know_end(segments_[s.down], s.down);
  }
}

/// The last flit of segment s has left the buffer behind its lane.
void packet_model::leave_buffer(segment_id id, cycle_t now) {
  const segment& s = segments_[id];
  transaction_lane& lane = lanes_[s.lane];
  const transaction_channel& c = channel_of(s);
  lane.first = s.behind;
  lane.left = now - 1;
  lane.left_flits = s.flits;
  if (s.behind == no_segment) {
    lane.last = no_segment;
  } else if (segments_[s.behind].head_due != never) {
    segment& next = segments_[s.behind];
    set_head_due(s.behind, std::max(next.head_due, now));
  }
  if (config_.router.vc_reallocation == vc_reallocation::atomic && (c.crosses_link || c.into_interface))
    events_.add(vc_free, s.lane, now + c.credit_lag);
  unused_.push_back(id);
}

/// The head of segment s is in the buffer behind it from cycle `when` on.
void packet_model::set_head_due(segment_id id, cycle_t when) {
  segment& s = segments_[id];
  s.head_due = when;
  if (lanes_[s.lane].first == id)
    events_.add(head_ready, id, when + (channel_of(s).into_interface ? 0 : channel_of(s).rc));
}

void packet_model::receive(segment_id id, cycle_t now) {
  const segment& s = segments_[id];
  const packet_record& record = packets_[s.packet];
  ++counters_.packets_received;
  counters_.flits_ejected += s.flits;
  packet_hash_ += mix(record.source, record.destination, record.created, now);
  for (std::size_t i = 0, count = sinks_.size(); i < count; ++i)  // a sink may add others
    sinks_[i]->packet_received(s.packet, record, now);
  packets_.retire(s.packet);
  if (!channel_of(s).by_vc) hand_over(id);
}

/// The packet of segment s is no longer the interface's.
void packet_model::hand_over(segment_id id) {
  transaction_lane& lane = lanes_[segments_[id].lane];
  lane.first = segments_[id].behind;
  if (lane.first == no_segment) lane.last = no_segment;
  unused_.push_back(id);
}

/// Limited reception: the head of segment s is at the front of a buffer of its destination's interface.
void packet_model::admit(segment_id id, cycle_t now) {
  const segment& head = segments_[id];
  if (gate_ && !gate_->admit(head.packet, packets_[head.packet], now)) {
    share(id, now);
    return set_head_due(id, now + 1);
  }
  const segment_id made = new_segment();
  segment& up = segments_[id];
  segment& s = segments_[made];
  up.down = made;
  s.packet = up.packet;
  s.flits = up.flits;
  s.start = now;
  s.up = id;
  s.channel = up.channel + wiring_->terminal_count();
  s.lane = up.lane + wiring_->terminal_count() * vcs_;
  s.in_channel = up.channel;
  s.lag = channel_of(up).lag;
  join(made, now);
  wake_feeder(up.lane, now + channel_of(up).credit_lag);
}

std::string packet_model::check_conservation() const {
  const network_counters& c = counters_;
  if (c.packets_created == c.packets_received + packets_.alive()) return check_resources();
  return "of " + std::to_string(c.packets_created) + " packets " + std::to_string(c.packets_received) +
         " were received and " + std::to_string(packets_.alive()) + " are under way";
}

}  // namespace toriscope
