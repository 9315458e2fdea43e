// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/distances.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace toriscope {

namespace {

/// Neighbours of all nodes, one after the other.
struct adjacency {
  explicit adjacency(const netlist& net) : first(net.node_count() + std::size_t{1}, 0) {
    for (const netlist_link& wire : net.links()) ++first[wire.from + 1];
    for (std::size_t n = 1; n < first.size(); ++n) first[n] += first[n - 1];
    neighbours.resize(net.links().size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (const netlist_link& wire : net.links()) neighbours[next[wire.from]++] = wire.to;
  }
  std::vector<std::uint32_t> first;
  std::vector<node_id> neighbours;
};

constexpr std::size_t sources_at_once = 256;
using source_set = std::array<std::uint64_t, sources_at_once / 64>;

bool is_empty(const source_set& set) {
  return std::all_of(set.begin(), set.end(), [](std::uint64_t word) { return word == 0; });
}

/// Breadth-first searches from up to 256 sources in step.
class parallel_search {
 public:
  explicit parallel_search(const adjacency& graph)
      : graph_(graph), seen_(graph.first.size() - 1), front_(seen_.size()), next_(seen_.size()) {}

  /// Adds the pairs found at each distance. Ends early when `steps()` is more than `most`.
  void count(const node_id* sources, std::size_t n, std::vector<double>& pairs, double most) {
    std::fill(seen_.begin(), seen_.end(), source_set{});
    active_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      const node_id node = sources[i];
      if (is_empty(front_[node])) active_.push_back(node);
      front_[node][i / 64] |= std::uint64_t{1} << (i % 64);
      seen_[node] = front_[node];
    }
    add(pairs, 0, static_cast<double>(n));
    for (unsigned distance = 1; !active_.empty() && steps_ <= most; ++distance) add(pairs, distance, step());
  }
  /// So far: sets of sources that went over a link.
  double steps() const { return steps_; }

 private:
  static void add(std::vector<double>& pairs, unsigned distance, double found) {
    if (found == 0) return;
    if (pairs.size() <= distance) pairs.resize(distance + std::size_t{1}, 0);
    pairs[distance] += found;
  }

  /// One link further. @returns the pairs found
  double step() {
    touched_.clear();
    for (const node_id node : active_) {
      const source_set here = front_[node];
      front_[node] = {};
      steps_ += graph_.first[node + 1] - graph_.first[node];
      for (std::uint32_t i = graph_.first[node]; i < graph_.first[node + 1]; ++i) {
        const node_id to = graph_.neighbours[i];
        source_set& next = next_[to];
        const bool was_empty = is_empty(next);
        std::uint64_t any = 0;
        for (std::size_t w = 0; w < next.size(); ++w) any |= next[w] |= here[w] & ~seen_[to][w];
        if (was_empty && any != 0) touched_.push_back(to);
      }
    }
    std::uint64_t found = 0;
    for (const node_id node : touched_) {
      for (std::size_t w = 0; w < next_[node].size(); ++w) {
        found += static_cast<unsigned>(__builtin_popcountll(next_[node][w]));
        seen_[node][w] |= next_[node][w];
      }
      front_[node] = next_[node];
      next_[node] = {};
    }
    active_.swap(touched_);
    return static_cast<double>(found);
  }

