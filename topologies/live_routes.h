// SPDX-License-Identifier: Apache-2.0
// Which pairs of nodes a routing function still connects when some links are dead (docs/model.md, "Dead
// links"): a search over its options, hop by hop. Answers are kept by pair until the next link dies.
//
//   limits   routing is not changed: a pair is cut when all the options that the routing function gives, from
//            the source on, end at dead links, whatever other ways the wiring has left
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

class live_routes {
 public:
  /// @param vcs  of each port, as the routing function was made for
  live_routes(const netlist& wiring, const routing_function& routing, unsigned vcs);

  void kill(link_id l);

  /// Whether the options lead from `source` to `destination` over live links. A node reaches itself.
  /// @param drawn  the route state at injection
  bool connect(terminal_id source, terminal_id destination, route_state drawn);

  /// Ordered pairs of different terminals that no route state at injection connects: N(N-1) searches for each.
  std::uint64_t count_cut_pairs();

 private:
  /// A head that stands at the front of an input VC.
  struct place {
    std::uint64_t where;  ///< node, input port and VC; of an answer: source and destination
    route_state state;
    bool operator==(const place& other) const { return where == other.where && state == other.state; }
  };
  struct hash_of_place {
    std::size_t operator()(const place& p) const;
  };

  bool search(terminal_id source, terminal_id destination, route_state drawn);
  void visit(node_id node, port_id in_port, unsigned vc, route_state state);

  const netlist& wiring_;
  const routing_function& routing_;
  const unsigned vcs_;
  std::vector<bool> dead_;  ///< by link; empty while none is
  std::unordered_map<place, bool, hash_of_place> known_;  ///< by pair and route state
  std::unordered_set<place, hash_of_place> visited_;
  std::vector<route_request> to_visit_;
};

}  // namespace toriscope
