// SPDX-License-Identifier: Apache-2.0
// Levels of a configuration: defaults or a trace, a file over them, options over both. What a level names counts; what
// does not go with it and stands below gets its default.
#pragma once

#include <string>
#include <vector>

#include "testbenches/simulation/configuration/run_config.h"

namespace toriscope {

/// @param below   the configuration before the level was set
/// @param named   paths of the parameters that the level names, which stay
/// @param config  with the level; gets the defaults of what it excludes
/// @returns the paths of these
std::vector<std::string> drop_excluded(const run_config& below, const std::vector<std::string>& named,
                                       run_config& config);

}  // namespace toriscope
