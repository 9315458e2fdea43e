// SPDX-License-Identifier: Apache-2.0
// Sharing in the transaction-level network. A segment that is alone is uncontended: when its flits pass is known
// from its head. Where segments meet, or a buffer fills up, they compete flit by flit: separable, input
// first, round robin, with credits.
#include <algorithm>

#include "network/transaction/packet_model.h"

namespace toriscope {

void packet_model::wake(std::uint32_t stepper, cycle_t when) { events_.add(arbitration, stepper, when); }

/// The segment that sends into this lane asks again: there is a credit, or will be.
void packet_model::wake_feeder(lane_id lane, cycle_t when) {
  const segment_id last = lanes_[lane].last;
  if (last == no_segment || !segments_[last].shared || segments_[last].done) return;
  wake(channels_[lane / vcs_].from, when);
}

/// Flits of the segment that have had their slot in cycle t or before; t is not before its last few slots. It may be
/// less than 0, modulo 2^64.
std::uint32_t packet_model::sent_by(const segment& s, cycle_t t) const {
  if (static_cast<std::int64_t>(t) < 0) return 0;  // a credit's delay before the first cycle
  if (t >= s.end) return s.flits;
  if (s.shared || t < s.alone_from) {
    const std::uint32_t* const slots = &slots_[slots_of(id_of(s))];
    std::uint32_t n = s.sent;
    const std::uint32_t oldest = n > history_ ? n - history_ : 0;
    while (n > oldest &&
           static_cast<std::int32_t>(slots[(n - 1) & history_] - static_cast<std::uint32_t>(t)) > 0)
      --n;
    return n;
  }
  if (t < s.start) return 0;
  const unsigned every = s.every;
  const cycle_t since = every == 1 ? t - s.start : (t - s.start) / every;
  auto n = static_cast<std::uint32_t>(std::min<cycle_t>(since + 1, s.flits));
  if (s.end != never && s.up != no_segment && segments_[s.up].shared) {
    if (n > 1) n = std::min(n, std::max(1u, sent_by(segments_[s.up], t - s.lag - s.held)));
  } else if (s.end != never) {
    const cycle_t left = every == 1 ? s.end - t : (s.end - t + every - 1) / every;
    n = std::min<std::uint32_t>(n, s.flits - static_cast<std::uint32_t>(std::min<cycle_t>(left, s.flits)));
  } else if (s.up != no_segment && n > 1)
    n = std::min(n, std::max(1u, sent_by(segments_[s.up], t - s.lag - s.held)));
  return n;
}

/// Flits in the buffer before the segment, or in its interface, not yet sent.
std::uint32_t packet_model::available(const segment& s, cycle_t now) const {
  const std::uint32_t arrived = s.up == no_segment ? s.flits : sent_by(segments_[s.up], now - s.lag);
  return arrived > s.sent ? arrived - s.sent : 0;
}

/// Flits of the segment, and of the packets before it in its lane, that are in the buffer or on their way in `now`,
/// less those that have left it in cycle `then` or before. Its own slot in `now` is not counted.
std::uint32_t packet_model::held(const segment& s, cycle_t now, cycle_t then) const {
  std::uint32_t sum = 0;
  for (segment_id id = lanes_[s.lane].first; id != no_segment; id = segments_[id].behind) {
    const segment& q = segments_[id];
    if (&q == &s && sum + s.sent < channel_of(s).depth && s.shared)
      return sum + s.sent;  // at most: a credit is left in any case
    const std::uint32_t in = q.shared ? q.sent : sent_by(q, now - 1);
    const std::uint32_t out = q.down == no_segment ? 0 : sent_by(segments_[q.down], then);
    sum += in > out ? in - out : 0;
    if (&q == &s) break;
  }
  return sum;
}

/// Flits that have gone over the channel, and whose credits have not come back, in `now`. Of packets that have left the
/// buffers behind it the last one of each VC counts, as if its flits had left one after the other.
std::uint32_t packet_model::queue_behind(std::uint32_t channel, cycle_t now) const {
  const transaction_channel& c = channels_[channel];
  if (!c.limited) return 0;
  const cycle_t returned = now - c.credit_lag;  // less than 0, modulo 2^64, where no credit has come back yet
  std::uint32_t sum = 0;
  for (unsigned v = 0; v < vcs_; ++v) {
    const transaction_lane& lane = lanes_[channel * vcs_ + v];
    if (static_cast<std::int64_t>(lane.left - returned) > 0)
      sum += std::min(lane.left_flits, static_cast<std::uint32_t>(lane.left - returned));
    for (segment_id id = lane.first; id != no_segment; id = segments_[id].behind) {
      const segment& s = segments_[id];
      const std::uint32_t in = sent_by(s, now - 1);
      const std::uint32_t out = s.down == no_segment ? 0 : sent_by(segments_[s.down], returned);
      sum += in > out ? in - out : 0;
    }
  }
  return sum;
}

/// Calls f for each segment that sends over the channel.
template <class Function>
void packet_model::for_senders(std::uint32_t channel, Function f) const {
  for (unsigned v = 0; v < vcs_; ++v) {
    const segment_id s = lanes_[channel * vcs_ + v].last;
    if (s != no_segment && !segments_[s].done) f(s);
  }
}

/// Calls f for each segment that sends what comes in by the channel.
template <class Function>
void packet_model::for_readers(std::uint32_t channel, Function f) const {
  for (unsigned v = 0; v < vcs_; ++v) {
    const segment_id first = lanes_[channel * vcs_ + v].first;
    if (first == no_segment) continue;
    const segment_id s = segments_[first].down;
    if (s != no_segment && !segments_[s].done) f(s);
  }
}

/// Whether the segment meets others that it has to compete with. Those that come in by the same channel as
/// it does, uncontended, and leave by the same, have been put in a row already: a flit a cycle.
bool packet_model::clashes(const segment& s) const {
  const transaction_channel& out = channel_of(s);
  if (out.by_vc) return false;
  bool clash = false;
  if (out.senders > 0) {
    clash = s.up == no_segment || out.flit_cycles > 1;
    for_senders(s.channel, [&](segment_id other) {
      clash |= segments_[other].shared || segments_[other].in_channel != s.in_channel;
    });
  }
  if (s.up != no_segment && channels_[s.in_channel].readers > 0)
    for_readers(s.in_channel, [&](segment_id other) { clash |= segments_[other].shared; });
  return clash;
}

/// All segments that meet segment s compete from now on.
void packet_model::share_around(const segment& s, cycle_t now) {
  const std::uint32_t in = s.in_channel;
  const std::uint32_t out = s.channel;
  const auto share_too = [this, now](segment_id other) { share(other, now); };
  if (channels_[out].senders > 1) for_senders(out, share_too);
  if (in != no_channel && channels_[in].readers > 1) for_readers(in, share_too);
}

/// Uncontended segments in a row leave no gaps in which bodies could catch up with their heads.
void packet_model::keep_in_row(segment& s) {
  const transaction_channel& in = channels_[s.in_channel];
  s.held = static_cast<std::uint8_t>(in.rc + in.head_va);
  for_senders(s.channel, [this, &s](segment_id other) { segments_[other].held = s.held; });
}

/// A new segment begins.
void packet_model::join(segment_id id, cycle_t now) {
  segment& s = segments_[id];
  transaction_channel& out = channel_of(s);
  transaction_lane& lane = lanes_[s.lane];
  const bool empty = lane.first == no_segment;
  const bool alone =
      out.can_be_uncontended && (empty || !out.limited) && s.start >= out.busy_until && !clashes(s);
  if (alone && out.senders > 0 && !out.by_vc && channels_[s.in_channel].flit_cycles == 1) keep_in_row(s);
  if (s.up != no_segment) ++channels_[s.in_channel].readers;
  ++out.senders;
  if (empty)
    lane.first = id;
  else
    segments_[lane.last].behind = id;
  lane.last = id;
  if (alone) {
    know_end(s, id);
    if (out.limited) set_head_due(id, s.start + out.lag);
  } else {
    s.shared = true;
    contending_[out.from].push_back(id);
    wake(out.from, s.start);
    // Its head may go in the cycle in which it comes: bodies behind it were sent when the segment did not exist.
    if (s.up != no_segment && channels_[s.in_channel].rc + channels_[s.in_channel].head_va == 0 &&
        out.flit_cycles == 1)
      wake_for_what_is_on_its_way(s, now);
    share_around(s, now);
  }
}

void packet_model::leave(const segment& s) {
  transaction_channel& out = channels_[s.channel];
  --out.senders;
  if (out.senders == 1 && !out.by_vc)
    for_senders(s.channel, [this](segment_id other) {
      if (segments_[other].end == never) segments_[other].held = 0;
    });
  if (s.up != no_segment) --channels_[s.in_channel].readers;
}

/// A uncontended segment knows when its tail passes once it is known when that arrives.
void packet_model::know_end(segment& s, segment_id id) {
  const cycle_t own = s.start + cycle_t{s.flits - 1} * channel_of(s).flit_cycles;
  if (s.up == no_segment)
    s.end = own;
  else if (segments_[s.up].done)
    s.end = std::max(own, segments_[s.up].end + s.lag + s.held);
  else
    return;
  events_.add(tail_gone, id, s.end + 1);
  if (channel_of(s).by_vc) events_.add(received, id, s.end);
}

/// The last slots of an uncontended segment, that of flit sent - 1 in cycle `last`. Where its flits came with gaps, so
/// do the slots.
void packet_model::note_slots(const segment& s, std::uint32_t sent, cycle_t last) {
  // Those before were noted when it was shared, or sent_by() does not ask for them.
  const std::uint32_t fresh = std::min(sent - s.sent, history_);
  if (fresh == 0) return;
  std::uint32_t* const slots = &slots_[slots_of(id_of(s))];
  const bool in_a_row = sent_by(s, last - cycle_t{fresh - 1} * s.every) == sent - fresh + 1;
  for (std::uint32_t flit = sent; flit > sent - fresh; --flit, last -= s.every) {
    while (!in_a_row && sent_by(s, last - 1) == flit) --last;
    slots[(flit - 1) & history_] = static_cast<std::uint32_t>(last);
  }
}

/// From cycle `now` on the segment competes for each slot, if it does not yet and its tail has not gone.
void packet_model::share(segment_id id, cycle_t now) {
  segment& s = segments_[id];
  if (s.shared || s.done) return;
  transaction_channel& c = channel_of(s);
  const std::uint32_t sent = sent_by(s, now - 1);
  if (sent == s.flits) return;  // its tail has just gone
  cycle_t last = now - 1;       // slot
  while (sent > 0 && last + std::max<cycle_t>(history_, c.flit_cycles) > now && sent_by(s, last - 1) == sent)
    --last;
  if (sent > 0 && c.flit_cycles > 1) c.busy_until = std::max(c.busy_until, last + c.flit_cycles);
  if (sent > 0) point_behind(s);
  note_slots(s, sent, last);
  s.shared = true;
  s.sent = sent;
  s.end = never;
  s.held = 0;
  s.start = std::max(s.start, now);
  if (sent == 0) s.head_due = never;
  contending_[c.from].push_back(id);
  wake(c.from, s.start);
  wake_for_what_is_on_its_way(s, now);
  share_around(s, now);
}

/// Neighbours of an uncontended segment look at it in each cycle; each slot of a shared one wakes them. A segment that
/// has just become shared wakes them, and itself, for the flits and credits of slots before.
void packet_model::wake_for_what_is_on_its_way(const segment& s, cycle_t now) {
  const transaction_channel& c = channel_of(s);
  for (cycle_t k = 1; k <= s.lag && s.up != no_segment; ++k) wake(c.from, now + k);
  if (s.sent == 0) return;
  for (cycle_t k = 0; s.up != no_segment && k <= channels_[s.in_channel].credit_lag; ++k)
    wake_feeder(segments_[s.up].lane, now + k);
  for (cycle_t k = 0; s.down != no_segment && is_contending(s.down) && k <= c.lag; ++k) wake(c.to, now + k);
}

/// The shared segment is alone again.
void packet_model::become_uncontended(segment_id id, cycle_t now) {
  segment& s = segments_[id];
  s.shared = false;
  s.alone_from = now;
  s.start = now - cycle_t{s.sent - 1} * channel_of(s).flit_cycles;
  know_end(s, id);
  if (s.up != no_segment) wake_feeder(segments_[s.up].lane, now + 1);
  if (s.down != no_segment && segments_[s.down].shared) wake(channel_of(segments_[s.down]).from, now + 1);
}

void packet_model::send_flit(segment_id id, cycle_t now) {
  segment& s = segments_[id];
  transaction_channel& c = channel_of(s);
  slots_[slots_of(id) + (s.sent & history_)] = static_cast<std::uint32_t>(now);
  ++s.sent;
  if (c.flit_cycles > 1) c.busy_until = now + c.flit_cycles;
  if (s.sent == 1) {
    if (s.up == no_segment) packets_[s.packet].head_sent = now;
    if (c.limited) set_head_due(id, now + c.lag);
  } else if (s.down != no_segment && is_contending(s.down)) {
    wake(c.to, now + c.lag);
  }
  if (s.up != no_segment) wake_feeder(segments_[s.up].lane, now + channels_[s.in_channel].credit_lag);
  if (s.sent == s.flits) {
    s.end = now;
    events_.add(tail_gone, id, now + 1);
  }
}

void packet_model::arbitrate(std::uint32_t stepper, cycle_t now) {
  if (last_arbitration_[stepper] == now) return;
  last_arbitration_[stepper] = now;
  ask_for_slots(stepper, now);
  grant_slots(now);
  bool again = false;
  std::vector<segment_id>& list = contending_[stepper];
  list.clear();
  for (const slot_request& r : slot_requests_) {
    const segment& s = segments_[r.id];
    if (s.sent == s.flits) continue;
    if (after_arbitration(r, now)) again = true;
    if (segments_[r.id].shared) list.push_back(r.id);
  }
  if (again) wake(stepper, now + 1);
}

/// Segments with a flit and a credit ask; each input port picks one.
void packet_model::ask_for_slots(std::uint32_t stepper, cycle_t now) {
  slot_requests_.clear();
  asking_ = 0;
  for (const segment_id id : contending_[stepper]) {
    const segment& s = segments_[id];
    const transaction_channel& c = channel_of(s);
    slot_requests_.push_back({id, 0, 0, false, true});
    if (s.start > now || c.busy_until > now) continue;
    slot_request& r = slot_requests_.back();
    r.later = false;
    r.available = available(s, now);
    r.buffered = c.limited ? buffered(s, now) : 0;
    if (r.available == 0 || r.buffered >= c.depth) continue;
    const unsigned p = s.in_port;
    if (asking_ >> p & 1u) {
      const unsigned pointer = s.up == no_segment ? 0 : channels_[s.in_channel].vc_pointer;
      const auto distance = [&](unsigned v) { return v >= pointer ? v - pointer : v + vcs_ - pointer; };
      if (distance(s.in_vc) > distance(segments_[slot_requests_[picked_[p]].id].in_vc)) continue;
    }
    asking_ |= 1u << p;
    picked_[p] = static_cast<std::uint32_t>(slot_requests_.size() - 1);
  }
}

/// Both arbiters point behind the segment that had the latest slot.
void packet_model::point_behind(const segment& s) {
  channels_[s.channel].port_pointer = static_cast<std::uint16_t>(s.in_port + 1);
  if (s.up != no_segment)
    channels_[s.in_channel].vc_pointer = static_cast<std::uint16_t>(s.in_vc + 1u == vcs_ ? 0 : s.in_vc + 1);
}

/// Each output port grants one of the input ports that ask for it.
void packet_model::grant_slots(cycle_t now) {
  while (asking_) {
    const unsigned p = bits_of(asking_).first();
    asking_ &= asking_ - 1;
    std::uint32_t best = picked_[p];
    const segment& first = segments_[slot_requests_[best].id];
    const transaction_channel& c = channel_of(first);
    unsigned port = first.in_port;
    const auto distance = [&](unsigned q) { return (q + 32 - c.port_pointer) % 32; };
    for (const unsigned q : bits_of(asking_)) {
      if (segments_[slot_requests_[picked_[q]].id].channel != first.channel) continue;
      asking_ &= ~(1u << q);
      if (distance(q) < distance(port)) best = picked_[q], port = q;
    }
    const segment& s = segments_[slot_requests_[best].id];
    point_behind(s);
    slot_requests_[best].sent = true;
    send_flit(slot_requests_[best].id, now);
  }
}

/// What becomes of a shared segment after arbitration. Returns whether it asks again in the next cycle.
bool packet_model::after_arbitration(const slot_request& r, cycle_t now) {
  const segment& s = segments_[r.id];
  const transaction_channel& c = channel_of(s);
  if (r.later) return true;
  const std::uint32_t buffered = r.buffered + r.sent;
  if (r.sent && c.senders == 1 && c.can_be_uncontended &&
      (s.up == no_segment || channels_[s.in_channel].readers == 1) && !s.waiting && !outpaces_reader(s) &&
      (!c.limited || s.down == no_segment || buffered <= c.lag + c.credit_lag + 1u)) {
    become_uncontended(r.id, now);
    return false;
  }
  const bool stuck = c.limited && buffered >= c.depth;
  if (r.available == r.sent) return s.up == no_segment || !segments_[s.up].shared;
  if (s.up != no_segment) check_space(s, stuck, now);
  return !stuck || is_read_uncontended(lanes_[s.lane].first);
}

/// Where flits of segment s wait, those that follow need to count credits.
void packet_model::check_space(const segment& s, bool stuck, cycle_t now) {
  const segment& up = segments_[s.up];
  if (up.shared || up.done) return;
  const transaction_channel& in = channels_[s.in_channel];
  if (in.limited && (stuck || buffered(up, now) + in.lag + in.credit_lag >= in.depth)) share(s.up, now + 1);
}

/// Whether the packet leaves the buffer behind the segment over a narrower link, so that the buffer can fill up.
bool packet_model::outpaces_reader(const segment& s) const {
  return s.down != no_segment && s.flits > channel_of(s).depth && segments_[s.down].every > s.every;
}

/// Whether the packet at the front of a buffer goes on without telling of each flit.
bool packet_model::is_read_uncontended(segment_id first) const {
  const segment_id down = segments_[first].down;
  return down != no_segment && !segments_[down].shared;
}

}  // namespace toriscope
