// SPDX-License-Identifier: Apache-2.0
// A wire: one direction of a link as a plain register chain of D cycles, without SystemC.
//
// What is sent in cycle t is shown in cycle t+D, in that cycle only. Every slot carries the cycle it is for
// and is never cleared by its reader; a slot is written at least one cycle before it is shown. Therefore the
// order in which nodes are evaluated within a cycle cannot matter, and no commit pass is needed.
//
// A router that knows in t what it will send in t+x (the stages between its switch allocator and the link)
// may put it into the wire at once: send(t+x, word). Words in the slots beyond t+D are still in the router.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "links/arena.h"
#include "links/flit.h"
#include "links/wire_reader.h"

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

/// What a wire shows in one cycle, and in which.
template <class Word>
class wire_slot;

template <>
class wire_slot<flit_word> {
 public:
  void set(cycle_t cycle, flit_word f) {
    cycle_ = cycle;
    word_ = f;
  }
  flit_word get(cycle_t cycle) const { return cycle_ == cycle ? word_ : flit_word{}; }
  flit_word get() const { return word_; }

 private:
  cycle_t cycle_ = ~cycle_t{0};  // no cycle
  flit_word word_;
};

/// Credits and the low 48 bits of the cycle in one word: 2^48 cycles are some years of simulation.
template <>
class wire_slot<credit_word> {
 public:
  void set(cycle_t cycle, credit_word c) { bits_ = cycle << 16 | c.vcs; }
  credit_word get(cycle_t cycle) const {
    return {bits_ >> 16 == (cycle & (~cycle_t{0} >> 16)) ? static_cast<std::uint16_t>(bits_)
                                                         : std::uint16_t{0}};
  }
  credit_word get() const { return {static_cast<std::uint16_t>(bits_)}; }

 private:
  std::uint64_t bits_ = ~std::uint64_t{0} << 16;  // no cycle
};

/// The slots stand right behind the wire in memory; wires are made by make().
template <class Word>
class wire {
 public:
  /// @param memory        where the wire is kept; it must outlive the wire
  /// @param delay_cycles  D >= 1, at most 32767
  /// @param reader        is told when something will be shown; null: nobody
  /// @param arrival       under which bit
  /// @param ahead_cycles  how many cycles before it is sent a word may be put in
  static wire& make(arena& memory, unsigned delay_cycles, wire_reader* reader = nullptr, unsigned arrival = 0,
                    unsigned ahead_cycles = 0) {
    assert(delay_cycles >= 1 && delay_cycles + ahead_cycles < 1u << 15);
    unsigned slots = 2;
    while (slots < delay_cycles + ahead_cycles + 1) slots *= 2;
    void* const place = memory.allocate(sizeof(wire) + slots * sizeof(slot), alignof(wire));
    wire* const made = new (place) wire(delay_cycles, slots - 1, reader, arrival, ahead_cycles);
    for (unsigned i = 0; i < slots; ++i) new (made->slots() + i) slot();
    return *made;
  }

  /// Sends `word` in cycle `sent`, at most ahead_cycles from now; the last one sent in a cycle counts.
  void send(cycle_t sent, Word word) {
    const cycle_t shown = sent + delay_;
    slots()[shown & mask_].set(shown, word);
    if (reader_ && word.valid()) reader_->expect(shown, arrival_);
    for (wire_watcher* w = watchers_; w; w = w->next_watcher_) w->word_sent(shown);
  }

  /// The word shown in cycle `now`; a default Word when there is none. Valid for the current cycle and for
  /// those up to `reach_cycles` ahead.
  Word shown(cycle_t now) const { return slots()[now & mask_].get(now); }
  /// The same for a reader who was told that something is shown in cycle `now`.
  Word arrived(cycle_t now) const { return slots()[now & mask_].get(); }

  unsigned delay_cycles() const { return delay_; }
  /// How far ahead there may be words: D + ahead_cycles.
  unsigned reach_cycles() const { return delay_ + ahead_; }

  /// Adds a watcher. A watcher watches one wire only.
  void watch(wire_watcher& watcher) {
    watcher.next_watcher_ = watchers_;
    watchers_ = &watcher;
  }
  /// Removes a watcher; one that does not watch is no error.
  void unwatch(const wire_watcher& watcher) {
    for (wire_watcher** w = &watchers_; *w; w = &(*w)->next_watcher_)
      if (*w == &watcher) {
        *w = watcher.next_watcher_;
        return;
      }
  }

 private:
  using slot = wire_slot<Word>;

  wire(unsigned delay, unsigned mask, wire_reader* reader, unsigned arrival, unsigned ahead)
      : reader_(reader),
        delay_(static_cast<std::uint16_t>(delay)),
        mask_(static_cast<std::uint16_t>(mask)),
        arrival_(static_cast<std::uint8_t>(arrival)),
        ahead_(static_cast<std::uint8_t>(ahead)) {}

  slot* slots() { return reinterpret_cast<slot*>(this + 1); }
  const slot* slots() const { return reinterpret_cast<const slot*>(this + 1); }

  wire_watcher* watchers_ = nullptr;
  wire_reader* reader_;
  std::uint16_t delay_;
  std::uint16_t mask_;
  std::uint8_t arrival_;
  std::uint8_t ahead_;
};

using flit_wire = wire<flit_word>;
using credit_wire = wire<credit_word>;

}  // namespace toriscope
