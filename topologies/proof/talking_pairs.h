// SPDX-License-Identifier: Apache-2.0
// Pairs of terminals that talk to each other, where not all do: a proof for their packets alone (deadlock_proof.h).
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

class talking_pairs {
 public:
  /// @param vcs              of each port
  /// @param message_classes  that have disjoint sets of these VCs
  talking_pairs(unsigned vcs, unsigned message_classes) : vcs_of_class_(vcs / message_classes) {}

  /// Packets of this class go from source to destination.
  void add(terminal_id source, terminal_id destination, unsigned message_class) {
    sources_of_[destination].emplace(source, message_class);
  }

  std::vector<terminal_id> destinations() const {
    std::vector<terminal_id> list;
    for (const auto& entry : sources_of_) list.push_back(entry.first);
    return list;
  }
  bool talk(terminal_id source, terminal_id destination) const {
    const auto sources = sources_of_.find(destination);
    if (sources == sources_of_.end()) return false;
    const auto first = sources->second.lower_bound({source, 0});
    return first != sources->second.end() && first->first == source;
  }
  /// Of the same source and destination in several classes: one for each.
  std::size_t size() const {
    std::size_t pairs = 0;
    for (const auto& entry : sources_of_) pairs += entry.second.size();
    return pairs;
  }

  /// Calls f(node, port, first VC, VC behind the last) wherever packets to the destination enter.
  template <class Function>
  void for_each_entry(const netlist& net, terminal_id destination, Function f) const {
    const auto sources = sources_of_.find(destination);
    if (sources == sources_of_.end()) return;
    for (const auto& [source, message_class] : sources->second) {
      const netlist_terminal place = net.terminal(source);
      f(place.node, place.port, message_class * vcs_of_class_, (message_class + 1) * vcs_of_class_);
    }
  }

 private:
  unsigned vcs_of_class_;
  std::map<terminal_id, std::set<std::pair<terminal_id, unsigned>>> sources_of_;  ///< with their classes
};

/// The same for packets from everywhere where `pairs` is null.
/// @param vcs  of each port
template <class Function>
void for_each_entry(const netlist& net, const talking_pairs* pairs, unsigned vcs, terminal_id destination,
                    Function f) {
  if (pairs)
    pairs->for_each_entry(net, destination, f);
  else
    net.for_each_entry([&](node_id node, port_id port) { f(node, port, 0u, vcs); });
}

}  // namespace toriscope
