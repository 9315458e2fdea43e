// SPDX-License-Identifier: Apache-2.0
// The channel-dependency graph of one layer of VCs, kept free of cycles while dependencies are added: links
// in an order in which each stands before those that it depends on. A new dependency that agrees with the
// order costs nothing; one that does not reorders the links in between, or closes a cycle and is rejected.
//
// Source: Pearce, Kelly 2006 (a dynamic topological sort algorithm for directed acyclic graphs).
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

class dependency_layer {
 public:
  explicit dependency_layer(const netlist& net);

  /// Whether packets go from link `a` to link `b` in this layer. @pre b leaves the node that a leads to
  bool has(link_id a, link_id b) const { return (after_[a] >> port_of(b) & 1u) != 0; }
  /// Whether it is known that a to b would close a cycle, now and ever after.
  bool refused(link_id a, link_id b) const { return (never_[a] >> port_of(b) & 1u) != 0; }

  /// Adds a to b. @returns false, with nothing changed, when that would close a cycle
  bool add(link_id a, link_id b);
  void remove(link_id a, link_id b) { after_[a] &= ~(1u << port_of(b)); }
  void refuse(link_id a, link_id b) { never_[a] |= 1u << port_of(b); }

 private:
  unsigned port_of(link_id b) const { return net_.link(b).from_port; }
  bool reach_forward(link_id from, link_id goal);
  void reach_backward(link_id from, std::uint32_t least);
  void reorder();

  const netlist& net_;
  std::vector<std::uint32_t> after_;  ///< by link: set of ports at its end by which packets go on
  std::vector<std::uint32_t> never_;  ///< by link: likewise, those that would close a cycle
  std::vector<std::uint32_t> place_;  ///< by link: where it stands in the order
  std::vector<bool> marked_;
  std::vector<link_id> forward_;  ///< links found by the searches
  std::vector<link_id> backward_;
  std::vector<std::uint32_t> places_;
};

}  // namespace toriscope
