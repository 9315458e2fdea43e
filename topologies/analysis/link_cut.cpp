// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/link_cut.h"

#include <algorithm>
#include <vector>

#include "topologies/analysis/undirected_wires.h"

namespace toriscope {

namespace {

class cut_search {
 public:
  explicit cut_search(const undirected_wires& graph)
      : graph_(graph),
        joined_(graph.nodes(), false),
        seen_(graph.nodes(), 0),
        came_by_(graph.nodes()),
        flow_(graph.wires(), 0) {}

  unsigned least() {
    unsigned best = graph_.degree(0);
    for (node_id node = 1; node < graph_.nodes(); ++node) best = std::min(best, graph_.degree(node));
    std::vector<node_id> order{0};
    joined_[0] = true;
    std::vector<bool> queued(graph_.nodes(), false);
    queued[0] = true;
    for (std::size_t at = 0; at < order.size(); ++at) {
      if (at > 0) best = std::min(best, flow_from(order[at], best));
      joined_[order[at]] = true;
      for (const auto* e = graph_.begin(order[at]); e != graph_.end_of(order[at]); ++e)
        if (!queued[e->other]) {
          queued[e->other] = true;
          order.push_back(e->other);
        }
    }
    return order.size() == graph_.nodes() ? best : 0;
  }

  /// By node, whether the least cut parts it from `from`.
  std::vector<bool> parted(const std::vector<node_id>& from, const std::vector<node_id>& to) {
    for (const node_id node : to) joined_[node] = true;
    while (find_way(from)) {
    }
    std::vector<bool> beyond(graph_.nodes());
    for (node_id node = 0; node < graph_.nodes(); ++node) beyond[node] = seen_[node] != search_;
    return beyond;
  }

 private:
  /// The way a wire was taken to a node.
  struct step {
    std::uint32_t wire;
    node_id from;
  };

  /// The flow from a node to those joined, or `enough` if that is less. Earlier flows stay: as much of them enters as
  /// leaves each node that is not joined yet, so they take nothing from this one.
  unsigned flow_from(node_id source, unsigned enough) {
    unsigned flow = 0;
    while (flow < enough && find_way({source})) ++flow;
    return flow;
  }

  /// Adds a way to the flow, if there is one. flow_ is positive from the smaller node to the larger.
  bool find_way(const std::vector<node_id>& sources) {
    ++search_;
    queue_ = sources;
    for (const node_id source : sources) {
      seen_[source] = search_;
      came_by_[source] = {0, source};
    }
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const node_id node = queue_[at];
      for (const auto* e = graph_.begin(node); e != graph_.end_of(node); ++e) {
        const int way = node < e->other ? 1 : -1;
        if (flow_[e->wire] == way || seen_[e->other] == search_) continue;
        seen_[e->other] = search_;
        came_by_[e->other] = {e->wire, node};
        if (joined_[e->other]) {
          take(e->other);
          return true;
        }
        queue_.push_back(e->other);
      }
    }
    return false;
  }

  void take(node_id sink) {
    for (node_id node = sink; came_by_[node].from != node; node = came_by_[node].from) {
      const step& s = came_by_[node];
      flow_[s.wire] = static_cast<signed char>(flow_[s.wire] + (s.from < node ? 1 : -1));
    }
  }

  const undirected_wires& graph_;
  std::vector<bool> joined_;
  std::vector<std::uint32_t> seen_;
  std::vector<step> came_by_;
  std::vector<signed char> flow_;  ///< by wire
  std::vector<node_id> queue_;
  std::uint32_t search_ = 0;
};

}  // namespace

unsigned least_link_cut(const netlist& net) {
  const undirected_wires graph(net);
  return graph.nodes() < 2 ? 0 : cut_search(graph).least();
}

std::vector<bool> least_cut_between(const netlist& net, const std::vector<node_id>& from,
                                    const std::vector<node_id>& to) {
  const undirected_wires graph(net);
  return cut_search(graph).parted(from, to);
}

}  // namespace toriscope
