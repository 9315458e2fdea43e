// SPDX-License-Identifier: Apache-2.0
#include "topologies/live_routes.h"

namespace toriscope {

namespace {
constexpr std::size_t max_known = std::size_t{1} << 22;  // pairs; some 200 MB
}

live_routes::live_routes(const netlist& wiring, const routing_function& routing, unsigned vcs)
    : wiring_(wiring), routing_(routing), vcs_(vcs) {}

void live_routes::kill(link_id l) {
  dead_.resize(wiring_.links().size());
  dead_[l] = true;
  known_.clear();
}

bool live_routes::connect(terminal_id source, terminal_id destination, route_state drawn) {
  if (dead_.empty() || wiring_.terminal(source).node == wiring_.terminal(destination).exit) return true;
  const place pair{std::uint64_t{source} << 32 | destination, drawn};
  const auto known = known_.find(pair);
  if (known != known_.end()) return known->second;
  if (known_.size() == max_known) known_.clear();
  return known_[pair] = search(source, destination, drawn);
}

std::uint64_t live_routes::count_cut_pairs() {
  std::uint64_t cut = 0;
  if (dead_.empty()) return cut;
  for (terminal_id source = 0; source < wiring_.terminal_count(); ++source)
    for (terminal_id destination = 0; destination < wiring_.terminal_count(); ++destination)
      if (source != destination) {
        route_state drawn = 0;
        while (drawn < routing_.injection_states() && !search(source, destination, drawn)) ++drawn;
        cut += drawn == routing_.injection_states();
      }
  return cut;
}

std::size_t live_routes::hash_of_place::operator()(const place& p) const {
  std::uint64_t h = (p.where ^ std::uint64_t{p.state} << 40) * 0x9e3779b97f4a7c15;
  return static_cast<std::size_t>(h ^ h >> 32);
}

void live_routes::visit(node_id node, port_id in_port, unsigned vc, route_state state) {
  if (!visited_.insert({std::uint64_t{node} << 16 | std::uint64_t{in_port} << 8 | vc, state}).second) return;
  to_visit_.push_back({node, in_port, static_cast<std::uint8_t>(vc), 0, state});
}

/// Depth first; the first option and the lowest VC of its set are gone into first, so that a pair whose usual
/// way is alive costs that way.
bool live_routes::search(terminal_id source, terminal_id destination, route_state drawn) {
  visited_.clear();
  to_visit_.clear();
  const netlist_terminal from = wiring_.terminal(source), to = wiring_.terminal(destination);
  for (unsigned v = vcs_; v-- > 0;) visit(from.node, from.port, v, drawn);
  route_option options[routing_function::max_options];
  while (!to_visit_.empty()) {
    route_request at = to_visit_.back();
    to_visit_.pop_back();
    at.destination = destination;
    for (unsigned k = routing_.route(at, options); k-- > 0;) {
      const route_option& option = options[k];
      if (wiring_.is_local(at.node, option.out_port)) {
        if (at.node == to.exit && option.out_port == to.exit_port) return true;
        continue;
      }
      const link_id l = wiring_.ports(at.node)[option.out_port].out;
      if (dead_[l]) continue;
      const netlist_link& wire = wiring_.link(l);
      for (unsigned v = vcs_; v-- > 0;)
        if (vc_set(option.vcs).has(v)) visit(wire.to, wire.to_port, v, option.state);
    }
  }
  return false;
}

}  // namespace toriscope
