// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/hotspot_pattern.h"

#include <algorithm>
#include <utility>

#include "testbenches/simulation/traffic/terminal_index.h"

namespace toriscope {

hotspot_pattern::hotspot_pattern(std::shared_ptr<const netlist> wiring, std::uint64_t probability,
                                 std::vector<node_id> hot_nodes, bool include_self)
    : wiring_(std::move(wiring)),
      probability_(probability),
      hot_nodes_(std::move(hot_nodes)),
      include_self_(include_self),
      uniform_(wiring_->terminal_count(), include_self) {
  if (hot_nodes_.empty()) require_equal_terminals(*wiring_, "hotspot without --hot-node");
}

node_id hotspot_pattern::destination(node_id source, random_stream& random) const {
  if (random.chance(probability_)) {
    const node_id hot = hot_nodes_.empty() ? paper_hot_terminal(*wiring_, source)
                                           : hot_nodes_[random.below(hot_nodes_.size())];
    if (hot != source || include_self_) return hot;
  }
  return uniform_.destination(source, random);
}

destination_weights hotspot_pattern::weights(node_id source) const {
  const double hot_share = static_cast<double>(probability_) / static_cast<double>(certain);
  std::vector<node_id> hot_nodes = hot_nodes_;
  if (hot_nodes.empty()) hot_nodes.push_back(paper_hot_terminal(*wiring_, source));
  double uniform_share = 1 - hot_share;
  destination_weights result;
  for (const node_id hot : hot_nodes) {
    const double share = hot_share / static_cast<double>(hot_nodes.size());
    if (hot != source || include_self_)
      result.points.emplace_back(hot, share);
    else
      uniform_share += share;
  }
  add_share(result, uniform_.weights(source), uniform_share);
  return result;
}

terminal_id hotspot_pattern::paper_hot_terminal(const netlist& wiring, terminal_id source) {
  return terminal_at(wiring, paper_hot_node(wiring, wiring.terminal(source).node), 0);
}

node_id hotspot_pattern::paper_hot_node(const netlist& wiring, node_id source) {
  std::vector<unsigned> digits = wiring.digits(source);
  const auto& levels = wiring.hierarchy();
  if (levels.size() >= 2) {
    const std::size_t low = levels[levels.size() - 1].digits + levels[levels.size() - 2].digits;
    std::fill(digits.end() - static_cast<std::ptrdiff_t>(low), digits.end(), 0u);
    return wiring.node_at(digits);
  }
  for (std::size_t i = 0; i < digits.size(); ++i) {
    // Part j of k coordinates: those from ceil(j k / parts) to before ceil((j+1) k / parts).
    const unsigned k = wiring.radices()[i];
    const unsigned parts = std::min(4u, k);
    const unsigned part = digits[i] * parts / k;
    const unsigned first = (part * k + parts - 1) / parts;
    const unsigned behind = ((part + 1) * k + parts - 1) / parts;
    digits[i] = first + (behind - first - 1) / 2;
  }
  return wiring.node_at(digits);
}

}  // namespace toriscope
