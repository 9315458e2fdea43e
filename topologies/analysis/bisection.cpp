// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/bisection.h"

#include <algorithm>
#include <set>
#include <vector>

#include "topologies/analysis/digit_rotations.h"
#include "topologies/analysis/link_cut.h"
#include "topologies/analysis/metis_parts.h"
#include "topologies/analysis/undirected_wires.h"
#include "topologies/analysis/wiring_counts.h"

namespace toriscope {

namespace {

/// Which nodes are in the upper half.
class halving {
 public:
  /// @param cut  must outlive this
  halving(const netlist& net, const counted_cut& cut)
      : nodes_(net.node_count()), digit_(cut.digit), given_(cut.upper) {
    if (digit_ < 0) return;
    weight_ = digit_weights(net)[static_cast<std::size_t>(digit_)];
    radix_ = net.radices()[static_cast<std::size_t>(digit_)];
  }
  bool upper(node_id node) const {
    if (!given_.empty()) return given_[node];
    return digit_ < 0 ? node >= nodes_ / 2 : node / weight_ % radix_ >= radix_ / 2;
  }
  bool parts(const netlist_link& link) const { return upper(link.from) != upper(link.to); }

 private:
  node_id nodes_;
  int digit_;
  const std::vector<bool>& given_;
  node_id weight_ = 1;
  unsigned radix_ = 1;
};

void count_across(const netlist& net, counted_cut& cut) {
  const halving half(net, cut);
  for_each_wire(net, [&](const netlist_link& wire) { cut.links += half.parts(wire); });
  for (const netlist_link& link : net.links()) {
    if (!half.parts(link)) continue;
    ++cut.directed_links;
    cut.flits_per_cycle += 1. / link.flit_cycles;
  }
}

/// An equal partition that is made better step by step.
class partition {
 public:
  partition(const undirected_wires& graph, std::vector<bool> upper)
      : graph_(graph), upper_(std::move(upper)), gains_(graph.nodes()) {
    sizes_[1] = static_cast<node_id>(std::count(upper_.begin(), upper_.end(), true));
    sizes_[0] = graph_.nodes() - sizes_[1];
  }

  std::uint64_t improved_cut() {
    prepare();
    // Even out: from the larger side, what costs least.
    while (std::max(sizes_[0], sizes_[1]) - std::min(sizes_[0], sizes_[1]) > 1)
      move(free_[sizes_[1] > sizes_[0]].rbegin()->second);
    for (std::uint64_t before = cut() + 1; cut() < before;) {
      before = cut();
      exchange();
    }
    return cut();
  }

 private:
  std::uint64_t cut() const {
    std::uint64_t twice = 0;
    for (node_id node = 0; node < graph_.nodes(); ++node)
      for (const auto* e = graph_.begin(node); e != graph_.end_of(node); ++e)
        twice += upper_[node] != upper_[e->other];
    return twice / 2;
  }

  /// Frees all nodes. The gain of a node: wires across less wires within.
  void prepare() {
    free_[0].clear();
    free_[1].clear();
    for (node_id node = 0; node < graph_.nodes(); ++node) {
      gains_[node] = 0;
      for (const auto* e = graph_.begin(node); e != graph_.end_of(node); ++e)
        gains_[node] += upper_[node] != upper_[e->other] ? 1 : -1;
      free_[upper_[node]].emplace(gains_[node], node);
    }
  }

  /// Moves a node to the other side and keeps it there. @returns the wires that the cut lost
  int move(node_id node) {
    const bool side = upper_[node];
    const int gain = gains_[node];
    free_[side].erase({gain, node});
    upper_[node] = !side;
    --sizes_[side];
    ++sizes_[!side];
    for (const auto* e = graph_.begin(node); e != graph_.end_of(node); ++e) {
      const node_id other = e->other;
      const bool was_free = free_[upper_[other]].erase({gains_[other], other}) > 0;
      gains_[other] += upper_[other] != upper_[node] ? 2 : -2;
      if (was_free) free_[upper_[other]].emplace(gains_[other], other);
    }
    return gain;
  }

  /// Exchanges pairs until all nodes have moved or it becomes hopeless, then takes back what did not help.
  void exchange() {
    prepare();
    std::vector<node_id> moved;
    std::size_t best_length = 0;
    int best = 0;
    int sum = 0;
    constexpr std::size_t patience = 1000;
    while (!free_[0].empty() && !free_[1].empty() && moved.size() < best_length + patience) {
      for (const bool side : {false, true}) {
        moved.push_back(free_[side].rbegin()->second);
        sum += move(moved.back());
      }
      if (sum > best) {
        best = sum;
        best_length = moved.size();
      }
    }
    // They are pairs: the sizes stay.
    for (std::size_t i = moved.size(); i-- > best_length;) upper_[moved[i]] = !upper_[moved[i]];
  }

