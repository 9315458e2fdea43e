// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/escape_proof.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "topologies/proof/checked_route.h"
#include "topologies/proof/short_cycle.h"

namespace toriscope {

namespace {

using edge = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::uint32_t no_channel = ~std::uint32_t{0};

/// What packets to one destination can do: the places where heads can stand after a hop, in the order in
/// which they are found, and the ways on from there.
class head_places {
 public:
  head_places(const netlist& net, const routing_function& routing, unsigned vcs, vc_mask escape_vcs)
      : net_(net), route_(net, routing, vcs), vcs_(vcs), escape_vcs_(escape_vcs) {
    const std::uint64_t all = (std::uint64_t{net.links().size()} * vcs) << route_.state_bits();
    if (all <= max_direct) direct_.assign(all, no_place);
  }

  /// @returns false when a head has no option with nothing but escape VCs: stuck() says where
  bool explore(terminal_id destination, const talking_pairs* pairs);
  const std::string& stuck() const { return stuck_; }

  std::size_t size() const { return heads_.size(); }
  /// That a packet in place p came over.
  std::uint32_t channel_of(std::size_t p) const { return heads_[p].channel; }
  /// Calls f(place) for the places that adaptive channels lead to.
  template <class Function>
  void for_each_adaptive(std::size_t p, Function f) const {
    for (std::size_t i = heads_[p].adaptive; i < end(p).adaptive; ++i) f(adaptive_[i]);
  }
  /// Calls f(channel) for the escape channels that it may ask for.
  template <class Function>
  void for_each_escape(std::size_t p, Function f) const {
    for (std::size_t i = heads_[p].escapes; i < end(p).escapes; ++i) f(escapes_[i]);
  }

 private:
  struct head {
    std::uint32_t channel;
    route_state state;
    std::size_t adaptive = 0;  ///< where its part of adaptive_ begins
    std::size_t escapes = 0;   ///< likewise
  };
  static constexpr std::uint64_t max_direct = std::uint64_t{1} << 24;
  static constexpr std::uint32_t no_place = ~std::uint32_t{0};

  void forget();
  bool stand(const route_request& request);
  std::uint32_t place_at(std::uint32_t channel, route_state state);
  const head& end(std::size_t p) const { return p + 1 < heads_.size() ? heads_[p + 1] : behind_; }

  const netlist& net_;
  checked_route route_;
  unsigned vcs_;
  vc_mask escape_vcs_;
  std::vector<head> heads_;
  head behind_{};
  std::vector<std::uint32_t> adaptive_;
  std::vector<std::uint32_t> escapes_;
  std::vector<std::uint32_t> direct_;  ///< place, by channel and state; empty when there are too many
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  ///< then this
  std::string stuck_;
};

std::uint32_t head_places::place_at(std::uint32_t channel, route_state state) {
  const std::uint64_t key = (std::uint64_t{channel} << route_.state_bits()) | state;
  const auto next = static_cast<std::uint32_t>(heads_.size());
  std::uint32_t& at = direct_.empty() ? known_.emplace(key, no_place).first->second : direct_[key];
  if (at != no_place) return at;
  heads_.push_back({channel, state});
  return at = next;
}

bool head_places::stand(const route_request& request) {
  route_option options[routing_function::max_options];
  const unsigned count = route_(request, options);
  const port_range ports = net_.ports(request.node);
  bool escapes = false;
  for (unsigned i = 0; i < count; ++i) {
    const route_option& option = options[i];
    escapes = escapes || !(vc_set(option.vcs) - vc_set(escape_vcs_)) || option.out_port >= ports.size();
    if (option.out_port >= ports.size()) continue;
    for (const unsigned vc : vc_set(option.vcs)) {
      const std::uint32_t to = ports[option.out_port].out * vcs_ + vc;
      const std::uint32_t next = place_at(to, option.state);
      if (vc_set(escape_vcs_).has(vc))
        escapes_.push_back(to);
      else
        adaptive_.push_back(next);
    }
  }
  if (!escapes)
    stuck_ = "a head at " + net_.address(request.node) + " to " + net_.terminal_address(request.destination) +
             " that came in by " + net_.port_name(request.node, request.in_port) + " vc" +
             std::to_string(request.in_vc) + " has no option of escape VCs only";
  return escapes;
}

void head_places::forget() {
  if (!direct_.empty())
    for (const head& h : heads_)
      direct_[(std::uint64_t{h.channel} << route_.state_bits()) | h.state] = no_place;
  heads_.clear();
  known_.clear();
}

bool head_places::explore(terminal_id destination, const talking_pairs* pairs) {
  forget();
  bool can_leave = true;
  for_each_entry(net_, pairs, vcs_, destination,
                 [&](node_id source, port_id port, unsigned first, unsigned end) {
                   for (route_state drawn = 0; drawn < route_.injection_states(); ++drawn)
                     for (unsigned vc = first; vc < end && can_leave; ++vc)
                       can_leave = stand({source, port, static_cast<std::uint8_t>(vc), destination, drawn});
                 });
  if (!can_leave) return false;
  // An injected packet holds nothing yet: what it asks for depends on nothing.
  adaptive_.clear();
  escapes_.clear();
  for (std::size_t p = 0; p < heads_.size(); ++p) {
    heads_[p].adaptive = adaptive_.size();
    heads_[p].escapes = escapes_.size();
    const std::uint32_t channel = heads_[p].channel;
    const netlist_link& wire = net_.link(channel / vcs_);
    if (!stand(
            {wire.to, wire.to_port, static_cast<std::uint8_t>(channel % vcs_), destination, heads_[p].state}))
      return false;
  }
  behind_.adaptive = adaptive_.size();
  behind_.escapes = escapes_.size();
  return true;
}

class escape_prover {
 public:
  escape_prover(const netlist& net, const routing_function& routing, const dependency_sets& whole,
                vc_mask escape_vcs)
      : whole_(whole), escape_vcs_(escape_vcs), heads_(net, routing, whole.vcs(), escape_vcs) {}

