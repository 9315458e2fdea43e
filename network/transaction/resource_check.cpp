// SPDX-License-Identifier: Apache-2.0
// What must never be lost at transaction level, between two cycles: every resource that is taken has an owner that
// lives, and everything that lives goes on - an event is due for it, or it waits for something that does.
//
//   VCs        owned by a segment of the lane, or about to be free (vc_free)
//   segments   stand in their lane, in the chain of their packet, and among those that compete or wait
//   packets    in a source queue, or with a segment
#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "network/transaction/packet_model.h"

namespace toriscope {
namespace {

constexpr cycle_t long_sleep = 1000;  ///< cycles without an arbitration where a flit and a credit are there

}  // namespace

/// Events that are due, by kind and what they are for.
struct packet_model::due_events {
  explicit due_events(const packet_model& model) : of_kind(kinds) {
    model.events_.for_each(
        [this](unsigned kind, std::uint32_t what, cycle_t) { of_kind[kind].insert(what); });
  }
  bool has(event kind, std::uint32_t what) const { return of_kind[kind].count(what) > 0; }
  std::vector<std::unordered_set<std::uint32_t>> of_kind;
};

std::string packet_model::place_of(std::uint32_t channel) const {
  const transaction_channel& c = channels_[channel];
  const node_id nodes = wiring_->node_count();
  if (c.by_vc) return wiring_->terminal_path(c.from - nodes) + ".reception";
  return wiring_->path(c.to) + (c.into_interface ? ".out_" : ".in_") +
         wiring_->port_name(c.to, static_cast<port_id>(c.to_port));
}

/// Live segments by lane, each once. Empty: all right.
std::string packet_model::check_lanes() const {
  std::vector<bool> unused(segments_.size()), seen(segments_.size());
  for (const segment_id s : unused_) unused[s] = true;
  std::size_t live = segments_.size() - unused_.size();
  for (lane_id lane = 0; lane < lanes_.size(); ++lane) {
    const std::string where = place_of(lane / vcs_) + ".vc" + std::to_string(lane % vcs_) + ": ";
    segment_id last = no_segment;
    for (segment_id s = lanes_[lane].first; s != no_segment; s = segments_[s].behind) {
      if (unused[s] || seen[s] || segments_[s].lane != lane)
        return where + "a packet that has left holds the buffer";
      seen[s] = true;
      last = s;
      --live;
    }
    if (last != lanes_[lane].last) return where + "its last packet is not the one that got the VC last";
  }
  return live == 0 ? "" : std::to_string(live) + " packets on VCs are in no buffer";
}

/// Each VC that no packet can get has an owner, and each owner has its VC.
std::string packet_model::check_vcs(const due_events& due) const {
  const bool atomic = config_.router.vc_reallocation == vc_reallocation::atomic;
  std::vector<std::pair<unsigned, unsigned>> ends(channels_.size());  // senders and readers
  for (lane_id lane = 0; lane < lanes_.size(); ++lane)
    for (segment_id s = lanes_[lane].first; s != no_segment; s = segments_[s].behind) {
      if (segments_[s].done) continue;
      ++ends[segments_[s].channel].first;
      if (segments_[s].up != no_segment) ++ends[segments_[s].in_channel].second;
    }
  for (std::uint32_t n = 0; n < channels_.size(); ++n) {
    const transaction_channel& c = channels_[n];
    if (c.senders != ends[n].first || c.readers != ends[n].second)
      return place_of(n) + ": " + std::to_string(c.senders) + " packets are counted before and " +
             std::to_string(c.readers) + " behind, and there are " + std::to_string(ends[n].first) + " and " +
             std::to_string(ends[n].second);
    if (c.by_vc || c.from >= wiring_->node_count()) continue;  // interfaces do not allocate
    for (unsigned v = 0; v < vcs_; ++v) {
      const lane_id lane = n * vcs_ + v;
      const segment_id last = lanes_[lane].last;
      const bool owner = last != no_segment && (!segments_[last].done || (atomic && c.limited));
      if (c.owned.has(v) == (owner || due.has(vc_free, lane))) continue;
      return place_of(n) + ".vc" + std::to_string(v) +
             (owner ? ": a packet holds the VC, and it is free"
                    : ": the VC is taken, and no packet holds it");
    }
  }
  return {};
}

/// A cycle in which all that is on its way has arrived.
cycle_t packet_model::settled() const { return events_.now() + (cycle_t{1} << 30); }

bool packet_model::can_send_later(const segment& s) const {
  return available(s, settled()) > 0 &&
         (!channel_of(s).limited || buffered(s, settled()) < channel_of(s).depth);
}

/// Whether the shared segment sleeps until a neighbour has its next slot. That may be so when flits or credits were on
/// their way as the neighbour became shared, and ends as the neighbour goes on: the one before can send, the one
/// behind has flits or has to get a VC.
bool packet_model::is_woken_by_neighbour(const segment& s) const {
  if (s.up != no_segment) {
    const segment& up = segments_[s.up];
    if (up.shared && up.sent < up.flits && buffered(up, settled()) < channel_of(up).depth) return true;
  }
  if (!channel_of(s).limited) return false;
  const segment& front = segments_[lanes_[s.lane].first];
  if (front.down == no_segment) return &front != &s || s.sent > 0;
  return segments_[front.down].shared && available(segments_[front.down], settled()) > 0;
}

/// What a segment that lives waits for. Null: it goes on; else what is missing.
const char* packet_model::what_stops(segment_id id, const due_events& due) const {
  const segment& s = segments_[id];
  const transaction_channel& c = channel_of(s);
  if (s.up != no_segment && segments_[s.up].down != id) return "its flits come from nowhere";
  if (s.down != no_segment && segments_[s.down].up != id) return "its flits go nowhere";
  if (!s.done && (!s.shared || s.sent == s.flits)) {
    const bool end_follows = !s.shared && s.up != no_segment && !segments_[s.up].done;
    if (s.end == never ? !end_follows : !due.has(tail_gone, id)) return "its tail is never sent";
  } else if (!s.done) {
    const std::vector<segment_id>& list = contending_[c.from];
    if (std::find(list.begin(), list.end(), id) == list.end()) return "it does not compete for the link";
    const bool arbitrates =
        due.has(arbitration, c.from) || events_.now() - last_arbitration_[c.from] < long_sleep;
    if (!arbitrates && can_send_later(s) && !is_woken_by_neighbour(s))
      return "it can send, and no arbitration is due";
  }
  if (!c.limited) return s.done && !due.has(received, id) ? "it is never received" : nullptr;
  if (s.down != no_segment) return nullptr;
  if (s.waiting) {
    const std::vector<segment_id>& heads = waiting_[c.to];
    return std::find(heads.begin(), heads.end(), id) == heads.end() ? "its head waits in no list" : nullptr;
  }
  if (s.head_due == never) return s.shared && s.sent == 0 ? nullptr : "its head is never due";
  return lanes_[s.lane].first == id && !due.has(head_ready, id) ? "its head does not ask for a VC" : nullptr;
}

std::string packet_model::check_resources() const {
  const due_events due(*this);
  std::string wrong = check_lanes();
  if (wrong.empty()) wrong = check_vcs(due);
  if (!wrong.empty()) return wrong;
  std::unordered_set<packet_id> found;
  for (std::uint32_t n = 0; n < queues_.size(); ++n) {
    const source_queue& q = queues_[n];
    for (packet_id p = q.first; p != no_packet; p = p == q.last ? no_packet : packets_[p].next)
      found.insert(p);
    if (q.first != no_packet && q.sending == no_segment && !due.has(start_packet, n))
      return wiring_->terminal_path(n / config_.message_classes) + ": packet " + std::to_string(q.first) +
             " is first in its source queue and is never sent";
  }
  for (lane_id lane = 0; lane < lanes_.size(); ++lane)
    for (segment_id s = lanes_[lane].first; s != no_segment; s = segments_[s].behind) {
      if (const char* const what = what_stops(s, due))
        return place_of(lane / vcs_) + ".vc" + std::to_string(lane % vcs_) + ": packet " +
               std::to_string(segments_[s].packet) + " stops: " + what;
      if (packets_.has(segments_[s].packet)) found.insert(segments_[s].packet);
    }
  vc_request granted;
  for (node_id n = 0; n < waiting_.size(); ++n)
    for (const segment_id head : waiting_[n])
      if (!due.has(allocate_again, n) && request_vc(head, granted))
        return describe(head) + ", of which one is free";
  return found.size() == packets_.alive()
             ? ""
             : std::to_string(packets_.alive()) + " packets are under way, and " +
                   std::to_string(found.size()) + " of them are in source queues or on links";
}

}  // namespace toriscope
