// SPDX-License-Identifier: Apache-2.0
// A delay line: a wire, one direction of a link, as a plain register chain of D cycles, without SystemC.
//
// What is sent in cycle t is shown in cycle t+D, in that cycle only. The reader knows which cycles bring
// something (links/arrival_schedule.h), and no slot is cleared; a slot is written at least one cycle before it
// is shown. Therefore the order in which nodes are evaluated within a cycle cannot matter, and no commit pass
// is needed.
//
// A router that knows in t what it will send in t+x (the stages between its switch allocator and the link)
// may put it into the wire at once: send(t+x, word). Words in the slots beyond t+D are still in the router.
//
// A wire is near when D = 1, and neither it nor its reader looks further ahead than 3 cycles. Who knows that of a wire
// says so, and some additions and loads are left out.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "base/arena.h"
#include "links/arrival_schedule.h"
#include "links/flit.h"

namespace toriscope {

/// Is called for every word that goes into a wire it watches (an observed link, a wire hash).
class wire_watcher {
 public:
  virtual ~wire_watcher() = default;
  /// A word was sent that will be shown in cycle `shown`; delay_line::shown(shown) already returns it.
  virtual void word_sent(cycle_t shown) = 0;

 private:
  template <class Word>
  friend class delay_line;
  wire_watcher* next_watcher_ = nullptr;
};

/// The slots stand right behind the wire in memory, for short delays in its cache line; wires are made by
/// make().
template <class Word>
class delay_line {
 public:
  /// @param memory        where the wire is kept; it must outlive the wire
  /// @param delay_cycles  D >= 1, at most 32767
  /// @param reader        notes the cycles in which something will be shown; null: the wire has a reader of its own
  /// @param arrival       the bit under which the reader notes them
  /// @param ahead_cycles  how many cycles before it is sent a word may be put in
  static delay_line& make(arena& memory, unsigned delay_cycles, arrival_schedule* reader = nullptr,
                          unsigned arrival = 0, unsigned ahead_cycles = 0) {
    assert(delay_cycles >= 1 && delay_cycles + ahead_cycles < 1u << 15);
    unsigned slots = near_cycles;
    while (slots < delay_cycles + ahead_cycles + 1) slots *= 2;
    if (!reader) reader = make_one<arrival_schedule>(memory, memory, nullptr, 0, delay_cycles + ahead_cycles);
    const std::size_t bytes = sizeof(delay_line) + slots * sizeof(Word);
    void* const place = memory.allocate(bytes, bytes > cache_line / 2 ? cache_line : cache_line / 2);
    delay_line* const made = new (place) delay_line(delay_cycles, slots - 1, *reader, arrival, ahead_cycles);
    for (unsigned i = 0; i < slots; ++i) new (made->slots() + i) Word();
    return *made;
  }

  /// Sends `word` in cycle `sent`, at most ahead_cycles from now; the last one sent in a cycle counts.
  void send(cycle_t sent, Word word) {
    if (word.valid()) return send_word(sent, word);
    reader_->retract(sent + delay_, arrival_);
    tell(sent + delay_);
  }
  /// The same of a word that is valid.
  [[gnu::always_inline]] void send_word(cycle_t sent, Word word, bool near = false) {
    const cycle_t shown = sent + (near ? 1 : delay_);
    slots()[shown & (near ? near_cycles - 1 : mask_)] = word;
    reader_->expect(shown, arrival_, near);
    if (watchers_) tell(shown);
  }

  /// The word shown in cycle `now`; a default Word when there is none. Valid for the current cycle and for
  /// those up to `reach_cycles` ahead.
  Word shown(cycle_t now) const { return reader_->arrivals(now) >> arrival_ & 1u ? arrived(now) : Word{}; }
  /// The same for a reader that knows that something is shown in cycle `now`.
  Word arrived(cycle_t now, bool near = false) const {
    return slots()[now & (near ? near_cycles - 1 : mask_)];
  }

  /// Puts back what an earlier run had put in, to be shown in cycle `shown`: no watcher is told.
  void put_back(cycle_t shown, Word word) {
    slots()[shown & mask_] = word;
    reader_->expect(shown, arrival_);
  }

  unsigned delay_cycles() const { return delay_; }
  /// How far ahead there may be words: D + ahead_cycles.
  unsigned reach_cycles() const { return delay_ + ahead_; }

  /// Adds a watcher. A watcher watches one wire only.
  void watch(wire_watcher& watcher) {
    watcher.next_watcher_ = watchers_;
    watchers_ = &watcher;
  }
  /// Removes a watcher; one that does not watch is ignored.
  void unwatch(const wire_watcher& watcher) {
    for (wire_watcher** w = &watchers_; *w; w = &(*w)->next_watcher_)
      if (*w == &watcher) {
        *w = watcher.next_watcher_;
        return;
      }
  }

 private:
  static constexpr std::size_t cache_line = 64;

  delay_line(unsigned delay, unsigned mask, arrival_schedule& reader, unsigned arrival, unsigned ahead)
      : reader_(&reader),
        delay_(static_cast<std::uint16_t>(delay)),
        mask_(static_cast<std::uint16_t>(mask)),
        arrival_(static_cast<std::uint8_t>(arrival)),
        ahead_(static_cast<std::uint8_t>(ahead)) {}

  /// Watchers are told of the word shown in cycle `shown`.
  [[gnu::noinline]] void tell(cycle_t shown) {
    for (wire_watcher* w = watchers_; w; w = w->next_watcher_) w->word_sent(shown);
  }

  Word* slots() { return reinterpret_cast<Word*>(this + 1); }
  const Word* slots() const { return reinterpret_cast<const Word*>(this + 1); }

  wire_watcher* watchers_ = nullptr;
  arrival_schedule* reader_;
  std::uint16_t delay_;
  std::uint16_t mask_;
  std::uint8_t arrival_;
  std::uint8_t ahead_;
};

using flit_wire = delay_line<flit_word>;
using credit_wire = delay_line<credit_word>;

}  // namespace toriscope
