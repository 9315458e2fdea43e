// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/channel_dependency.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/iteration_macros.hpp>
#include <boost/graph/strong_components.hpp>
#include <stdexcept>
#include <utility>

#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

using dependency_graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;

/// Follows all packets to one destination after the other and notes which channel was asked for from which.
class explorer {
 public:
  explorer(const netlist& net, const routing_function& routing, unsigned vcs);

  void follow_packets_to(node_id destination);
  dependency_graph graph() const;

 private:
  struct visit {
    std::uint32_t channel;
    route_state state;
  };

  /// What a packet may ask for next. @param from  the channel it holds; no_channel: it is being injected
  void ask(const route_request& request, std::uint32_t from);
  /// Calls f(channel) for all that `from` depends on.
  template <class Function>
  void for_each_dependency(std::uint32_t from, Function f) const;

  static constexpr std::uint32_t no_channel = ~std::uint32_t{0};

  const netlist& net_;
  const routing_function& routing_;
  unsigned vcs_;
  unsigned state_bits_;
  std::size_t words_;                     ///< of a set of output VCs of one node
  std::vector<std::uint64_t> asked_for_;  ///< by channel: output VCs (port * V + vc) at the link's far end
  std::vector<std::uint32_t> visited_;    ///< by channel and state: the round in which that was
  std::uint32_t round_ = 0;
  std::vector<visit> pending_;
};

explorer::explorer(const netlist& net, const routing_function& routing, unsigned vcs)
    : net_(net), routing_(routing), vcs_(vcs), state_bits_(routing.state_bits()) {
  std::size_t ports = 0;
  for (node_id node = 0; node < net.node_count(); ++node) ports = std::max(ports, net.ports(node).size());
  words_ = (ports * vcs + 63) / 64;
  const std::size_t channels = net.links().size() * vcs;
  if (channels >= no_channel || state_bits_ > 16)
    throw std::logic_error("too many channels or route states for a channel-dependency graph");
  asked_for_.resize(channels * words_);
  visited_.resize(channels << state_bits_);
}

