// SPDX-License-Identifier: Apache-2.0
// The nodes of a network in ranges of about the same size, along the digits of their addresses from the most
// significant on: whole modules of the outermost level, slabs of rows of a mesh - so that the longest links lead from
// one range to another. Digits are taken until no range is more than a fifth larger than the mean.
#pragma once

#include <algorithm>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

class node_ranges {
 public:
  /// One range, of all nodes.
  node_ranges() : first_{0} {}
  /// @param count  at least 1; there are fewer ranges where there are fewer nodes
  node_ranges(const netlist& net, unsigned count);

  unsigned count() const { return static_cast<unsigned>(first_.size()); }
  /// The first node of range i.
  node_id first(unsigned i) const { return first_[i]; }
  /// The range of node n.
  unsigned of(node_id n) const {
    if (first_.size() == 1) return 0;
    return static_cast<unsigned>(std::upper_bound(first_.begin(), first_.end(), n) - first_.begin()) - 1;
  }

 private:
  std::vector<node_id> first_;  ///< ascending
};

}  // namespace toriscope
