// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/witness.h"

#include <algorithm>
#include <random>

#include "topologies/path.h"

namespace toriscope {

namespace {

constexpr std::uint64_t max_walks = 4'000'000;
constexpr unsigned max_of_a_source = 2;  // an interface sends its packets one after the other

/// All terminals of nodes that lead to `to`, the nearest first.
std::vector<terminal_id> sources_by_distance(const netlist& net, node_id to) {
  std::vector<bool> seen(net.node_count());
  std::vector<node_id> order{to};
  seen[to] = true;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const netlist_port& port : net.ports(order[i])) {
      if (port.in == no_link || seen[net.link(port.in).from]) continue;
      seen[net.link(port.in).from] = true;
      order.push_back(net.link(port.in).from);
    }
  if (net.has_plain_terminals()) return order;
  std::vector<terminal_id> terminals;
  for (const node_id node : order)
    for (unsigned p = net.local_port(node); p < net.port_count(node); ++p)
      if (const terminal_id t = net.entering(node, static_cast<port_id>(p)); t != no_terminal)
        terminals.push_back(t);
  return terminals;
}

/// The VCs in which hop h of a walk may be taken.
vc_mask vcs_of(const netlist& net, const routing_function& routing, const std::vector<hop>& hops,
               std::size_t h, terminal_id destination) {
  route_request at{hops[h].node, net.local_port(hops[h].node), 0, destination, 0};
  if (h > 0) {
    at.in_port = net.link(hops[h - 1].link).to_port;
    at.in_vc = hops[h - 1].vc;
    at.state = hops[h - 1].state;
  }
  route_option options[routing_function::max_options];
  routing.route(at, options);
  return options[0].vcs;
}

bool holds(vc_mask vcs, const channel& c) { return vc_set(vcs).has(c.vc); }

/// The route with the fewest hops among those whose sources have the fewest packets; or one not much worse.
const cycle_route& choose(const std::vector<cycle_route>& routes, const std::vector<node_id>& sources,
                          std::uint32_t seed, std::mt19937& random) {
  const auto cost = [&](const cycle_route& route) {
    const auto packets = std::count(sources.begin(), sources.end(), route.source);
    return static_cast<unsigned>(packets) * 64 + route.hops + (seed == 0 ? 0 : random() % 8);
  };
  const cycle_route* best = nullptr;
  unsigned least = 0;
  for (const cycle_route& route : routes) {
    const unsigned now = cost(route);
    if (best && now >= least) continue;
    best = &route;
    least = now;
  }
  return *best;
}

}  // namespace

std::vector<cycle_step> routes_over(const netlist& net, const routing_function& routing, unsigned vcs,
                                    const std::vector<channel>& cycle, unsigned most,
                                    const talking_pairs* pairs) {
  std::vector<cycle_step> steps;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const channel& held = cycle[i];
    const channel& wanted = cycle[(i + 1) % cycle.size()];
    cycle_step step;
    step.held = held;
    std::uint64_t walks = 0;
    for (const terminal_id source : sources_by_distance(net, net.link(held.link).from)) {
      if (step.routes.size() >= most || walks > max_walks / cycle.size()) break;
      const std::size_t before = step.routes.size();
      for (terminal_id destination = 0; destination < net.terminal_count(); ++destination, ++walks) {
        if (step.routes.size() >= std::min<std::size_t>(most, before + max_of_a_source)) break;
        if (pairs && !pairs->talk(source, destination)) continue;
        const std::vector<hop> hops = walk(net, routing, source, destination, vcs);
        for (std::size_t h = 0; h + 1 < hops.size(); ++h) {
          if (hops[h].link != held.link || hops[h + 1].link != wanted.link) continue;
          const vc_mask in = vcs_of(net, routing, hops, h, destination);
          if (!holds(in, held) || !holds(vcs_of(net, routing, hops, h + 1, destination), wanted)) continue;
          step.vcs = std::max(step.vcs, vc_set(in).size());
          step.routes.push_back({source, destination, static_cast<unsigned>(h + 1)});
        }
      }
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<witness_packet> witness_candidate(const std::vector<cycle_step>& steps,
                                              const witness_settings& settings) {
  std::mt19937 random(settings.seed);
  std::vector<witness_packet> packets;
  std::vector<node_id> sources;
  std::vector<unsigned> hops;
  unsigned max_hops = 0;
  for (const cycle_step& step : steps) {
    if (step.routes.empty()) return {};
    for (unsigned i = 0; i < step.vcs * settings.times; ++i) {
      const cycle_route& route = choose(step.routes, sources, settings.seed, random);
      sources.push_back(route.source);
      packets.push_back({0, route.source, route.destination, settings.flits});
      hops.push_back(route.hops);
      max_hops = std::max(max_hops, route.hops);
    }
  }
  for (std::size_t i = 0; i < packets.size(); ++i)
    packets[i].cycle = std::uint64_t{max_hops - hops[i]} * settings.hop_cycles;
  std::stable_sort(packets.begin(), packets.end(),
                   [](const witness_packet& a, const witness_packet& b) { return a.cycle < b.cycle; });
  return packets;
}

}  // namespace toriscope
