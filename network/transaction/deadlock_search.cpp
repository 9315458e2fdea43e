// SPDX-License-Identifier: Apache-2.0
// Deadlock in the transaction-level network: what can move is taken away until nothing more can be; heads
// that are left wait for each other for ever.
#include <algorithm>
#include <utility>

#include "network/transaction/packet_model.h"

namespace toriscope {

/// The waiting head that the packet of this segment waits behind, its own perhaps; `no_segment` when it moves.
segment_id packet_model::waits_behind(segment_id s) const {
  for (;;) {
    while (segments_[s].down != no_segment) s = segments_[s].down;
    if (segments_[s].waiting) return s;
    const segment_id first = lanes_[segments_[s].lane].first;
    if (first == s || first == no_segment) return no_segment;
    s = first;
  }
}

/// Whether some VC that the head may take is free, or held by a packet that can move.
bool packet_model::may_get_vc(segment_id head, const std::vector<bool>& stuck) const {
  const segment& s = segments_[head];
  const transaction_channel& c = channel_of(s);
  route_option options[routing_function::max_options];
  const unsigned count = options_of(s, options);
  for (unsigned k = 0; k < count; ++k) {
    const unsigned channel = channel_of(c.to, options[k].out_port);
    for (const unsigned vc : vc_set(options[k].vcs)) {
      const segment_id owner = lanes_[channel * vcs_ + vc].last;
      if (!channels_[channel].owned.has(vc) || owner == no_segment) return true;
      const segment_id behind = waits_behind(owner);
      if (behind == no_segment || !stuck[behind]) return true;
    }
  }
  return false;
}

std::vector<segment_id> packet_model::frozen_heads(cycle_t now, cycle_t patience) const {
  std::vector<segment_id> heads;
  bool long_wait = false;
  for (const std::vector<segment_id>& at_node : waiting_)
    for (const segment_id head : at_node) {
      heads.push_back(head);
      long_wait |= now - segments_[head].head_due >= patience;
    }
  return long_wait ? only_waiting_for(std::move(heads)) : std::vector<segment_id>();
}

cycle_t packet_model::frozen_since(const std::vector<segment_id>& frozen) const {
  std::vector<cycle_t> candidates;
  for (const segment_id head : frozen) candidates.push_back(segments_[head].head_due);
  std::sort(candidates.begin(), candidates.end());
  return *std::partition_point(candidates.begin(), candidates.end(), [&](cycle_t cycle) {
    std::vector<segment_id> heads = frozen;
    heads.erase(std::remove_if(heads.begin(), heads.end(),
                               [&](segment_id head) { return segments_[head].head_due > cycle; }),
                heads.end());
    return only_waiting_for(std::move(heads)).empty();
  });
}

/// Those of the heads that wait for packets behind such heads only.
std::vector<segment_id> packet_model::only_waiting_for(std::vector<segment_id> heads) const {
  std::vector<bool> stuck(segments_.size());
  for (const segment_id head : heads) stuck[head] = true;
  for (std::size_t before = heads.size() + 1; heads.size() < before;) {
    before = heads.size();
    const auto moves = [&](segment_id head) {
      if (!may_get_vc(head, stuck)) return false;
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
  return "packet " + std::to_string(packet) + " from " + wiring_->terminal_address(record.source) + " to " +
         wiring_->terminal_address(record.destination) + " waits for a VC at " +
         wiring_->address(node_of(head));
}

}  // namespace toriscope
