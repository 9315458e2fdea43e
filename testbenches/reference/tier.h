// SPDX-License-Identifier: Apache-2.0
// Which tier the tests run in.
#pragma once

#include <cstdlib>
#include <string_view>

namespace toriscope {

/// Whether TORISCOPE_LONG in the environment asks for the long tier (set, and not "0").
inline bool is_long_tier() {
  const char* const tier = std::getenv("TORISCOPE_LONG");
  return tier && *tier && std::string_view(tier) != "0";
}

}  // namespace toriscope
