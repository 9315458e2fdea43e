// SPDX-License-Identifier: Apache-2.0
// The netlist as an undirected graph: wires between different nodes, whichever way their links go. Parallel
// wires stay several; a wire from a node to itself is left out, for no cut ever takes it.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

class undirected_wires {
 public:
  explicit undirected_wires(const netlist& net);

  /// A wire as a node sees it.
  struct end {
    std::uint32_t wire;
    node_id other;
  };
  const end* begin(node_id node) const { return ends_.data() + first_[node]; }
  const end* end_of(node_id node) const { return ends_.data() + first_[node + 1]; }
  std::uint32_t degree(node_id node) const { return first_[node + 1] - first_[node]; }
  node_id nodes() const { return static_cast<node_id>(first_.size() - 1); }
  std::uint32_t wires() const { return static_cast<std::uint32_t>(ends_.size() / 2); }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<end> ends_;
};

}  // namespace toriscope
