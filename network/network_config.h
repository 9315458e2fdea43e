// SPDX-License-Identifier: Apache-2.0
// The parameters of a network beyond its topology.
#pragma once

#include <string>
#include <vector>

#include "router/router_config.h"
#include "topologies/netlist.h"

namespace toriscope {

/// How much is checked in every cycle. The cheap checks are always on.
enum class check_level {
  cheap,  ///< conservation of flits, no interleaving within a VC, order within a VC, buffers and hop counts
          ///< within bounds
  full,   ///< also credit conservation, walked over every link in every cycle (slow)
};

/// What happens when a network finds a deadlock or a broken invariant, which failure() then tells.
enum class failure_action {
  report,  ///< SC_REPORT_ERROR "/toriscope/network/deadlock" or ".../invariant", which by default throws out of
           ///< sc_start; where it returns, as `stop`
  stop,    ///< sc_stop, and no word: for programs that look at failure() after sc_start
};

/// A link that dies (docs/model.md, "Dead links").
struct dead_link {
  link_id link = 0;
  cycle_t from_cycle = 0;
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
  std::vector<dead_link> dead_links;
  unsigned message_classes = 1;    ///< each with VCs of its own (docs/model.md, "Message classes")
  bool shared_classes = false;     ///< classes have queues of their own, but all VCs in common
  bool limited_reception = false;  ///< docs/model.md, "Limited reception"
  failure_action on_failure = failure_action::report;
  bool wire_hash = false;  ///< hash every word on every wire (observes them all)
  unsigned threads = 1;    ///< that step the network together, with the same results (docs/threads.md)

  /// All that is wrong, a sentence each; empty when nothing is.
  std::vector<std::string> validate() const;
};

}  // namespace toriscope
