// SPDX-License-Identifier: Apache-2.0
#include "topologies/custom/lash_layers.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "topologies/custom/dependency_layer.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

constexpr std::uint8_t unassigned = 0xff;

/// Fills one layer with paths.
class layer_filler {
 public:
  explicit layer_filler(const netlist& net) : net_(net), layer_(net), standing_(net.node_count()) {}

  /// Gives the layer all paths to `destination` that are unassigned and fit. @returns how many did not fit
  std::size_t take(const forwarding_table& paths, node_id destination, std::uint8_t number,
                   std::vector<std::uint8_t>& layers);

 private:
  /// What is known of the path from a node to the destination at hand.
  enum class standing : std::uint8_t { in_layer, unknown, closes_a_cycle };

  link_id out_link(node_id node, node_id destination) const {
    const port_id port = paths_->at(node, destination);
    return port == forwarding_table::none ? no_link : net_.ports(node)[port].out;
  }
  /// Nodes so that each stands behind the next one on its path.
  void order_sources(node_id destination);
  standing judge(node_id source, node_id destination) const;
  standing insert(node_id source, node_id destination);
  standing take_back(link_id first, link_id second);

  const netlist& net_;
  const forwarding_table* paths_ = nullptr;
  dependency_layer layer_;
  std::vector<standing> standing_;
  std::vector<node_id> sources_;
  std::vector<bool> ordered_;
  std::vector<node_id> way_;
  std::vector<std::pair<link_id, link_id>> added_;
};

void layer_filler::order_sources(node_id destination) {
  sources_.assign(1, destination);
  ordered_.assign(net_.node_count(), false);
  ordered_[destination] = true;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    for (const netlist_port& port : net_.ports(sources_[i])) {
      if (port.in == no_link) continue;
      const node_id before = net_.link(port.in).from;
      if (ordered_[before] || out_link(before, destination) != port.in) continue;
      ordered_[before] = true;
      sources_.push_back(before);
    }
}

layer_filler::standing layer_filler::judge(node_id source, node_id destination) const {
  const link_id first = out_link(source, destination);
  const node_id next = net_.link(first).to;
  if (next == destination) return standing::in_layer;
  const link_id second = out_link(next, destination);
  if (standing_[next] == standing::closes_a_cycle || layer_.refused(first, second))
    return standing::closes_a_cycle;
  return layer_.has(first, second) ? standing_[next] : standing::unknown;
}

/// Adds the dependencies of the path, all or none.
layer_filler::standing layer_filler::insert(node_id source, node_id destination) {
  added_.clear();
  link_id first = out_link(source, destination);
  for (node_id at = net_.link(first).to; at != destination; at = net_.link(first).to) {
    const link_id second = out_link(at, destination);
    if (!layer_.has(first, second)) {
      if (layer_.refused(first, second) || !layer_.add(first, second)) return take_back(first, second);
      added_.emplace_back(first, second);
    }
    first = second;
  }
  return standing::in_layer;
}

/// After the dependency of `first` on `second` was rejected.
layer_filler::standing layer_filler::take_back(link_id first, link_id second) {
  for (const auto& [a, b] : added_) layer_.remove(a, b);
  // Without the rest of this path it may fit another time; if not, never.
  if (!layer_.refused(first, second) && layer_.add(first, second)) {
    layer_.remove(first, second);
    return standing::unknown;
  }
  layer_.refuse(first, second);
  return standing::closes_a_cycle;
}

std::size_t layer_filler::take(const forwarding_table& paths, node_id destination, std::uint8_t number,
                               std::vector<std::uint8_t>& layers) {
  std::size_t left = 0;
  paths_ = &paths;
  order_sources(destination);
  for (std::size_t i = 1; i < sources_.size(); ++i) {
    const node_id source = sources_[i];
    std::uint8_t& layer = layers[paths.index(source, destination)];
    standing_[source] = judge(source, destination);
    if (layer != unassigned || net_.local_ports(source) == 0) continue;
    if (standing_[source] == standing::unknown) standing_[source] = insert(source, destination);
    if (standing_[source] == standing::in_layer)
      layer = number;
    else
      ++left;
  }
  return left;
}

