// SPDX-License-Identifier: Apache-2.0
// A calendar queue: events by cycle, in a ring of buckets, and a bit per bucket so that empty cycles are
// skipped sixty-four at a time.
//
//   order   the events of a cycle come out by kind, and within a kind in the order in which they went in
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
  event_calendar() : buckets_(ring), occupied_(ring / 64) {}

  /// Event `what` of this kind is due in `when`, which is not before the cycle that is, or was last, taken.
  void add(unsigned kind, std::uint32_t what, cycle_t when) {
    if (when - now_ < ring) {
      buckets_[when % ring].of_kind[kind].push_back(what);
      mark(when);
    } else {
      buckets_[(now_ + ring - 1) % ring].later.push_back({when, kind, what});
      mark(now_ + ring - 1);
    }
  }

  /// Something that is kept elsewhere is due in `when`, at most `ring` - 1 cycles ahead.
  void mark(cycle_t when) {
    const std::size_t slot = when % ring;
    occupied_[slot / 64] |= std::uint64_t{1} << slot % 64;
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

  /// All of the present cycle has been taken.
  void end() {
    const std::size_t slot = now_ % ring;
    occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
  }

  /// The first cycle at or after `from` for which there is something; `never` when nothing is left.
  cycle_t next(cycle_t from) const {
    const std::size_t start = from % ring;
    const std::uint64_t first = occupied_[start / 64] & (~std::uint64_t{0} << start % 64);
    if (first) return from + static_cast<unsigned>(__builtin_ctzll(first)) - start % 64;
    for (std::size_t word = 1; word <= ring / 64; ++word) {
      const std::uint64_t bits = occupied_[(start / 64 + word) % (ring / 64)];
      if (bits) return from - start % 64 + word * 64 + static_cast<unsigned>(__builtin_ctzll(bits));
    }
    return never;
  }

  static constexpr cycle_t ring = 2048;

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

  std::vector<bucket> buckets_;
  std::vector<std::uint64_t> occupied_;
  cycle_t now_ = 0;
};

}  // namespace toriscope
