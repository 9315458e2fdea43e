// SPDX-License-Identifier: Apache-2.0
// The parameters of a network beyond its topology.
#pragma once

#include <string>
#include <vector>

#include "router/router_config.h"

namespace toriscope {

/// How much is checked in every cycle. The cheap checks are always on.
enum class check_level {
  cheap,  ///< conservation of flits, no interleaving within a VC, order within a VC, buffers and hop counts
          ///< within bounds
  full,   ///< also credit conservation, walked over every link in every cycle (slow)
};

struct network_config {
  router_config router;
  unsigned injection_delay_cycles = 1;  ///< network interface to router, >= 1
  unsigned ejection_delay_cycles = 1;   ///< router to network interface, >= 1
  unsigned credit_delay_cycles = 0;     ///< added to the delay of each link for its credits
  cycle_t watchdog_cycles =
      5000;  ///< a front flit that waited this long starts a search for deadlock; 0: never
#ifdef TORISCOPE_CHECKED
  check_level checks = check_level::full;
#else
  check_level checks = check_level::cheap;
#endif
  bool wire_hash = false;  ///< hash every word on every wire (observes them all)

  /// All that is wrong, a sentence each; empty when nothing is.
  std::vector<std::string> validate() const;
};

}  // namespace toriscope
