// SPDX-License-Identifier: Apache-2.0
// The links that die, and when (docs/model.md, "Dead links"): closes output ports of routers in time, and
// says which packets need not be sent at all.
#pragma once

#include <cstddef>
#include <vector>

#include "network/network_config.h"
#include "network/node.h"
#include "topologies/live_routes.h"

namespace toriscope {

class link_failures {
 public:
  link_failures(const netlist& wiring, const routing_function& routing, const network_config& config);

  /// @param nodes  null: on another rank
  /// @throws std::invalid_argument when there is no such link, or its router is not the model's
  void check(const std::vector<node*>& nodes) const;

  /// To be called in each cycle, before anything else: links that die in `now` are closed.
  void close_outputs(const std::vector<node*>& nodes, cycle_t now) {
    while (next_ < deaths_.size() && deaths_[next_].from_cycle <= now) close_next(nodes);
  }

  /// Whether the options of the routing function lead from `source` to `destination` over live links.
  /// @param drawn  the route state at injection
  bool connect(terminal_id source, terminal_id destination, route_state drawn) {
    return routes_.connect(source, destination, drawn);
  }
  std::uint64_t count_cut_pairs() { return routes_.count_cut_pairs(); }

 private:
  void close_next(const std::vector<node*>& nodes);

  const netlist& wiring_;
  std::vector<dead_link> deaths_;  ///< in order of time
  std::size_t next_ = 0;
  live_routes routes_;
};

}  // namespace toriscope
