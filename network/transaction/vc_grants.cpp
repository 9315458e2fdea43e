// SPDX-License-Identifier: Apache-2.0
// VC allocation of the transaction-level network: separable, input first, round robin, as docs/model.md has
// it, among the heads that wait at a node.
#include <algorithm>

#include "base/bit_set.h"
#include "network/transaction/packet_model.h"

namespace toriscope {

void packet_model::want_allocation(node_id n) {
  if (is_allocating_[n] || waiting_[n].empty()) return;
  is_allocating_[n] = true;
  allocating_.push_back(n);
}

void packet_model::head_arrives(segment_id id, cycle_t now) {
  segment& s = segments_[id];
  const transaction_channel& c = channel_of(s);
  const bool at_interface = c.into_interface;
  if (s.waiting || s.down != no_segment || s.head_due == never) return;
  if (s.head_due + (at_interface ? 0 : c.rc) != now) return;
  if (at_interface) return admit(id, now);
  if (compares_queues_) keep_one_option(s, now - c.rc);
  const node_id n = c.to;
  vc_request w;
  if (waiting_[n].empty() && request_vc(id, w)) return grant(w, now);
  s.waiting = true;
  waiting_[n].push_back(id);
  want_allocation(n);
}

/// What the head of this segment asks for. Returns whether any of its options has a free VC.
bool packet_model::request_vc(segment_id head, vc_request& w) const {
  const segment& s = segments_[head];
  const transaction_channel& c = channel_of(s);
  const unsigned vc = s.lane - s.channel * vcs_;
  route_option options[routing_function::max_options];
  const unsigned count = options_of(s, options);
  for (unsigned k = 0; k < count; ++k) {
    const unsigned channel = channel_of(c.to, options[k].out_port);
    const vc_set free = vc_set(options[k].vcs) - channels_[channel].owned;
    if (!free) continue;
    w.head = head;
    w.channel = channel;
    w.lane = channel * vcs_ + free.first_at_or_after(lanes_[s.lane].vc_pointer);
    w.index = c.to_port * vcs_ + vc;
    w.option = options[k];
    return true;
  }
  return false;
}

/// The options of a head, of which it may have kept one.
unsigned packet_model::options_of(const segment& s, route_option* options) const {
  const transaction_channel& c = channel_of(s);
  const auto vc = static_cast<std::uint8_t>(s.lane - s.channel * vcs_);
  const unsigned count =
      routing_->route({c.to, static_cast<port_id>(c.to_port), vc, s.destination, s.state}, options);
  if (s.kept == segment::all_options) return count;
  options[0] = options[s.kept];
  return 1;
}

/// Where queues are compared: of several options the head keeps the one of the least queue times weight.
void packet_model::keep_one_option(segment& s, cycle_t routed) const {
  route_option options[routing_function::max_options];
  const unsigned count = options_of(s, options);
  if (count < 2) return;
  const transaction_channel& c = channel_of(s);
  unsigned weights[routing_function::max_options];
  routing_->weigh({c.to, static_cast<port_id>(c.to_port),
                   static_cast<std::uint8_t>(s.lane - s.channel * vcs_), s.destination, s.state},
                  count, weights);
  std::uint32_t least = ~0u;
  for (unsigned k = 0; k < count; ++k) {
    const std::uint32_t cost = queue_behind(channel_of(c.to, options[k].out_port), routed) * weights[k];
    if (cost < least) least = cost, s.kept = static_cast<std::uint8_t>(k);
  }
}

void packet_model::allocate(node_id n, cycle_t now) {
  std::vector<segment_id>& heads = waiting_[n];
  if (heads.size() == 1) {
    const segment_id head = heads.front();
    vc_request w;
    if (!request_vc(head, w)) return wait_for_vc(head, now);
    heads.clear();
    return grant(w, now);
  }
  vc_requests_.clear();
  for (const segment_id head : heads) {
    vc_request w;
    if (request_vc(head, w))
      vc_requests_.push_back(w);
    else
      wait_for_vc(head, now);
  }
  pick_winners(n, now);
  for (const vc_request& w : winners_) {
    heads.erase(std::find(heads.begin(), heads.end(), w.head));
    grant(w, now);
  }
  if (winners_.size() < vc_requests_.size()) events_.add(allocate_again, n, now + 1);
}

/// Of those that ask for the same VC, the first input VC at or after its pointer.
void packet_model::pick_winners(node_id n, cycle_t now) {
  winners_.clear();
  const unsigned inputs = wiring_->port_count(n) * vcs_;
  for (const vc_request& w : vc_requests_) {
    const unsigned pointer = lanes_[w.lane].owner_pointer;
    const auto distance = [&](const vc_request& other) { return (other.index + inputs - pointer) % inputs; };
    const bool wins = std::none_of(vc_requests_.begin(), vc_requests_.end(), [&](const vc_request& other) {
      return other.lane == w.lane && distance(other) < distance(w);
    });
    if (wins)
      winners_.push_back(w);
    else
      wait_for_vc(w.head, now);
  }
}

/// The buffer that the head stands in fills up from behind.
void packet_model::wait_for_vc(segment_id head, cycle_t now) { share(head, now); }

void packet_model::grant(const vc_request& w, cycle_t now) {
  const segment_id id = new_segment();
  segment& up = segments_[w.head];
  segment& s = segments_[id];
  up.waiting = false;
  up.down = id;
  s.packet = up.packet;
  s.flits = up.flits;
  s.up = w.head;
  s.lane = w.lane;
  s.channel = w.channel;
  s.in_channel = up.channel;
  s.lag = channel_of(up).lag;
  s.state = w.option.state;
  s.start = now + channel_of(up).head_va;
  s.in_port = channel_of(up).to_port;
  s.in_vc = static_cast<std::uint16_t>(up.lane - up.channel * vcs_);
  const unsigned vc = w.lane - w.channel * vcs_;
  lanes_[up.lane].vc_pointer = static_cast<std::uint16_t>(vc + 1 == vcs_ ? 0 : vc + 1);
  lanes_[w.lane].owner_pointer = static_cast<std::uint16_t>(w.index + 1);
  transaction_channel& c = channel_of(s);
  s.every = c.flit_cycles;
  c.owned.add(vc);
  s.destination = up.destination;
  s.hops = up.hops + c.crosses_link;
  if (!c.crosses_link) packets_[s.packet].hops = s.hops & 0xfffffffu;
  join(id, now);
  if (outpaces_reader(segments_[w.head])) share(w.head, now);
  wake_feeder(segments_[w.head].lane, segments_[id].start + channel_of(segments_[w.head]).credit_lag);
}

}  // namespace toriscope
