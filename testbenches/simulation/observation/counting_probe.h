// SPDX-License-Identifier: Apache-2.0
// Counts what `--observe` counts, in routers with a plain pipeline and live links, from the sets of VCs that the stages
// leave (router/router_state.h), port by port. What a flit did follows from the contract (docs/model.md, "Stages"): the
// VCs that requested VA and SA are those of the sets before the step, and who won shows in those after it. No event is
// made of anything: it costs as much as the run itself. router_observer tells the same of all routers, flit by flit, at
// some three times that cost; the tests compare the two.
#pragma once

#include <array>
#include <vector>

#include "network/probed_node.h"
#include "testbenches/simulation/observation/congestion_roots.h"
#include "testbenches/simulation/observation/observation_counts.h"

namespace toriscope {

class counting_probe final : public router_probe {
 public:
  /// Whether all routers of such a network are plain, and their links live.
  static bool supports(const network_config& config);

  /// @param counts, roots  outlive the probe; their cycles are counted
  counting_probe(observation_counts& counts, congestion_roots& roots) : counts_(counts), roots_(roots) {}

  void connected(const probed_node& node) override {
    counts_.sees(node.id());
    nodes_.push_back(&node);
  }
  void before_step(const probed_node& node, cycle_t now) override;
  bool after_step(const probed_node& node, cycle_t now) override;

  /// The run is over after `cycles_done` cycles: granted flits that were not sent do not count, the events that follow
  /// from other counts do.
  void end_at(cycle_t cycles_done);

 private:
  /// The sets of an input port before a step.
  struct port_before {
    vc_set occupied, to_allocate, active;
  };
  using router_counts = observation_counts::router_counts;
  using router_waits = congestion_roots::router_waits;
  void see_port(const router_state& r, unsigned p, bool arrived, cycle_t now, router_counts& counts,
                router_waits& waits);
  void see_va(const router_state& r, unsigned p, unsigned v, cycle_t now, router_counts& counts,
              router_waits& waits);

  observation_counts& counts_;
  congestion_roots& roots_;
  std::vector<const probed_node*> nodes_;
  port_set seen_;          ///< input ports with a flit in this step
  port_set busy_outputs_;  ///< narrow links that a flit occupies
  std::array<port_before, max_ports> before_;
  std::array<vc_set, max_ports> free_;  ///< output VCs before the step
};

}  // namespace toriscope
