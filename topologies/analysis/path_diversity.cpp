// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/path_diversity.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "topologies/proof/checked_route.h"

namespace toriscope {

namespace {

/// Sums up numbers of paths.
class path_counter {
 public:
  void add(double paths) {
    total_ += paths;
    max_ = std::max(max_, paths);
  }
  path_diversity over(double pairs) const { return {pairs > 0 ? total_ / pairs : 0, max_}; }

 private:
  double total_ = 0;
  double max_ = 0;
};

/// Routes to one destination, counted from where a head stands.
class route_counter {
 public:
  route_counter(const netlist& net, const checked_route& route, terminal_id destination)
      : net_(net), route_(route), destination_(destination) {}

  /// Routes from right after injection; negative when they may go in circles.
  double from(terminal_id source) {
    const netlist_terminal at = net_.terminal(source);
    return count({at.node, at.port, 0, destination_, 0}, std::uint64_t{source} << 32 | 1);
  }

 private:
  static constexpr double under_way = -1;

  double count(const route_request& at, std::uint64_t key) {
    const auto [known, is_new] = known_.emplace(key, under_way);
    if (!is_new) return known->second;
    route_option options[routing_function::max_options];
    const unsigned n = route_(at, options);
    double routes = 0;
    std::uint32_t taken = 0;  // output ports
    for (unsigned i = 0; i < n; ++i) {
      const route_option& option = options[i];
      if ((taken >> option.out_port & 1u) != 0) continue;
      taken |= 1u << option.out_port;
      if (net_.is_local(at.node, option.out_port)) {
        ++routes;
        continue;
      }
      const link_id out = net_.ports(at.node)[option.out_port].out;
      const auto vc = static_cast<std::uint8_t>(vc_set(option.vcs).first());
      const netlist_link& wire = net_.link(out);
      const std::uint64_t next = ((std::uint64_t{out} << 26 | option.state) << 4 | vc) << 1;
      const double further = count({wire.to, wire.to_port, vc, destination_, option.state}, next);
      if (further < 0) return under_way;
      routes += further;
    }
    return known_[key] = routes;
  }

  const netlist& net_;
  const checked_route& route_;
  terminal_id destination_;
  std::unordered_map<std::uint64_t, double> known_;
};

}  // namespace

path_diversity count_shortest_paths(const netlist& net, const digit_rotations& turns) {
  const node_id nodes = net.node_count();
  std::vector<double> paths(nodes);
  std::vector<std::uint32_t> distance(nodes);
  std::vector<node_id> queue;
  path_counter counter;
  const std::vector<node_id> sources = turns.representatives();
  for (const node_id source : sources) {
    std::fill(distance.begin(), distance.end(), ~0u);
    queue.assign(1, source);
    distance[source] = 0;
    paths[source] = 1;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const node_id node = queue[at];
      if (at > 0) counter.add(paths[node]);
      for (const netlist_port& port : net.ports(node)) {
        if (port.out == no_link) continue;
        const node_id to = net.link(port.out).to;
        if (distance[to] == ~0u) {
          distance[to] = distance[node] + 1;
          paths[to] = 0;
          queue.push_back(to);
        }
        if (distance[to] == distance[node] + 1) paths[to] += paths[node];
      }
    }
  }
  return counter.over(static_cast<double>(sources.size()) * (nodes - 1.0));
}

std::optional<path_diversity> count_routes(const netlist& net, const routing_function& routing, unsigned vcs,
                                           const route_symmetry& symmetry) {
  if (routing.options_at_most() == 1) return path_diversity{1, 1};
  const checked_route route(net, routing, vcs);
  path_counter counter;
  for (const terminal_id destination : symmetry.destinations()) {
    route_counter routes(net, route, destination);
    for (terminal_id source = 0; source < net.terminal_count(); ++source) {
      if (source == destination) continue;
      const double n = routes.from(source);
      if (n < 0) return std::nullopt;
      counter.add(n);
    }
  }
  return counter.over(static_cast<double>(symmetry.destinations().size()) * (net.terminal_count() - 1.0));
}

}  // namespace toriscope
