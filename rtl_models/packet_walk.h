// SPDX-License-Identifier: Apache-2.0
// Follows packets through a network, from every terminal and injection VC: what routers are asked.
#pragma once

#include <vector>

#include "topologies/netlist.h"
#include "topologies/proof/position_set.h"
#include "topologies/route.h"

namespace toriscope {

class packet_walk {
 public:
  packet_walk(const netlist& wiring, const routing_function& routing, unsigned vcs)
      : wiring_(wiring),
        routing_(routing),
        vcs_(vcs),
        seen_(wiring.links().size() + wiring.terminal_count(), routing.state_bits()) {}

  /// All packets to a terminal; tells `visit` of each request that a router is asked on the way, once.
  template <class Visit>
  void follow_to(terminal_id destination, Visit&& visit) {
    seen_.clear();
    for (terminal_id source = 0; source < wiring_.terminal_count(); ++source) {
      const auto injection_link = static_cast<link_id>(wiring_.links().size() + source);
      const netlist_terminal from = wiring_.terminal(source);
      for (route_state drawn = 0; drawn < routing_.injection_states(); ++drawn)
        reach(injection_link, {from.node, from.port, {}, destination, drawn}, vc_set::below(vcs_));
    }
    while (!open_.empty()) {
      const route_request request = open_.back();
      open_.pop_back();
      route_option options[routing_function::max_options];
      const unsigned count = routing_.route(request, options);
      visit(request, options, count);
      for (unsigned k = 0; k < count; ++k) {
        if (wiring_.is_local(request.node, options[k].out_port)) continue;
        const link_id out = wiring_.ports(request.node)[options[k].out_port].out;
        const netlist_link& link = wiring_.link(out);
        reach(out, {link.to, link.to_port, {}, destination, options[k].state}, vc_set(options[k].vcs));
      }
    }
  }

 private:
  void reach(link_id by, route_request request, vc_set vcs) {
    for (const unsigned v : vc_set(seen_.add(by, request.state, vcs.mask())) & vc_set::below(vcs_)) {
      request.in_vc = static_cast<std::uint8_t>(v);
      open_.push_back(request);
    }
  }

  const netlist& wiring_;
  const routing_function& routing_;
  unsigned vcs_;
  position_set seen_;
  std::vector<route_request> open_;
};

}  // namespace toriscope
