// SPDX-License-Identifier: Apache-2.0
// What the routers of a network are made as: all alike, but for those of nodes with values of their own
// (docs/model.md, "Routers of their own").
#pragma once

#include <forward_list>
#include <string>
#include <vector>

#include "network/network_config.h"
#include "router/pipeline_timing.h"
#include "topologies/netlist.h"

namespace toriscope {

class router_kinds {
 public:
  /// @throws std::invalid_argument with one line where a node's values do not fit the configuration
  router_kinds(const netlist& wiring, const network_config& config);

  const router_kind& of(node_id n) const { return of_.empty() ? common_ : *of_[n]; }
  /// The most cycles from a flit put on its link to sent.
  unsigned longest_ahead() const;

 private:
  const router_kind common_;
  std::forward_list<router_kind> own_;
  std::vector<const router_kind*> of_;  ///< empty: all are alike
};

}  // namespace toriscope
