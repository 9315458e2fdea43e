// SPDX-License-Identifier: Apache-2.0
// What `toriscope analyze --compare` prints: networks side by side.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "topologies/analysis/analysis.h"

namespace toriscope {

/// The networks of "ttn:2,2,0,torus:8x8": commas also stand within a spec.
std::vector<std::string> split_comparison(const std::vector<std::string>& arguments);

/// Several networks, a line each.
std::string side_by_side_text(const std::vector<std::pair<std::string, network_analysis>>& networks);

}  // namespace toriscope
