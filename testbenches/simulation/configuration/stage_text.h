// SPDX-License-Identifier: Apache-2.0
// Stage counts as text: "rc=1,va=1,sa=1,st=1".
#pragma once

#include <string>

#include "router/router_config.h"

namespace toriscope {

/// All four counts.
std::string stage_text(const stage_counts& counts);

/// Counts that are not named are 1. @throws std::invalid_argument what is wrong with the text
stage_counts stage_counts_of(const std::string& text);

}  // namespace toriscope