  const adjacency& graph_;
  std::vector<source_set> seen_;
  std::vector<source_set> front_;
  std::vector<source_set> next_;
  std::vector<node_id> active_;
  std::vector<node_id> touched_;
  double steps_ = 0;
};

/// Steps of one digit, from value to value.
using digit_steps = std::set<std::pair<unsigned, unsigned>>;

/// The steps of each digit; none when the network is not a product.
std::optional<std::vector<digit_steps>> product_steps(const netlist& net) {
  const std::vector<node_id> weights = digit_weights(net);
  const std::vector<unsigned>& radices = net.radices();
  std::vector<digit_steps> steps(radices.size());
  std::uint64_t expected = 0;
  for (const netlist_link& wire : net.links()) {
    std::size_t changed = radices.size();
    for (std::size_t i = 0; i < radices.size(); ++i) {
      const unsigned from = wire.from / weights[i] % radices[i];
      const unsigned to = wire.to / weights[i] % radices[i];
      if (from == to) continue;
      if (changed != radices.size()) return std::nullopt;
      changed = i;
      if (steps[i].emplace(from, to).second) expected += net.node_count() / radices[i];
    }
    if (changed == radices.size()) return std::nullopt;
  }
  // A step that some node lacks, or has twice, shows in the number of links. Twice at one and lacking at
  // another may not: look for doubles.
  if (expected != net.links().size()) return std::nullopt;
  std::vector<node_id> neighbours;
  for (node_id node = 0; node < net.node_count(); ++node) {
    neighbours.clear();
    for (const netlist_port& port : net.ports(node))
      if (port.out != no_link) neighbours.push_back(net.link(port.out).to);
    std::sort(neighbours.begin(), neighbours.end());
    if (std::adjacent_find(neighbours.begin(), neighbours.end()) != neighbours.end()) return std::nullopt;
  }
  return steps;
}

/// Breadth-first. @param for_each_next  calls f(neighbour) for all neighbours of a node
template <class ForEachNext>
std::vector<unsigned> search_from(unsigned nodes, unsigned source, ForEachNext for_each_next) {
  std::vector<unsigned> distance(nodes, ~0u);
  std::vector<unsigned> queue{source};
  distance[source] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at)
    for_each_next(queue[at], [&](unsigned to) {
      if (distance[to] != ~0u) return;
      distance[to] = distance[queue[at]] + 1;
      queue.push_back(to);
    });
  return distance;
}

/// Ordered pairs of values of a digit, by distance.
std::vector<double> digit_pairs(unsigned radix, const digit_steps& steps) {
  std::vector<std::vector<unsigned>> to_of(radix);
  for (const auto& [from, to] : steps) to_of[from].push_back(to);
  std::vector<double> pairs;
  for (unsigned source = 0; source < radix; ++source)
    for (const unsigned distance : search_from(radix, source, [&](unsigned value, auto found) {
           for (const unsigned to : to_of[value]) found(to);
         })) {
      if (distance == ~0u) continue;
      if (pairs.size() <= distance) pairs.resize(distance + std::size_t{1}, 0);
      ++pairs[distance];
    }
  return pairs;
}

std::vector<double> convolution(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += a[i] * b[j];
  return sum;
}

}  // namespace

std::vector<unsigned> distances_from(const netlist& net, node_id source) {
  return search_from(net.node_count(), source, [&](node_id node, auto found) {
    for (const netlist_port& port : net.ports(node))
      if (port.out != no_link) found(net.link(port.out).to);
  });
}

distance_summary summarise_distances(std::vector<double> pairs, double nodes, double own) {
  distance_summary result;
  double counted = 0;
  double total = 0;
  for (std::size_t d = 0; d < pairs.size(); ++d) {
    counted += pairs[d];
    total += static_cast<double>(d) * pairs[d];
  }
  result.diameter = pairs.empty() ? 0 : static_cast<unsigned>(pairs.size() - 1);
  result.connected = counted == nodes * nodes;
  result.mean_all = total / counted;
  result.mean_distinct = counted > nodes ? (total - own) / (counted - nodes) : 0;
  result.pairs = std::move(pairs);
  return result;
}

std::optional<distance_summary> product_distances(const netlist& net, double most) {
  const auto steps = product_steps(net);
  if (!steps) return std::nullopt;
  double searched = 0;
  for (std::size_t i = 0; i < steps->size(); ++i)
    searched += static_cast<double>(net.radices()[i]) * static_cast<double>((*steps)[i].size());
  if (searched > most) return std::nullopt;
  std::vector<double> pairs{1};
  for (std::size_t i = 0; i < steps->size(); ++i)
    pairs = convolution(pairs, digit_pairs(net.radices()[i], (*steps)[i]));
  return summarise_distances(std::move(pairs), net.node_count());
}

std::optional<distance_summary> searched_distances(const netlist& net, const digit_rotations& turns, double most) {
  const std::vector<node_id> sources = turns.representatives();
  // Every set goes over every link once at least.
  const std::size_t sets = (sources.size() + sources_at_once - 1) / sources_at_once;
  if (static_cast<double>(sets) * static_cast<double>(net.links().size()) > most) return std::nullopt;
  const adjacency graph(net);
  parallel_search search(graph);
  std::vector<double> pairs;
  for (std::size_t at = 0; at < sources.size(); at += sources_at_once) {
    search.count(sources.data() + at, std::min(sources_at_once, sources.size() - at), pairs, most);
    if (search.steps() > most) return std::nullopt;
  }
  for (double& count : pairs) count *= static_cast<double>(turns.nodes_each());
  return summarise_distances(std::move(pairs), net.node_count());
}

}  // namespace toriscope
