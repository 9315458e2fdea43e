// SPDX-License-Identifier: Apache-2.0
// A calendar queue: events by cycle, in a ring of 64 buckets, which stays in the cache, and a word with a bit
// for each, so that empty cycles are skipped at once.
//
//   order   the events of a cycle leave by kind, and within a kind in the order in which they went in
//   far     an event further ahead than the ring waits in the ring's last bucket and is filed again there
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "links/flit.h"

namespace toriscope {

inline constexpr cycle_t never = std::numeric_limits<cycle_t>::max();

template <unsigned Kinds>
class event_calendar {
 public:
  event_calendar() : buckets_(ring) {}

  /// Event `what` of this kind is due in `when`, which is not before the cycle that is, or was last, taken.
  void add(unsigned kind, std::uint32_t what, cycle_t when) {
    if (when - now_ < ring) {
      buckets_[when % ring].of_kind[kind].push_back(what);
      occupied_ |= bit(when);
    } else {
      buckets_[(now_ + ring - 1) % ring].later.push_back({when, kind, what});
      occupied_ |= bit(now_ + ring - 1);
    }
  }

  /// Nothing is left before cycle `now`.
  void advance(cycle_t now) { now_ = now; }

  /// From now on the events of cycle `now` are taken; no earlier ones are left.
  void begin(cycle_t now) {
    now_ = now;
    const std::size_t slot = now % ring;
    if (buckets_[slot].later.empty()) return;
    std::vector<far_event> later;
    later.swap(buckets_[slot].later);
    for (const far_event& e : later) add(e.kind, e.what, e.when);
  }

  /// Calls visit(what) for each event of this kind of the present cycle and forgets them. Events may be added
  /// meanwhile, also of other kinds that are taken later in this cycle.
  template <class Visit>
  void take(unsigned kind, Visit&& visit) {
    std::vector<std::uint32_t>& list = buckets_[now_ % ring].of_kind[kind];
    for (std::size_t i = 0; i < list.size(); ++i) visit(list[i]);
    list.clear();
  }

  /// Calls visit(kind, what, when) for each event that is left.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (cycle_t when = now_; when < now_ + ring; ++when) {
      const bucket& b = buckets_[when % ring];
      for (unsigned kind = 0; kind < Kinds; ++kind)
        for (const std::uint32_t what : b.of_kind[kind]) visit(kind, what, when);
      for (const far_event& e : b.later) visit(e.kind, e.what, e.when);
    }
  }
  cycle_t now() const { return now_; }

  /// All of the present cycle has been taken.
  void end() { occupied_ &= ~bit(now_); }

  /// The first cycle at or after `from`, which is at most one after the present, for which there is something;
  /// `never` when nothing is left.
  cycle_t next(cycle_t from) const {
    if (occupied_ == 0) return never;
    const unsigned turned = from % ring;
    const std::uint64_t bits = turned ? occupied_ >> turned | occupied_ << (ring - turned) : occupied_;
    return from + static_cast<unsigned>(__builtin_ctzll(bits));
  }

  static constexpr cycle_t ring = 64;

 private:
  struct far_event {
    cycle_t when;
    unsigned kind;
    std::uint32_t what;
  };
  struct bucket {
    std::vector<std::uint32_t> of_kind[Kinds];
    std::vector<far_event> later;
  };

  static std::uint64_t bit(cycle_t cycle) { return std::uint64_t{1} << cycle % ring; }

  std::vector<bucket> buckets_;
  std::uint64_t occupied_ = 0;  ///< bit c % ring: there is something for cycle c
  cycle_t now_ = 0;
};

}  // namespace toriscope