  escape_proof prove(const std::vector<terminal_id>& destinations, const talking_pairs* pairs);

 private:
  bool is_escape(std::uint32_t c) const { return vc_set(escape_vcs_).has(c % whole_.vcs()); }
  void start_from_direct_dependencies();
  bool number();
  bool add_missing(escape_proof& result);
  void find_least_asked_for();

  const dependency_sets& whole_;
  vc_mask escape_vcs_;
  head_places heads_;
  std::vector<edge> edges_;  ///< sorted
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t>
      least_;  ///< by place: the channel with the smallest number it may come to ask for
  std::vector<std::uint32_t> cycle_;
};

void escape_prover::start_from_direct_dependencies() {
  for (std::uint32_t c = 0; c < whole_.channels(); ++c)
    if (is_escape(c))
      whole_.for_each(c, [&](std::uint32_t to) {
        if (is_escape(to)) edges_.emplace_back(c, to);
      });
}

/// Numbers the channels so that all edges lead to a greater number; false: there is a cycle.
bool escape_prover::number() {
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  const dependency_graph graph(boost::edges_are_sorted, edges_.begin(), edges_.end(), whole_.channels());
  const auto order = topological_order(graph);
  if (!order) {
    cycle_ = short_cycle(graph);
    return false;
  }
  numbers_ = channel_numbers(graph, *order);
  return true;
}

void escape_prover::find_least_asked_for() {
  least_.assign(heads_.size(), no_channel);
  const auto take = [&](std::uint32_t& least, std::uint32_t c) {
    if (c == no_channel || (least != no_channel && numbers_[least] <= numbers_[c])) return false;
    least = c;
    return true;
  };
  for (std::size_t p = 0; p < heads_.size(); ++p)
    heads_.for_each_escape(p, [&](std::uint32_t c) { take(least_[p], c); });
  // Over adaptive channels until nothing changes: few rounds, for places are found on the way.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = heads_.size(); p-- > 0;)
      heads_.for_each_adaptive(
          p, [&](std::uint32_t next) { changed = take(least_[p], least_[next]) || changed; });
  }
}

/// Adds the dependencies that the numbering does not respect, until it does; false: there is a cycle.
bool escape_prover::add_missing(escape_proof& result) {
  for (;;) {
    find_least_asked_for();
    const std::size_t before = edges_.size();
    for (std::size_t p = 0; p < least_.size(); ++p) {
      const std::uint32_t c = heads_.channel_of(p);
      if (!is_escape(c) || least_[p] == no_channel) continue;
      if (numbers_[least_[p]] <= numbers_[c]) edges_.emplace_back(c, least_[p]);
    }
    if (edges_.size() == before) return true;
    result.holds = false;  // for now: the destinations before have to be looked at again
    if (!number()) return false;
  }
}

escape_proof escape_prover::prove(const std::vector<terminal_id>& destinations, const talking_pairs* pairs) {
  escape_proof result;
  start_from_direct_dependencies();
  bool acyclic = number();
  while (acyclic && !result.holds) {
    result.holds = true;
    for (const node_id destination : destinations) {
      if (!heads_.explore(destination, pairs)) {
        result.holds = false;
        result.reason = heads_.stuck();
        return result;
      }
      acyclic = add_missing(result);
      if (!acyclic) break;
    }
  }
  result.dependencies = edges_.size();
  std::vector<bool> in_use(whole_.channels());
  for (const edge& e : edges_) in_use[e.first] = in_use[e.second] = true;
  result.channels = static_cast<std::size_t>(std::count(in_use.begin(), in_use.end(), true));
  result.cycle = channels_numbered(cycle_, whole_.vcs());
  if (!acyclic) {
    result.reason = "the extended dependency graph of the escape channels has a cycle";
    return result;
  }
  result.numbers = std::move(numbers_);
  result.reason =
      "an escape is open wherever a head can stand, and the extended dependency graph of its channels is "
      "acyclic";
  return result;
}

}  // namespace

escape_proof prove_escape(const netlist& net, const routing_function& routing, const dependency_sets& whole,
                          vc_mask escape_vcs, const std::vector<terminal_id>& destinations,
                          const talking_pairs* pairs) {
  if (escape_vcs == 0) {
    escape_proof none;
    none.reason = "the routing function names no escape VCs";
    return none;
  }
  return escape_prover(net, routing, whole, escape_vcs).prove(destinations, pairs);
}

}  // namespace toriscope
