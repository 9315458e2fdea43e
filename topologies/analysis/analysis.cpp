// SPDX-License-Identifier: Apache-2.0
#include "topologies/analysis/analysis.h"

#include <stdexcept>

#include "topologies/analysis/link_cut.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

// What takes some ten seconds on one core.
constexpr double max_digit_steps = 1e9;     // of product_distances()
constexpr double max_search_steps = 1e9;    // of searched_distances()
constexpr double max_route_pairs = 3e8;     // source and destination, without symmetry
constexpr double max_path_steps = 2e9;      // nodes x links, without symmetry
constexpr double max_adaptive_pairs = 3e6;  // source and destination, all options
constexpr node_id max_nodes_in_halves = 8192;
constexpr node_id max_nodes_of_cuts = 1u << 17;

/// Fills in the results one after the other.
class analyser {
 public:
  analyser(const topology& network, unsigned vcs, network_analysis& result)
      : net_(*network.wiring),
        routing_(network.routing.get()),
        vcs_(vcs),
        turns_(net_),
        symmetry_(net_, turns_, network.cyclic_digits, network.routes_turn_with_wiring),
        result_(result) {}

  void distances() {
    if (!net_.has_plain_terminals())
      result_.notes.emplace_back("shortest distances are between all nodes, routed ones between terminals");
    result_.shortest = product_distances(net_, max_digit_steps);
    if (!result_.shortest) result_.shortest = searched_distances(net_, turns_, max_search_steps);
    if (!result_.shortest)
      leave_out("shortest distances", "no symmetry makes them fewer than all pairs of nodes");
    else if (!result_.shortest->connected)
      result_.notes.emplace_back("the network is not connected: distances are of the pairs that are");
  }

  void routes(bool wanted) {
    if (!wanted) return;
    if (routing_ == nullptr) {
      result_.notes.emplace_back("routed distances: this network has no routing algorithm");
    } else if (routed_pairs() > max_route_pairs) {
      leave_out("routed distances", "no symmetry of the routing is known that makes them fewer");
    } else {
      result_.routed = routed_distances_of(net_, *routing_, vcs_, symmetry_);
      if (routing_->options_at_most() > 1)
        result_.notes.emplace_back(
            "routed: by the first option of every hop; what is chosen at run time "
            "may differ");
    }
  }

  void cuts(const analysis_request& request) {
    result_.cut = count_natural_cut(net_);
    if (request.connectivity) {
      if (net_.node_count() <= max_nodes_of_cuts)
        result_.arc_connectivity = least_link_cut(net_);
      else
        leave_out("arc connectivity", at_most(max_nodes_of_cuts));
    }
    if (request.partition) {
      if (net_.node_count() <= max_nodes_in_halves)
        result_.partition_bound = search_bisection(net_, result_.cut);
      else
        leave_out("partition bound", at_most(max_nodes_in_halves));
    }
  }

  void diversity() {
    const double sources = static_cast<double>(net_.node_count()) / static_cast<double>(turns_.nodes_each());
    if (sources * static_cast<double>(net_.links().size()) <= max_path_steps)
      result_.shortest_paths = count_shortest_paths(net_, turns_);
    else
      leave_out("number of shortest paths", "too many pairs of nodes");
    if (routing_ == nullptr) return;
    if (routing_->options_at_most() > 1 && routed_pairs() > max_adaptive_pairs) {
      leave_out("number of routes", "too many pairs of nodes");
      return;
    }
    if (routing_->injection_states() > 1) {
      result_.notes.emplace_back("number of routes: not counted where routes are drawn");
      return;
    }
    result_.routes = count_routes(net_, *routing_, vcs_, symmetry_);
    if (!result_.routes)
      result_.notes.emplace_back("number of routes: options can lead in circles, there is no bound");
  }

  void loads(const traffic_matrix& traffic) {
    if (!traffic) return;
    if (routing_ == nullptr)
      throw std::invalid_argument("channel load needs a routing algorithm, and this network has none");
    result_.loads = load_channels(net_, *routing_, vcs_, symmetry_, traffic);
  }

 private:
  void leave_out(const std::string& what, const std::string& why) {
    result_.notes.push_back(what + ": left out, too large (" + why + ")");
  }
  static std::string at_most(node_id nodes) { return "at most " + std::to_string(nodes) + " nodes"; }
  double routed_pairs() const {
    return static_cast<double>(symmetry_.destinations().size()) * static_cast<double>(net_.node_count()) *
           routing_->injection_states();
  }

  const netlist& net_;
  const routing_function* routing_;
  unsigned vcs_;
  digit_rotations turns_;
  route_symmetry symmetry_;
  network_analysis& result_;
};

}  // namespace

std::optional<unsigned> network_analysis::cost() const {
  if (!distances()) return std::nullopt;
  return wiring.degree_max * distances()->diameter;
}

network_analysis analyse(const topology& network, unsigned vcs, const analysis_request& request,
                         const traffic_matrix& traffic) {
  network_analysis result;
  result.nodes = network.wiring->node_count();
  result.terminals = network.wiring->terminal_count();
  result.has_routing = network.routing != nullptr;
  result.wiring = count_wiring(*network.wiring);
  result.formula = wiring_by_formula(network.choice.spec);
  analyser a(network, vcs, result);
  a.distances();
  a.routes(request.routed);
  a.cuts(request);
  if (request.density) result.density = measure_density(*network.wiring, result.cut);
  if (request.diversity) a.diversity();
  a.loads(traffic);
  return result;
}

topology make_for_analysis(const std::string& spec, topology_options options) {
  options.vcs = max_vcs;
  options.message_classes = 1;
  try {
    return make_topology(spec, options);
  } catch (const std::invalid_argument&) {
    if (options.vc_rule != "safe") throw;
    topology_options as_printed = options;
    as_printed.vc_rule = "paper";
    topology made;
    try {
      made = make_topology(spec, as_printed);
    } catch (const std::invalid_argument&) {
    }
    if (!made.wiring) throw;
    return made;
  }
}

}  // namespace toriscope
