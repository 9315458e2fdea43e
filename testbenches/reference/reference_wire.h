// SPDX-License-Identifier: Apache-2.0
// A wire of the reference model: D sc_signals in a row.
//
//   contract   what is written to `input` in cycle t is shown by `output` in t+D, in that cycle only; the
//              writer writes in every cycle (a word or the idle word)
//   D = 1      one sc_signal, which is the writer's output register; D > 1 adds D-1 registers, clocked by
//              the network, which calls cycle() from a process on clk.pos()
//   hash       the wire watches its own output: mix(cycle, number, word) of every word shown; words still
//              on their way when the clock stops are added with the cycle in which they would be shown
#pragma once

#include <systemc>

#include "base/hash.h"
#include "links/flit_systemc.h"

namespace toriscope::reference {

inline std::uint64_t bits_of(flit_word f) { return f.bits; }
inline std::uint64_t bits_of(credit_word c) { return c.vcs; }

template <class Word>
class wire {
 public:
  /// @param name    of its signals
  /// @param delay   D, in cycles, at least 1
  /// @param number  of the wire (docs/model.md, "Hashes")
  wire(const char* name, unsigned delay, std::uint64_t number) : number_(number), stages_(name, delay) {}

  /// Where the sender writes.
  sc_core::sc_signal<Word>& input() { return stages_[0]; }
  /// What the receiver reads.
  sc_core::sc_signal<Word>& output() { return stages_[stages_.size() - 1]; }

  /// At every rising edge.
  void cycle() {
    const Word shown = output().read();
    if (shown.valid()) hash_shown_ += mix(now_, number_, bits_of(shown));
    for (unsigned s = 1; s < stages_.size(); ++s) stages_[s].write(stages_[s - 1].read());
    ++now_;
  }

  /// Over all words sent so far.
  std::uint64_t hash() const {
    std::uint64_t sum = hash_shown_;
    for (unsigned s = 0; s < stages_.size(); ++s) {
      const Word word = stages_[s].read();
      if (word.valid()) sum += mix(now_ + (stages_.size() - 1 - s), number_, bits_of(word));
    }
    return sum;
  }

 private:
  const std::uint64_t number_;
  cycle_t now_ = 0;
  std::uint64_t hash_shown_ = 0;
  sc_core::sc_vector<sc_core::sc_signal<Word>> stages_;
};

}  // namespace toriscope::reference
