// SPDX-License-Identifier: Apache-2.0
// An observed run: make it before the network, build the network with probe_all(observation.probe()), and read the
// counts when the run is over.
#pragma once

#include <memory>

#include "testbenches/simulation/observation/counting_probe.h"

namespace toriscope {

struct observation {
  /// Counts the cycles from .. to-1.
  observation(const netlist& wiring, const network_config& config, cycle_t from, cycle_t to)
      : observer(wiring, config),
        counts(wiring, config.router.vcs, from, to),
        roots(wiring, config.router.vcs, from, to) {
    observer.listen(counts);
    observer.listen(roots);
    if (counting_probe::supports(config)) plain = std::make_unique<counting_probe>(counts, roots);
  }
  observation(const observation&) = delete;
  observation& operator=(const observation&) = delete;

  /// What the network is built with.
  /// @param flit_by_flit  `observer` has listeners of the user's
  router_probe& probe(bool flit_by_flit = false) {
    if (flit_by_flit) plain.reset();
    if (!plain) return observer;
    return *plain;
  }
  /// The run is over.
  void end_at(cycle_t cycles_done) {
    if (plain) plain->end_at(cycles_done);
    counts.end_at(cycles_done);
  }

  router_observer observer;
  observation_counts counts;
  congestion_roots roots;
  std::unique_ptr<counting_probe> plain;  ///< null: the network, or a listener, needs the observer
};

}  // namespace toriscope
