// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/zero_load_mean.h"

#include <utility>

#include "topologies/analysis/route_forest.h"

namespace toriscope {
namespace {

class latency_of_pairs {
 public:
  latency_of_pairs(const zero_load_model& model, const length_shares& lengths)
      : model_(model), lengths_(lengths) {}

  double operator()(node_id source, node_id destination, route_state drawn, unsigned hops) {
    if (!model_.hops_tell())
      return mean([&](auto flits) { return model_.latency(source, destination, flits, drawn); });
    for (auto h = static_cast<unsigned>(by_hops_.size()); h <= hops; ++h)
      by_hops_.push_back(mean([&](auto flits) { return model_.latency_over(h, flits); }));
    return by_hops_[hops];
  }

 private:
  template <class Latency>
  double mean(Latency latency) const {
    double sum = 0;
    for (const auto& [flits, share] : lengths_) sum += share * static_cast<double>(latency(flits));
    return sum;
  }

  const zero_load_model& model_;
  const length_shares& lengths_;
  std::vector<double> by_hops_;
};

}  // namespace

zero_load_mean mean_zero_load(const zero_load_model& model, const netlist& wiring,
                              const routing_function& routing, unsigned vcs, const traffic_matrix& traffic,
                              const length_shares& lengths) {
  const node_id nodes = wiring.terminal_count();
  std::vector<double> every_other(nodes);
  // What goes to single nodes, the source itself included: by destination, the sources and their shares.
  std::vector<std::vector<std::pair<node_id, double>>> points(nodes);
  bool spread = false;
  for (node_id source = 0; source < nodes; ++source) {
    const destination_weights row = traffic(source);
    every_other[source] = row.every_other;
    spread = spread || row.every_other != 0;
    if (row.own != 0) points[source].emplace_back(source, row.own);
    for (const auto& [destination, share] : row.points) points[destination].emplace_back(source, share);
  }

  latency_of_pairs latency(model, lengths);
  route_forest forest(wiring, routing, vcs);
  // By source, to all others: whole numbers, which add up without rounding.
  std::vector<zero_load_mean> others(nodes);
  zero_load_mean result;
  const route_state states = routing.injection_states();
  for (node_id destination = 0; destination < nodes; ++destination) {
    if (!spread && points[destination].empty()) continue;
    forest.aim_at(destination);
    for (node_id source = 0; spread && source < nodes; ++source) {
      if (source == destination || every_other[source] == 0) continue;
      for (route_state drawn = 0; drawn < states; ++drawn) {
        const unsigned hops = forest.hops(source, drawn);
        others[source].latency += latency(source, destination, drawn, hops);
        others[source].hops += hops;
      }
    }
    for (const auto& [source, share] : points[destination]) {
      for (route_state drawn = 0; drawn < states; ++drawn) {
        const unsigned hops = forest.hops(source, drawn);
        result.latency += share * latency(source, destination, drawn, hops);
        result.hops += share * hops;
      }
    }
  }
  for (node_id source = 0; source < nodes; ++source) {
    result.latency += every_other[source] * others[source].latency;
    result.hops += every_other[source] * others[source].hops;
  }
  const double packets = static_cast<double>(nodes) * states;
  return {result.latency / packets, result.hops / packets};
}

}  // namespace toriscope
