// SPDX-License-Identifier: Apache-2.0
// What a waveform shows: which signals, of which kinds, from which cycle to which.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "links/flit.h"

namespace toriscope {

struct wave_options {
  static constexpr cycle_t to_the_end = std::numeric_limits<cycle_t>::max();

  /// Patterns on hierarchical names: '*' any characters, dots included, '?' one; a module stands for all
  /// below it.
  std::vector<std::string> globs{"*"};
  cycle_t from = 0;               ///< the first cycle shown
  cycle_t to = to_the_end;        ///< the last cycle shown
  /// Cycles of the window: the save file opens at the first one, with a marker on it; of several, A to Z are on them.
  std::vector<cycle_t> marks{};
  /// The patterns name places one behind the other: the save file has them in that order, all of them open.
  bool in_order = false;

  bool links = true;  ///< the flits that links show
  bool vcs = true;    ///< input VCs: state, occupancy, front flit; output VCs: credits
  bool alloc = true;  ///< who owns which output VC, what is granted the switch
  bool ni = true;     ///< network interfaces: queue, packet being sent
  bool cycle = true;  ///< the number of the cycle, as a signal (one line per cycle)

  std::string file = "toriscope.vcd";
};

/// Reads "GLOB", "GLOB,GLOB", "GLOB@FROM:TO", "GLOB@FROM:", "GLOB@:TO" into globs, from and to.
/// @throws std::invalid_argument one line: what is wrong and what would be right
void parse_wave_spec(std::string_view text, wave_options& options);

/// Reads "links,vcs,alloc,ni", or "all", into the groups: those named are on, the others off.
/// @throws std::invalid_argument
void parse_wave_groups(std::string_view text, wave_options& options);

}  // namespace toriscope
