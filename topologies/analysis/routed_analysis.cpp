// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/routed_analysis.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "topologies/analysis/route_forest.h"

namespace toriscope {

namespace {

/// A matrix, read by destination.
struct weights_by_destination {
  struct point {
    node_id destination;
    node_id source;
    double weight;
  };
  std::vector<double> every_other;  ///< by source
  std::vector<point> points;        ///< by destination
  std::vector<double> received;     ///< by destination, what it sends to itself included
  bool spread = false;              ///< whether any node sends to every other

  bool is_uniform() const {
    return points.empty() && std::all_of(every_other.begin(), every_other.end(),
                                         [&](double weight) { return weight == every_other.front(); });
  }
};

weights_by_destination turn_round(const netlist& net, const traffic_matrix& traffic) {
  const terminal_id nodes = net.terminal_count();
  weights_by_destination result;
  result.received.assign(nodes, 0);
  double everywhere = 0;
  result.every_other.reserve(nodes);
  for (node_id source = 0; source < nodes; ++source) {
    destination_weights row = traffic(source);
    result.every_other.push_back(row.every_other);
    everywhere += row.every_other;
    result.received[source] += row.own - row.every_other;
    result.spread = result.spread || row.every_other != 0;
    for (const auto& [destination, weight] : row.points) result.received[destination] += weight;
    row.points.emplace_back(source, row.own);
    for (const auto& [destination, weight] : row.points)
      if (weight != 0 && (destination != source || !net.leaves_where_it_enters(source)))
        result.points.push_back({destination, source, weight});
  }
  for (double& flits : result.received) flits += everywhere;
  std::sort(result.points.begin(), result.points.end(),
            [](const auto& a, const auto& b) { return a.destination < b.destination; });
  return result;
}

/// The loads of links that turns map onto each other, added up: turns keep the ports.
void add_up_orbits(const netlist& net, const route_symmetry& symmetry, std::vector<double>& loads) {
  std::vector<double> sums((symmetry.destinations().back() + std::size_t{1}) * max_ports, 0);
  const auto orbit = [&](link_id l) {
    const netlist_link& wire = net.link(l);
    return std::size_t{symmetry.representative(wire.from)} * max_ports + wire.from_port;
  };
  for (link_id l = 0; l < loads.size(); ++l) sums[orbit(l)] += loads[l];
  for (link_id l = 0; l < loads.size(); ++l) loads[l] = sums[orbit(l)];
}

void finish(const netlist& net, channel_loads& result) {
  double fullest = 0;
  double total = 0;
  for (link_id l = 0; l < result.loads.size(); ++l) {
    const double load = result.loads[l];
    total += load;
    if (result.busiest == no_link || load > result.max) {
      result.max = load;
      result.busiest = l;
    }
    fullest = std::max(fullest, load * net.link(l).flit_cycles);
  }
  result.mean = result.loads.empty() ? 0 : total / static_cast<double>(result.loads.size());
  result.bound = fullest > 0 ? 1 / fullest : std::numeric_limits<double>::infinity();
}

}  // namespace

route_symmetry::route_symmetry(const netlist& net, const digit_rotations& turns, unsigned cyclic_digits,
                               bool all_turns)
    : destinations_{0} {
  if (!net.has_plain_terminals()) {
    destinations_.resize(net.terminal_count());
    std::iota(destinations_.begin(), destinations_.end(), terminal_id{0});
    return;
  }
  const std::vector<node_id> weights = digit_weights(net);
  for (unsigned digit = 0; digit < weights.size(); ++digit) {
    const unsigned radix = net.radices()[digit];
    unsigned turn = turns.turn(digit);
    if (!all_turns && (digit >= cyclic_digits || turn != 1)) turn = radix;
    if (turn < radix) turned_.push_back({weights[digit], radix, turn});
    nodes_each_ *= radix / turn;
  }
  destinations_.clear();
  for (node_id node = 0; node < net.node_count(); ++node)
    if (representative(node) == node) destinations_.push_back(node);
}

node_id route_symmetry::representative(node_id node) const {
  for (const turned_digit& d : turned_) {
    const unsigned value = node / d.weight % d.radix;
    node -= value / d.turn * d.turn * d.weight;
  }
  return node;
}

distance_summary routed_distances_of(const netlist& net, const routing_function& routing, unsigned vcs,
                                     const route_symmetry& symmetry) {
  route_forest forest(net, routing, vcs);
  std::vector<double> pairs;
  double own = 0;
  const double each = static_cast<double>(symmetry.nodes_each()) / routing.injection_states();
  for (const terminal_id destination : symmetry.destinations()) {
    forest.aim_at(destination);
    for (terminal_id source = 0; source < net.terminal_count(); ++source) {
      for (route_state drawn = 0; drawn < routing.injection_states(); ++drawn) {
        const unsigned hops = forest.hops(source, drawn);
        if (pairs.size() <= hops) pairs.resize(hops + std::size_t{1}, 0);
        pairs[hops] += each;
        if (source == destination) own += each * hops;
      }
    }
  }
  return summarise_distances(std::move(pairs), net.terminal_count(), own);
}

channel_loads load_channels(const netlist& net, const routing_function& routing, unsigned vcs,
                            const route_symmetry& symmetry, const traffic_matrix& traffic) {
  const terminal_id nodes = net.terminal_count();
  const weights_by_destination weights = turn_round(net, traffic);
  const bool uniform = weights.is_uniform();
  // What is sent is counted in shares of the first source's, so that sums of uniform loads are exact.
  const double unit = weights.every_other.front() != 0 ? weights.every_other.front() : 1;
  channel_loads result;
  result.loads.assign(net.links().size(), 0);
  route_forest forest(net, routing, vcs);
  auto point = weights.points.begin();
  std::vector<node_id> destinations = symmetry.destinations();
  if (!uniform) {
    destinations.resize(nodes);
    std::iota(destinations.begin(), destinations.end(), node_id{0});
  }
  for (const node_id destination : destinations) {
    const bool any_point = point != weights.points.end() && point->destination == destination;
    if (!weights.spread && !any_point) continue;
    forest.aim_at(destination);
    for (node_id source = 0; weights.spread && source < nodes; ++source)
      if (source != destination) forest.send(source, weights.every_other[source] / unit);
    for (; point != weights.points.end() && point->destination == destination; ++point)
      forest.send(point->source, point->weight / unit);
    forest.deliver(result.loads);
  }
  if (uniform && symmetry.nodes_each() > 1) add_up_orbits(net, symmetry, result.loads);
  for (double& load : result.loads) load *= unit;
  finish(net, result);
  const auto most = std::max_element(weights.received.begin(), weights.received.end());
  result.ejection_max = *most;
  result.sink = static_cast<node_id>(most - weights.received.begin());
  return result;
}

}  // namespace toriscope
