// SPDX-License-Identifier: Apache-2.0
// Follows all packets through a network, and notes which channel was asked for from which, and which VCs of each
// link at all: every source, every destination, every VC of every option, every route state that comes about.
//
// By destinations: from all sources to one after the other.
//
// By classes of destinations, for a routing function that reads_to_first_difference() (route.h). A class is
// the leading digits of an address, the others free: it stands for all nodes that have these digits. Where a
// head stands at a node outside of its class, the first difference is among the known digits, so that all
// destinations of the class have the same options: they are followed together. Where it comes to a node that
// has all the known digits, the class is taken apart by the next digit (in the last level of the hierarchy:
// into single nodes), and each part goes on from there. So a (channel, state, class) is reached exactly when
// (channel, state, destination) is for each destination of the class: both ways give the same dependencies.
// The claim of the routing function is not trusted: one request in 8 is asked again for a destination of the
// class drawn at random.
//
// Cost: time ~ destinations (or classes) * channels in use; memory ~ channels * 8 bytes per 64 output VCs,
// and what is visited on the way to one destination (or class).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/proof/checked_route.h"
#include "topologies/proof/dependency_sets.h"
#include "topologies/proof/position_set.h"
#include "topologies/proof/talking_pairs.h"

namespace toriscope {

class packet_explorer {
 public:
  /// @param vcs  of each port, as the routing function was made for
  packet_explorer(const netlist& net, const routing_function& routing, unsigned vcs);

  /// Packets to one terminal, from all, or from those that talk to it.
  void follow_packets_to(terminal_id destination, const talking_pairs* pairs = nullptr);
  /// All packets, by classes. @throws std::logic_error when the routing function reads further than it claims
  void follow_classes();

  const dependency_sets& dependencies() const { return dependencies_; }
  /// By link: the VCs that some packet may take.
  const std::vector<vc_mask>& vcs_used() const { return vcs_used_; }

 private:
  /// Heads that have crossed a link, in these VCs.
  struct position {
    link_id link;
    route_state state;
    vc_mask vcs;
  };
  struct node_range {
    node_id first = 0;
    node_id size = 0;
    bool holds(node_id n) const { return n - first < size; }
  };

  void begin(terminal_id destination, node_range destinations);
  void inject_at(node_id source, port_id port, unsigned first_vc, unsigned end_vc);
  void follow();
  /// Notes where the options lead to.
  void go_on(node_id node, const route_option* options, unsigned count);
  unsigned ask(const route_request& request, route_option* options);
  void ask_again(const route_request& request, const route_option* options, unsigned count);
  void follow_class(unsigned known, node_range siblings, node_range destinations,
                    const std::vector<position>& arrivals);
  void follow_parts(unsigned known, node_range destinations, const std::vector<position>& arrivals);

  const netlist& net_;
  unsigned vcs_;
  checked_route route_;
  dependency_sets dependencies_;
  position_set visited_;
  std::vector<vc_mask> vcs_used_;
  std::vector<position> pending_;
  std::vector<position> arrived_;  ///< at nodes that have all the known digits
  terminal_id destination_ = 0;    ///< one of the class that is followed
  node_range class_;               ///< the class that is followed; empty when it is one destination
  std::vector<node_id> block_;     ///< by number of known digits: nodes that have them
  unsigned max_known_ = 0;         ///< digits before the last level of the hierarchy
  std::uint64_t random_ = 1;
};

}  // namespace toriscope
