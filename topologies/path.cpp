// SPDX-License-Identifier: Apache-2.0
#include "topologies/path.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

/// Calls f(hop) for each link on the route.
template <class Function>
void follow(const netlist& net, const routing_function& routing, terminal_id source, terminal_id destination,
            unsigned vcs, route_state drawn, Function f) {
  const auto broken = [&](node_id node, const std::string& what) {
    return std::logic_error("route " + net.terminal_address(source) + " -> " +
                            net.terminal_address(destination) + " at " + net.address(node) + ": " + what);
  };
  // A walk that has been everywhere in every state is going round.
  const std::uint64_t longest = (std::uint64_t{net.links().size()} * vcs) << routing.state_bits();
  route_option options[routing_function::max_options];
  route_request at{net.terminal(source).node, net.terminal(source).port, 0, destination, drawn};
  for (std::uint64_t hops = 0;; ++hops) {
    const unsigned count = routing.route(at, options);
    if (count == 0 || count > routing.options_at_most())
      throw broken(at.node, std::to_string(count) + " options");
    const route_option& option = options[0];
    if (option.vcs == 0 || (option.vcs & ~all_vcs(vcs)) != 0) throw broken(at.node, "no such VC");
    if (option.out_port >= net.port_count(at.node))
      throw broken(at.node, "there is no port " + std::to_string(option.out_port));
    if (net.is_local(at.node, option.out_port)) {
      if (net.leaving(at.node, option.out_port) != destination)
        throw broken(at.node, "leaves the network there");
      return;
    }
    const port_range ports = net.ports(at.node);
    if (ports[option.out_port].out == no_link)
      throw broken(at.node, "port " + std::to_string(option.out_port) + " has no outgoing link");
    if (hops == longest) throw broken(at.node, "never arrives");
    if ((option.state >> routing.state_bits()) != 0) throw broken(at.node, "a state beyond its bits");
    const link_id l = ports[option.out_port].out;
    const auto vc = static_cast<std::uint8_t>(vc_set(option.vcs).first());
    f(hop{at.node, option.out_port, l, vc, option.state});
    const netlist_link& wire = net.link(l);
    at = {wire.to, wire.to_port, vc, destination, option.state};
  }
}

}  // namespace

std::vector<hop> walk(const netlist& net, const routing_function& routing, terminal_id source,
                      terminal_id destination, unsigned vcs, route_state drawn) {
  std::vector<hop> hops;
  follow(net, routing, source, destination, vcs, drawn, [&](const hop& h) { hops.push_back(h); });
  return hops;
}

unsigned routed_distance(const netlist& net, const routing_function& routing, terminal_id source,
                         terminal_id destination, unsigned vcs, route_state drawn) {
  unsigned hops = 0;
  follow(net, routing, source, destination, vcs, drawn, [&](const hop&) { ++hops; });
  return hops;
}

routed_distances measure_routes(const netlist& net, const routing_function& routing, unsigned vcs) {
  routed_distances result;
  const terminal_id nodes = net.terminal_count();
  for (terminal_id source = 0; source < nodes; ++source)
    for (terminal_id destination = 0; destination < nodes; ++destination)
      for (route_state drawn = 0; drawn < routing.injection_states(); ++drawn) {
        const unsigned hops = routed_distance(net, routing, source, destination, vcs, drawn);
        result.diameter = std::max(result.diameter, hops);
        result.total += hops;
      }
  const double n = nodes;
  const double total = static_cast<double>(result.total) / routing.injection_states();
  result.mean_all = total / (n * n);
  result.mean_distinct = nodes < 2 ? 0 : total / (n * (n - 1));
  return result;
}

}  // namespace toriscope
