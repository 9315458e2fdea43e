// SPDX-License-Identifier: Apache-2.0
// The part of the equality tests' list that is about policies: allocators, arbiters, stage counts,
// look-ahead, speculation, adaptive headers, narrow and dead links, message classes, limited reception. First
// every allocator with every other and every arbiter, and stage counts one by one; then all of it drawn
// together.
#pragma once

#include <string>
#include <vector>

#include "testbenches/reference/equality_config.h"

namespace toriscope::reference {

std::vector<equality_config> short_policy_configs();
std::vector<equality_config> long_policy_configs();

/// What of a configuration is not the default: "; allocators islip/output_first ...".
std::string describe_policies(const equality_config& config);

}  // namespace toriscope::reference
