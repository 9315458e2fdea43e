// SPDX-License-Identifier: Apache-2.0
// See reference_reachability.h.
#include "testbenches/reference/reference_reachability.h"

#include <set>
#include <tuple>
#include <vector>

namespace toriscope::reference {

bool leads_to(const netlist& wiring, const routing_function& routing, unsigned vcs, terminal_id source,
              terminal_id destination, route_state drawn, const std::function<bool(link_id)>& is_dead) {
  using place = std::tuple<node_id, port_id, unsigned, route_state>;  // where a head may stand, and its state
  std::set<place> seen;
  std::vector<place> to_visit;
  for (unsigned v = 0; v < vcs; ++v)
    to_visit.emplace_back(wiring.terminal(source).node, wiring.terminal(source).port, v, drawn);
  while (!to_visit.empty()) {
    const place here = to_visit.back();
    to_visit.pop_back();
    if (!seen.insert(here).second) continue;
    const auto [node, in_port, in_vc, state] = here;
    route_option options[routing_function::max_options];
    const unsigned count =
        routing.route({node, in_port, static_cast<std::uint8_t>(in_vc), destination, state}, options);
    for (unsigned k = 0; k < count; ++k) {
      if (wiring.is_local(node, options[k].out_port)) return true;
      const link_id id = wiring.ports(node)[options[k].out_port].out;
      if (is_dead(id)) continue;
      const netlist_link& link = wiring.link(id);
      for (unsigned v = 0; v < vcs; ++v) {
        if ((options[k].vcs >> v) % 2 == 1) to_visit.emplace_back(link.to, link.to_port, v, options[k].state);
      }
    }
  }
  return false;
}

}  // namespace toriscope::reference
