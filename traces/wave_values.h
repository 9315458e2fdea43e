// SPDX-License-Identifier: Apache-2.0
// Values of the variables of a waveform, and what changes from time stamp to time stamp. A wave_file writes the
// changes; of several ranks each gathers those of its own nodes (wave_share.h).
//
//   values   up to 64 bits; `none` (no flit, no owner ...) is shown as z, which viewers draw as a line without a value
//   times    all changes of one time stamp are gathered; a variable that is back at its old value at the end of
//            the time stamp does not count
#pragma once

#include <cstdint>
#include <vector>

#include "traces/wave_format.h"

namespace toriscope {

class wave_values {
 public:
  using variable = std::uint32_t;
  static constexpr std::uint64_t none = no_wave_value;

  virtual ~wave_values() = default;

  /// Before begin(). @param width  in bits, 1..64
  variable add(unsigned width);
  /// The values at `time` are gathered in full.
  void begin(std::uint64_t time);
  bool begun() const { return begun_; }
  /// What is set from now on belongs to `time`, which never goes back.
  void advance(std::uint64_t time) {
    if (time == time_) return;
    gather();
    time_ = time;
  }
  /// @returns whether that is another value
  bool set(variable v, std::uint64_t value) {
    if (values_[v].now == value) return false;
    values_[v].now = value;
    dirty_[v / 64] |= std::uint64_t{1} << v % 64;
    dirty_words_[v / 4096] |= std::uint64_t{1} << v / 64 % 64;
    return true;
  }
  std::uint64_t value(variable v) const { return values_[v].now; }
  /// Whether a change of it was gathered after the dump.
  bool changed(variable v) const { return changed_[v / 64] >> v % 64 & 1u; }

  /// Gathers also what belongs to the present time.
  void gather();
  /// What was gathered since the last call. @param next  empty, is filled from now on
  wave_batch take(wave_batch next = {});

 protected:
  static constexpr std::size_t batch_changes = 16384;
  /// Called when there are that many changes.
  virtual void batch_is_full() {}

 private:
  void gather_all();

  struct value_pair {
    std::uint64_t now;
    std::uint64_t gathered;
  };
  std::vector<value_pair> values_;
  // Gathered in their order without sorting: a bit for each that was set, and a bit for each word of those.
  std::vector<std::uint64_t> dirty_;
  std::vector<std::uint64_t> dirty_words_;
  std::vector<std::uint64_t> changed_;
  std::uint64_t time_ = 0;
  bool begun_ = false;
  bool dumped_ = false;
  wave_batch batch_;  ///< being filled
};

}  // namespace toriscope
