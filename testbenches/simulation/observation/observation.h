// SPDX-License-Identifier: Apache-2.0
// An observed run: make it before the network, build the network with probe_all(observation.observer), and
// read the counts when the run is over.
#pragma once

#include "testbenches/simulation/observation/congestion_roots.h"
#include "testbenches/simulation/observation/observation_counts.h"

namespace toriscope {

struct observation {
  /// Counts the cycles from .. to-1.
  observation(const netlist& wiring, const network_config& config, cycle_t from, cycle_t to)
      : observer(wiring, config),
        counts(wiring, config.router.vcs, from, to),
        roots(wiring, config.router.vcs, from, to) {
    observer.listen(counts);
    observer.listen(roots);
  }
  observation(const observation&) = delete;
  observation& operator=(const observation&) = delete;

  router_observer observer;
  observation_counts counts;
  congestion_roots roots;
};

}  // namespace toriscope