void explorer::ask(const route_request& request, std::uint32_t from) {
  const auto broken = [&](const char* what) {
    return std::logic_error("route to " + net_.address(request.destination) + " at " +
                            net_.address(request.node) + ": " + what);
  };
  route_option options[routing_function::max_options];
  const unsigned count = routing_.route(request, options);
  if (count == 0 || count > routing_.options_at_most()) throw broken("wrong number of options");
  const port_range ports = net_.ports(request.node);
  for (unsigned i = 0; i < count; ++i) {
    const route_option& option = options[i];
    if (option.vcs == 0 || (option.vcs & ~all_vcs(vcs_)) != 0) throw broken("no such VC");
    if (option.out_port == ports.size()) {
      if (request.node != request.destination) throw broken("leaves the network there");
      continue;
    }
    if (option.out_port > ports.size() || ports[option.out_port].out == no_link)
      throw broken("a port without an outgoing link");
    if ((option.state >> state_bits_) != 0) throw broken("a state beyond its bits");
    for (unsigned rest = option.vcs; rest != 0; rest &= rest - 1) {
      const auto vc = static_cast<unsigned>(__builtin_ctz(rest));
      if (from != no_channel) {
        const std::size_t bit = option.out_port * vcs_ + vc;
        asked_for_[from * words_ + bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
      const std::uint32_t to = ports[option.out_port].out * vcs_ + vc;
      std::uint32_t& last = visited_[(std::size_t{to} << state_bits_) + option.state];
      if (last == round_) continue;
      last = round_;
      pending_.push_back({to, option.state});
    }
  }
}

void explorer::follow_packets_to(node_id destination) {
  ++round_;
  for (node_id source = 0; source < net_.node_count(); ++source)
    for (unsigned vc = 0; vc < vcs_; ++vc)
      ask({source, net_.local_port(source), static_cast<std::uint8_t>(vc), destination, 0}, no_channel);
  while (!pending_.empty()) {
    const visit at = pending_.back();
    pending_.pop_back();
    const netlist_link& wire = net_.link(at.channel / vcs_);
    ask({wire.to, wire.to_port, static_cast<std::uint8_t>(at.channel % vcs_), destination, at.state},
        at.channel);
  }
}

template <class Function>
void explorer::for_each_dependency(std::uint32_t from, Function f) const {
  const port_range ports = net_.ports(net_.link(from / vcs_).to);
  for (std::size_t word = 0; word < words_; ++word)
    for (std::uint64_t rest = asked_for_[from * words_ + word]; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<unsigned>(64 * word) + static_cast<unsigned>(__builtin_ctzll(rest));
      f(ports[bit / vcs_].out * vcs_ + bit % vcs_);
    }
}

dependency_graph explorer::graph() const {
  const auto channels = static_cast<std::uint32_t>(net_.links().size() * vcs_);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t c = 0; c < channels; ++c)
    for_each_dependency(c, [&](std::uint32_t to) { edges.emplace_back(c, to); });
  return dependency_graph(boost::edges_are_sorted, edges.begin(), edges.end(), channels);
}

/// The shortest way from `start` back to itself within its component, if it is shorter than `limit` channels.
std::vector<std::uint32_t> cycle_through(std::uint32_t start, const dependency_graph& graph,
                                         const std::vector<std::uint32_t>& component, std::size_t limit,
                                         std::vector<std::uint32_t>& came_from,
                                         std::vector<std::uint32_t>& seen_by) {
  std::vector<std::uint32_t> layer{start};
  std::vector<std::uint32_t> next;
  for (std::size_t length = 1; length < limit && !layer.empty(); ++length) {
    next.clear();
    for (const std::uint32_t at : layer) {
      BGL_FORALL_ADJ_T(at, to, graph, dependency_graph) {
        if (to == start) {
          std::vector<std::uint32_t> cycle{at};
          while (cycle.back() != start) cycle.push_back(came_from[cycle.back()]);
          std::reverse(cycle.begin(), cycle.end());
          return cycle;
        }
        if (component[to] != component[start] || seen_by[to] == start) continue;
        seen_by[to] = start;
        came_from[to] = at;
        next.push_back(to);
      }
    }
    layer.swap(next);
  }
  return {};
}

/// A short cycle: the shortest through any of the first channels of the components that have one; none:
/// empty.
std::vector<std::uint32_t> short_cycle(const dependency_graph& graph) {
  constexpr std::size_t most_tried = 2000;
  const auto channels = static_cast<std::uint32_t>(num_vertices(graph));
  std::vector<std::uint32_t> component(channels);
  const std::uint32_t components = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
  std::vector<std::uint32_t> size(components);
  for (const std::uint32_t c : component) ++size[c];

  std::vector<std::uint32_t> best;
  std::vector<std::uint32_t> came_from(channels);
  std::vector<std::uint32_t> seen_by(channels, ~std::uint32_t{0});
  std::size_t tried = 0;
  for (std::uint32_t c = 0; c < channels && tried < most_tried; ++c) {
    // A component of one channel has a cycle only if the channel depends on itself.
    const auto [first, last] = adjacent_vertices(c, graph);
    if (size[component[c]] < 2 && std::find(first, last, c) == last) continue;
    ++tried;
    const std::size_t limit = best.empty() ? std::size_t{channels} + 1 : best.size();
    std::vector<std::uint32_t> cycle = cycle_through(c, graph, component, limit, came_from, seen_by);
    if (!cycle.empty()) best = std::move(cycle);
  }
  return best;
}

}  // namespace

std::string to_string(const netlist& net, const channel& c) {
  const netlist_link& wire = net.link(c.link);
  return net.address(wire.from) + " " + net.port_name(wire.from, wire.from_port) + " vc" +
         std::to_string(c.vc);
}

std::string channel_dependencies::in_words(const netlist& net) const {
  if (acyclic())
    return "acyclic: " + std::to_string(channels) + " channels, " + std::to_string(dependencies) +
           " dependencies";
  std::string words = "cycle of " + std::to_string(cycle.size()) + ": ";
  for (const channel& c : cycle) words += to_string(net, c) + " -> ";
  return words + to_string(net, cycle.front());
}

channel_dependencies find_channel_dependencies(const netlist& net, const routing_function& routing,
                                               unsigned vcs, const std::vector<node_id>& destinations) {
  explorer packets(net, routing, vcs);
  if (destinations.empty())
    for (node_id node = 0; node < net.node_count(); ++node) packets.follow_packets_to(node);
  for (const node_id node : destinations) packets.follow_packets_to(node);
  const dependency_graph graph = packets.graph();

  channel_dependencies result;
  result.channels = num_vertices(graph);
  result.dependencies = num_edges(graph);
  for (const std::uint32_t c : short_cycle(graph))
    result.cycle.push_back({c / vcs, static_cast<std::uint8_t>(c % vcs)});
  return result;
}

}  // namespace toriscope
