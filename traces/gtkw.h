// SPDX-License-Identifier: Apache-2.0
// The GTKWave save file beside a VCD: signals named, grouped by node and port, coloured by kind, enums in
// words.
//
//   X.gtkw              open it with `gtkwave X.gtkw`; it names X.vcd
//   X.vc_state.txt ...  the words for enums (GTKWave's "translate filter files")
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "traces/wave_signals.h"

namespace toriscope {

/// Of the save file beside a waveform; none beside none.
std::string gtkw_name(const std::string& wave_path);

/// Whether `path` is what a file of words beside that save file may be called: X.vc_state.txt beside X.gtkw.
bool is_file_of_words(const std::string& path, const std::string& gtkw_path);

/// What there is on the time axis of a VCD, in its units.
struct gtkw_times {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t first_change = 0;  ///< of a signal other than the cycle
  bool changed = false;            ///< there was one
  std::uint64_t first_edge = 0;
  std::uint64_t last_edge = 0;
  std::uint64_t edges = 0;
  std::vector<std::uint64_t> marks{};      ///< the edges of the cycles to be marked
  std::vector<node_id> changed_at_mark{};  ///< nodes in which something did at the only one; they come first
  std::vector<node_id> in_order{};         ///< nodes to be shown in this order, open; empty: by number

  void note_edge(std::uint64_t time) {
    if (edges++ == 0) first_edge = time;
    last_edge = time;
  }
  /// The time of a cycle; at least 1.
  std::uint64_t period() const;
};

/// Paths and texts of the files for the waveform at `wave_path` that holds `signals` (ordered by node) and, if
/// `with_cycle`, the signal `cycle`; the save file first. What is not `active` (by signal) is there, but folded away.
std::vector<std::pair<std::string, std::string>> gtkw_files(const network& net,
                                                            const std::vector<wave_signal>& signals,
                                                            const std::vector<bool>& active, bool with_cycle,
                                                            const gtkw_times& times, const std::string& wave_path);

}  // namespace toriscope
