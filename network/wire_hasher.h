// SPDX-License-Identifier: Apache-2.0
// Watches one wire, and adds all that is put on it to the hash of all wires.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "links/delay_line.h"

namespace toriscope {

/// Adds every word of a wire to a wire hash (docs/model.md, "Hashes").
template <class Word>
class wire_hasher final : public wire_watcher {
 public:
  wire_hasher(std::uint64_t& hash, delay_line<Word>& w, std::uint64_t number)
      : hash_(hash), wire_(w), number_(number) {
    w.watch(*this);
  }
  /// A process that drives the wire may send another word in the same cycle.
  void word_sent(cycle_t shown) override {
    if (shown == last_shown_) hash_ -= last_share_;
    last_shown_ = shown;
    last_share_ = share(shown);
    hash_ += last_share_;
  }
  /// What has gone into the hash but is sent after cycle `done` only.
  std::uint64_t not_yet(cycle_t done) const {
    std::uint64_t sum = 0;
    for (unsigned ahead = wire_.delay_cycles() + 1; ahead <= wire_.reach_cycles(); ++ahead)
      sum += share(done + ahead);
    return sum;
  }

 private:
  std::uint64_t share(cycle_t shown) const {
    const Word word = wire_.shown(shown);
    return word.valid() ? mix(shown, number_, bits_of(word)) : 0;
  }
  static std::uint64_t bits_of(flit_word f) { return f.bits; }
  static std::uint64_t bits_of(credit_word c) { return c.vcs; }

  std::uint64_t& hash_;
  delay_line<Word>& wire_;
  const std::uint64_t number_;
  cycle_t last_shown_ = 0;  // nothing is shown in cycle 0
  std::uint64_t last_share_ = 0;
};

}  // namespace toriscope
