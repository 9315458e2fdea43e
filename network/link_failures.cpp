// SPDX-License-Identifier: Apache-2.0
#include "network/link_failures.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace toriscope {

link_failures::link_failures(const netlist& wiring, const routing_function& routing,
                             const network_config& config)
    : wiring_(wiring), deaths_(config.dead_links), routes_(wiring, routing, config.router.vcs) {
  std::stable_sort(deaths_.begin(), deaths_.end(),
                   [](const dead_link& a, const dead_link& b) { return a.from_cycle < b.from_cycle; });
}

void link_failures::check(const std::vector<node*>& nodes) const {
  for (const dead_link& death : deaths_) {
    if (death.link >= wiring_.links().size())
      throw std::invalid_argument("dead link " + std::to_string(death.link) + ": " + wiring_.name() +
                                  " has the links 0.." + std::to_string(wiring_.links().size() - 1));
    const netlist_link& link = wiring_.link(death.link);
    if (nodes[link.from] && !nodes[link.from]->core())
      throw std::invalid_argument("dead link out of port " + wiring_.port_name(link.from, link.from_port) +
                                  " of " + wiring_.path(link.from) +
                                  ": the router there is not the model's, and knows no dead links");
  }
}

void link_failures::close_next(const std::vector<node*>& nodes) {
  const link_id l = deaths_[next_++].link;
  const netlist_link& link = wiring_.link(l);
  if (node* const sender = nodes[link.from]) sender->core()->close_output(link.from_port);
  routes_.kill(l);
}

}  // namespace toriscope
