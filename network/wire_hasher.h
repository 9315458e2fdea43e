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
  void word_sent(cycle_t shown) override { hash_ += share(shown); }
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
};

}  // namespace toriscope