/// Pairs of terminals, by link * layers + layer.
std::vector<std::uint64_t> routes_over_links(const netlist& net, const std::vector<forwarding_table>& tables,
                                             const lash_layers& layers) {
  std::vector<std::uint64_t> routes(net.links().size() * layers.count);
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (node_id to = 0; to < net.node_count(); ++to)
      for (node_id from = 0; from < net.node_count(); ++from) {
        const std::uint64_t pairs = std::uint64_t{net.local_ports(from)} * net.local_ports(to);
        if (pairs == 0) continue;
        const unsigned layer = layers.layer[t][tables[t].index(from, to)];
        for (node_id at = from; at != to;) {
          const link_id link = net.ports(at)[tables[t].at(at, to)].out;
          routes[std::size_t{link} * layers.count + layer] += pairs;
          at = net.link(link).to;
        }
      }
  return routes;
}

/// Each layer that has routes gets a VC, then the one with the most routes per VC the next.
void share_out(const std::uint64_t* routes, unsigned vcs, std::vector<unsigned>& shares) {
  for (std::size_t layer = 0; layer < shares.size(); ++layer) shares[layer] = routes[layer] > 0;
  const auto wants_more = [&](std::size_t a, std::size_t b) {  // a more than b
    return routes[a] * shares[b] > routes[b] * shares[a];
  };
  unsigned given = static_cast<unsigned>(std::accumulate(shares.begin(), shares.end(), 0u));
  for (; given > 0 && given < vcs; ++given) {
    std::size_t next = 0;
    for (std::size_t layer = 1; layer < shares.size(); ++layer)
      if (shares[next] == 0 || (shares[layer] > 0 && wants_more(layer, next))) next = layer;
    ++shares[next];
  }
}

}  // namespace

lash_layers assign_layers(const netlist& net, const std::vector<forwarding_table>& tables) {
  lash_layers result;
  const std::size_t pairs = std::size_t{net.node_count()} * net.node_count();
  result.layer.assign(tables.size(), std::vector<std::uint8_t>(pairs, unassigned));
  for (std::size_t left = 1; left != 0; ++result.count) {
    if (result.count == unassigned) throw std::logic_error("more layers of paths than can be counted");
    layer_filler filler(net);
    left = 0;
    for (std::size_t t = 0; t < tables.size(); ++t)
      for (node_id destination = 0; destination < net.node_count(); ++destination)
        if (net.local_ports(destination) > 0)
          left +=
              filler.take(tables[t], destination, static_cast<std::uint8_t>(result.count), result.layer[t]);
  }
  // No packet asks for the others: they lead to the node itself, from a switch or to one.
  for (auto& layers : result.layer) std::replace(layers.begin(), layers.end(), unassigned, std::uint8_t{0});
  return result;
}

std::vector<vc_mask> vcs_of_layers(const netlist& net, const std::vector<forwarding_table>& tables,
                                   const lash_layers& layers, unsigned vcs) {
  const std::vector<std::uint64_t> all_routes = routes_over_links(net, tables, layers);
  std::vector<vc_mask> sets;
  std::vector<unsigned> shares(layers.count);
  for (link_id link = 0; link < net.links().size(); ++link) {
    const std::uint64_t* const routes = &all_routes[std::size_t{link} * layers.count];
    const unsigned own = net.vcs_of(net.link(link).to, vcs);
    share_out(routes, own, shares);
    unsigned first = 0;
    for (unsigned layer = 0; layer < layers.count; ++layer) {
      const unsigned end = first + shares[layer];
      sets.push_back(shares[layer] == 0 ? all_vcs(own) : (vc_set::below(end) - vc_set::below(first)).mask());
      first = end;
    }
  }
  return sets;
}

}  // namespace toriscope