  const undirected_wires& graph_;
  std::vector<bool> upper_;
  std::vector<int> gains_;
  std::set<std::pair<int, node_id>> free_[2];  ///< by side
  node_id sizes_[2] = {0, 0};
};

std::vector<bool> metis_halves(const undirected_wires& graph, int seed) {
  const std::vector<std::uint32_t> part = metis_parts(graph, 2, seed);
  return {part.begin(), part.end()};
}

}  // namespace

namespace {

/// Halves of the routers are halves of the terminals.
bool has_like_routers(const netlist& net) {
  for (node_id node = 1; node < net.node_count(); ++node)
    if (net.local_ports(node) != net.local_ports(0)) return false;
  for (terminal_id t = 0; t < net.terminal_count(); ++t)
    if (!net.leaves_where_it_enters(t)) return false;
  return true;
}

counted_cut cut_between_terminals(const netlist& net) {
  const terminal_id count = net.terminal_count();
  std::vector<int> lower(net.node_count()), upper(net.node_count());  // terminals
  for (terminal_id t = 0; t < count; ++t) {
    const netlist_terminal place = net.terminal(t);
    for (const node_id node : {place.node, place.exit}) ++(t < count / 2 ? lower : upper)[node];
  }
  std::vector<node_id> halves[2];
  for (node_id node = 0; node < net.node_count(); ++node)
    if (lower[node] + upper[node] > 0) halves[upper[node] > lower[node]].push_back(node);
  counted_cut cut;
  cut.upper = least_cut_between(net, halves[0], halves[1]);
  count_across(net, cut);
  cut.words = "lower half of the terminals against the upper half, the fewest links";
  terminal_id above = 0;
  for (terminal_id t = 0; t < count; ++t) above += cut.upper[net.terminal(t).node];
  cut.equal = above == count / 2 || above == count - count / 2;
  if (!cut.equal)
    cut.words = std::to_string(count - above) + " terminals against " + std::to_string(above) +
                ", as no router is cut in two; the fewest links";
  return cut;
}

}  // namespace

counted_cut count_natural_cut(const netlist& net) {
  if (!has_like_routers(net)) return cut_between_terminals(net);
  const unsigned outermost = net.hierarchy().front().digits;
  counted_cut best;
  for (unsigned digit = 0; digit < outermost; ++digit) {
    if (net.radices()[digit] % 2 != 0) continue;
    counted_cut cut;
    cut.digit = static_cast<int>(digit);
    count_across(net, cut);
    if (best.digit < 0 || cut.links < best.links) best = cut;
  }
  if (best.digit < 0) {
    count_across(net, best);
    best.words = "lower half of the node numbers against the upper half";
    return best;
  }
  const unsigned radix = net.radices()[static_cast<std::size_t>(best.digit)];
  best.words = "digit a" + std::to_string(net.radices().size() - 1 - static_cast<std::size_t>(best.digit)) +
               ": 0.." + std::to_string(radix / 2 - 1) + " against " + std::to_string(radix / 2) + ".." +
               std::to_string(radix - 1);
  return best;
}

std::vector<link_id> links_across(const netlist& net, const counted_cut& cut) {
  const halving half(net, cut);
  std::vector<link_id> list;
  for (link_id l = 0; l < net.links().size(); ++l)
    if (half.parts(net.link(l))) list.push_back(l);
  return list;
}

std::uint64_t improved_cut(const undirected_wires& graph, std::vector<bool> upper) {
  return partition(graph, std::move(upper)).improved_cut();
}

std::uint64_t search_bisection(const netlist& net, const counted_cut& cut) {
  const undirected_wires graph(net);
  const halving half(net, cut);
  std::vector<bool> upper(graph.nodes());
  for (node_id node = 0; node < graph.nodes(); ++node) upper[node] = half.upper(node);
  std::uint64_t best = improved_cut(graph, std::move(upper));
  for (int seed = 1; seed <= 4; ++seed) best = std::min(best, improved_cut(graph, metis_halves(graph, seed)));
  if (!cut.upper.empty() && cut.equal) best = std::min(best, cut.links);
  return best;
}

}  // namespace toriscope
