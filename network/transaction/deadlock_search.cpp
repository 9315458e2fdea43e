// SPDX-License-Identifier: Apache-2.0
// Deadlock in the transaction-level network: what can move is taken away until nothing more can be; heads
// that are left wait for each other for ever.
//
//   head     the first segment of a packet, with no other one behind it yet
//   waits    it wants a VC that others hold, or is behind another packet in a buffer, or on its way into one
#include <algorithm>
#include <utility>

#include "network/transaction/packet_model.h"

namespace toriscope {

/// Whether the tail of a packet may come by here, its segment `s`: its head goes on, or its flits come closer to it.
bool packet_model::may_pass(segment_id s, const std::vector<bool>& stuck, cycle_t now) const {
  for (;; s = segments_[s].down) {
    const segment& at = segments_[s];
    if (!at.done && (at.end != never || held(at, now, now) < channel_of(at).depth)) return true;
    if (at.down == no_segment) return !stuck[s];
  }
}

/// Whether what the head waits for may come: the packet before it leaves the buffer, or some VC that it may take is
/// free, or may become so.
bool packet_model::may_go_on(segment_id head, const std::vector<bool>& stuck, cycle_t now) const {
  const segment& s = segments_[head];
  if (const segment_id first = lanes_[s.lane].first; first != head) return may_pass(first, stuck, now);
  const transaction_channel& c = channel_of(s);
  route_option options[routing_function::max_options];
  const unsigned count = options_of(s, options);
  for (unsigned k = 0; k < count; ++k) {
    const unsigned channel = channel_of(c.to, options[k].out_port);
    for (const unsigned vc : vc_set(options[k].vcs)) {
      const segment_id owner = lanes_[channel * vcs_ + vc].last;
      if (!channels_[channel].owned.has(vc) || owner == no_segment || may_pass(owner, stuck, now)) return true;
    }
  }
  return false;
}

/// Of a head that waits.
cycle_t packet_model::waits_since(segment_id head) const {
  const segment& s = segments_[head];
  return s.head_due != never ? s.head_due : s.start;
}

std::vector<segment_id> packet_model::frozen_heads(cycle_t now, cycle_t patience) const {
  std::vector<segment_id> heads;
  bool long_wait = false;
  for (const transaction_lane& lane : lanes_)
    for (segment_id id = lane.first; id != no_segment; id = segments_[id].behind) {
      if (waits_since(id) > now || (id == lane.first && !segments_[id].waiting)) continue;
      heads.push_back(id);
      long_wait |= now - waits_since(id) >= patience;
    }
  return long_wait ? only_waiting_for(std::move(heads), now) : std::vector<segment_id>();
}

cycle_t packet_model::frozen_since(const std::vector<segment_id>& frozen, cycle_t now) const {
  std::vector<cycle_t> candidates;
  for (const segment_id head : frozen) candidates.push_back(waits_since(head));
  std::sort(candidates.begin(), candidates.end());
  return *std::partition_point(candidates.begin(), candidates.end(), [&](cycle_t cycle) {
    std::vector<segment_id> heads = frozen;
    heads.erase(std::remove_if(heads.begin(), heads.end(),
                               [&](segment_id head) { return waits_since(head) > cycle; }),
                heads.end());
    return only_waiting_for(std::move(heads), now).empty();
  });
}

/// Those of the heads that wait for packets of such heads only.
std::vector<segment_id> packet_model::only_waiting_for(std::vector<segment_id> heads, cycle_t now) const {
  std::vector<bool> stuck(segments_.size());
  for (const segment_id head : heads) stuck[head] = true;
  for (std::size_t before = heads.size() + 1; heads.size() < before;) {
    before = heads.size();
    const auto moves = [&](segment_id head) {
      if (!may_go_on(head, stuck, now)) return false;
      stuck[head] = false;
      return true;
    };
    heads.erase(std::remove_if(heads.begin(), heads.end(), moves), heads.end());
  }
  return heads;
}

std::string packet_model::describe(segment_id head) const {
  const packet_id packet = segments_[head].packet;
  const packet_record& record = packets_[packet];
  const bool at_front = lanes_[segments_[head].lane].first == head;
  return "packet " + std::to_string(packet) + " from " + wiring_->terminal_address(record.source) + " to " +
         wiring_->terminal_address(record.destination) +
         (at_front ? " waits for a VC at " : " waits behind another one at ") + wiring_->address(node_of(head));
}

}  // namespace toriscope
