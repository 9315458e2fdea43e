// SPDX-License-Identifier: Apache-2.0
// A wire: one direction of a link as a plain register chain of D cycles, without SystemC.
//
// What is sent in cycle t is shown in cycle t+D, in that cycle only. Every slot carries the cycle it is for
// and is never cleared by its reader; a slot is written at least one cycle before it is shown. Therefore the order in
// which nodes are evaluated within a cycle cannot matter, and no commit pass is needed.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>

#include "links/arena.h"
#include "links/flit.h"

namespace toriscope {

/// Is told of every word that goes into a wire it watches (an observed link, a wire hash).
class wire_watcher {
 public:
  virtual ~wire_watcher() = default;
  /// A word was sent that will be shown in cycle `shown`; wire::shown(shown) already returns it.
  virtual void word_sent(cycle_t shown) = 0;

 private:
  template <class Word>
  friend class wire;
  wire_watcher* next_watcher_ = nullptr;
};

template <class Word>
class wire {
 public:
  /// @param memory        where the slots are kept; it must outlive the wire
  /// @param delay_cycles  D >= 1
  /// @param reader        the node that reads the wire, to be woken when something is shown
  wire(arena& memory, unsigned delay_cycles, std::uint32_t reader) : delay_(delay_cycles), reader_(reader) {
    assert(delay_cycles >= 1);
    unsigned slots = 2;
    while (slots < delay_cycles + 1) slots *= 2;
    mask_ = slots - 1;
    slots_ = make_array<slot>(memory, slots);
  }

  /// Sends `word` in cycle `now`; at most one word per cycle. Returns the cycle in which it is shown.
  cycle_t send(cycle_t now, Word word) {
    const cycle_t shown = now + delay_;
    slots_[shown & mask_] = {shown, word};
    for (wire_watcher* w = watchers_; w; w = w->next_watcher_) w->word_sent(shown);
    return shown;
  }

  /// The word shown in cycle `now`; a default Word when there is none. Valid for the current cycle and for
  /// those up to `delay_cycles` ahead.
  Word shown(cycle_t now) const {
    const slot& s = slots_[now & mask_];
    return s.cycle == now ? s.word : Word{};
  }

  unsigned delay_cycles() const { return delay_; }
  std::uint32_t reader() const { return reader_; }

  /// Adds a watcher. A watcher watches one wire only.
  void watch(wire_watcher& watcher) {
    watcher.next_watcher_ = watchers_;
    watchers_ = &watcher;
  }

 private:
  struct slot {
    cycle_t cycle = std::numeric_limits<cycle_t>::max();  // no cycle
    Word word;
  };

  slot* slots_;
  wire_watcher* watchers_ = nullptr;
  std::uint32_t delay_;
  std::uint32_t mask_;
  std::uint32_t reader_;
};

using flit_wire = wire<flit_word>;
using credit_wire = wire<credit_word>;

}  // namespace toriscope
