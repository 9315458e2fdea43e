// SPDX-License-Identifier: Apache-2.0
// The signals of waveforms (traces/wave_signals.h) as values: found by name, read, and watched.
//
//   cost  a watched signal is read in every cycle; one that is only found costs nothing
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "include/toriscope/c_api.h"
#include "traces/wave_signals.h"

/// A signal of one network, as <toriscope/c_api.h> has it.
struct toriscope_signal {
  toriscope::network* net;
  toriscope::wave_signal place;
  const toriscope::flit_link* link;  ///< null: it is not on a link
  std::string name;

  /// What the next cycle finds.
  std::uint64_t value() const;
};

namespace toriscope {

class signal_watch final : public cycle_listener {
 public:
  explicit signal_watch(network& net);

  /// A line for each. @throws std::invalid_argument when a pattern selects nothing
  std::string names(const std::string& pattern);
  /// @throws std::invalid_argument
  toriscope_signal& find(const std::string& name);
  /// Calls at once, too. @throws std::invalid_argument
  void watch(const std::string& pattern, toriscope_watcher watcher, void* user);
  void unwatch() {
    watched_.clear();
    ++unwatched_;
  }

  void cycle_done(cycle_t done) override;

 private:
  struct watched_signal {
    toriscope_signal* signal;
    toriscope_watcher watcher;
    void* user;
    std::uint64_t last;
  };

  std::vector<wave_signal> selected(const std::string& pattern);
  toriscope_signal& place(const wave_signal& s, const std::string& name);

  network& net_;
  std::deque<toriscope_signal> signals_;  ///< of those asked for; they stay where they are
  std::unordered_map<std::string, toriscope_signal*> by_name_;
  std::vector<watched_signal> watched_;
  unsigned unwatched_ = 0;  ///< how often
};

}  // namespace toriscope
