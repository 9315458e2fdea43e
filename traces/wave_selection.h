// SPDX-License-Identifier: Apache-2.0
// Which signals of a network the patterns of wave_options mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"
#include "traces/wave_signals.h"

namespace toriscope {

/// The signals in the chosen groups whose hierarchical name, or that of a module above them, matches one of
/// the patterns: by node, in the order of waves.
/// @throws std::invalid_argument one line when a pattern matches nothing, with the nearest names there are
std::vector<wave_signal> select_signals(network& net, const wave_options& options);

/// The nodes of these signals, by the first pattern that means one of them.
std::vector<node_id> nodes_by_pattern(const network& net, const std::vector<wave_signal>& signals,
                                      const wave_options& options);

/// "ttn.bm_1_2.node_0_3.in_x+.vc1.state"
std::string full_name(const network& net, const wave_signal& s);

}  // namespace toriscope
