// SPDX-License-Identifier: Apache-2.0
// For tests: the link from one node to another.
#pragma once

#include <algorithm>

#include "topologies/netlist.h"

namespace toriscope {

/// The first one; the number of links, where there is none.
inline link_id link_between(const netlist& net, node_id from, node_id to) {
  const auto& all = net.links();
  return static_cast<link_id>(
      std::find_if(all.begin(), all.end(),
                   [&](const netlist_link& l) { return l.from == from && l.to == to; }) -
      all.begin());
}

}  // namespace toriscope
