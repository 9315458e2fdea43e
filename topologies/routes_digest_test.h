// SPDX-License-Identifier: Apache-2.0
// For tests: a digest of the routes of a pair.
#pragma once

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "topologies/registry.h"

namespace toriscope {

/// All options that a packet of this pair can ever be given, wherever its VCs take it.
inline std::uint64_t routes_digest(const topology& t, terminal_id from, terminal_id to) {
  using place = std::tuple<node_id, port_id, std::uint8_t, route_state>;
  const netlist& net = *t.wiring;
  std::uint64_t digest = 0;
  std::vector<place> open;
  const route_state states = t.routing->injection_states();
  for (route_state drawn = 0; drawn < states; drawn += std::max(1u, states / 5))
    open.emplace_back(net.terminal(from).node, net.terminal(from).port, std::uint8_t{0}, drawn);
  std::set<place> seen(open.begin(), open.end());
  while (!open.empty()) {
    const auto [node, in_port, in_vc, state] = open.back();
    open.pop_back();
    route_option options[routing_function::max_options];
    const unsigned count = t.routing->route({node, in_port, in_vc, to, state}, options);
    for (unsigned k = 0; k < count; ++k) {
      const route_option& o = options[k];
      digest += mix(node, in_port, in_vc, state, k, o.out_port, o.vcs, o.state);
      if (net.is_local(node, o.out_port)) continue;
      const netlist_link& link = net.link(net.ports(node)[o.out_port].out);
      for (std::uint8_t vc = 0; vc < 16; ++vc) {
        const place next{link.to, link.to_port, vc, o.state};
        if (o.vcs >> vc & 1 && seen.insert(next).second) open.push_back(next);
      }
    }
  }
  return mix(digest, from, to);
}

}  // namespace toriscope
