// SPDX-License-Identifier: Apache-2.0
// Names with dots, chosen by patterns: "ttn.bm_1_2.node_0_3".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toriscope {

/// Whether `name` matches: '*' stands for any characters, dots included, '?' for one, all others for
/// themselves.
bool glob_matches(std::string_view glob, std::string_view name);

/// Whether it matches `name` or a module above it: "ttn.bm_1_2" stands for all that is in it.
bool glob_selects(std::string_view glob, std::string_view name);

/// The three names that differ least from `wanted`, nearest first.
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace toriscope
