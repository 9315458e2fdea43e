// SPDX-License-Identifier: Apache-2.0
// Which signals of a network the patterns of wave_options mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "traces/wave_signals.h"

namespace toriscope {

/// Whether `name` matches: '*' stands for any characters, dots included, '?' for one, all others for
/// themselves.
bool glob_matches(std::string_view glob, std::string_view name);

/// Whether it matches `name` or a module above it: "ttn.bm_1_2" stands for all that is in it.
bool glob_selects(std::string_view glob, std::string_view name);

/// The three names that differ least from `wanted`, nearest first.
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names);

/// The signals in the chosen groups whose hierarchical name, or that of a module above them, matches one of
/// the patterns: by node, in the order of waves.
/// @throws std::invalid_argument one line when a pattern matches nothing, with the nearest names there are
std::vector<wave_signal> select_signals(network& net, const wave_options& options);

/// "ttn.bm_1_2.node_0_3.in_x+.vc1.state"
std::string full_name(const network& net, const wave_signal& s);

}  // namespace toriscope
