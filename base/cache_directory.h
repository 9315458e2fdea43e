// SPDX-License-Identifier: Apache-2.0
// Where a user keeps what can be made again.
#pragma once

#include <cstdlib>
#include <string>

namespace toriscope {

/// $XDG_CACHE_HOME/toriscope or ~/.cache/toriscope, which may not be there yet; empty where a user has none.
inline std::string user_cache_directory() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return std::string(cache) + "/toriscope";
  const char* const home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/toriscope" : "";
}

}  // namespace toriscope
