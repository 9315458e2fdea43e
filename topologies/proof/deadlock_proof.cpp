// SPDX-License-Identifier: Apache-2.0
#include "topologies/proof/deadlock_proof.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "topologies/proof/escape_proof.h"
#include "topologies/proof/packet_explorer.h"
#include "topologies/proof/short_cycle.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

constexpr std::array<std::pair<proof_method, const char*>, 4> methods{
    {{proof_method::automatic, "automatic"},
     {proof_method::exhaustive, "exhaustive"},
     {proof_method::symmetric, "symmetric"},
     {proof_method::sampled, "sampled"}}};

proof_method choose_method(const netlist& net, const routing_function& routing,
                           const proof_options& options) {
  const proof_method wanted = options.method;
  const bool allowed = follows_classes(net, routing);
  if (wanted == proof_method::symmetric && !allowed)
    throw std::invalid_argument(
        "method symmetric needs a hierarchical network, and a routing function that claims to read an "
        "address "
        "no further than to the first digit that differs; use exhaustive or sampled");
  if (wanted == proof_method::sampled && options.samples >= net.terminal_count())
    return proof_method::exhaustive;
  if (wanted != proof_method::automatic) return wanted;
  if (allowed) return proof_method::symmetric;
  return std::uint64_t{net.terminal_count()} * net.links().size() <= max_exhaustive_work
             ? proof_method::exhaustive
             : proof_method::sampled;
}

std::vector<node_id> sample(node_id nodes, unsigned samples) {
  std::mt19937 random(1);
  std::set<node_id> drawn;
  while (drawn.size() < std::min(nodes, samples)) drawn.insert(static_cast<node_id>(random() % nodes));
  return {drawn.begin(), drawn.end()};
}

std::vector<node_id> every_node(node_id nodes) {
  std::vector<node_id> all(nodes);
  for (node_id n = 0; n < nodes; ++n) all[n] = n;
  return all;
}

void decide_with_escape(const netlist& net, const routing_function& routing, const dependency_sets& whole,
                        const std::vector<node_id>& destinations, const talking_pairs* only,
                        deadlock_proof& result) {
  escape_proof escape = prove_escape(net, routing, whole, result.escape_vcs, destinations, only);
  result.escape_channels = escape.channels;
  result.extended_dependencies = escape.dependencies;
  result.cycle = std::move(escape.cycle);
  result.reason = std::move(escape.reason);
  result.needs_atomic_vcs = escape.holds;
  result.outcome = escape.holds            ? proof_outcome::proven
                   : !result.cycle.empty() ? proof_outcome::cyclic
                                           : proof_outcome::unknown;
  if (escape.holds) result.numbers = std::move(escape.numbers);
}

void decide(const netlist& net, const routing_function& routing, const dependency_sets& dependencies,
            const std::vector<node_id>& destinations, const talking_pairs* only, deadlock_proof& result) {
  const dependency_graph graph = dependencies.graph();
  result.dependencies = num_edges(graph);
  if (const auto order = topological_order(graph)) {
    result.outcome = proof_outcome::proven;
    result.reason = "the channel-dependency graph is acyclic";
    result.numbers = channel_numbers(graph, *order);
    return;
  }
  if (has_escape(routing, result.vcs)) {
    result.escape_vcs = (vc_set(routing.escape_vcs()) & vc_set::below(result.vcs)).mask();
    decide_with_escape(net, routing, dependencies, destinations, only, result);
    return;
  }
  result.outcome = proof_outcome::cyclic;
  result.reason = "the channel-dependency graph has a cycle";
  result.cycle = channels_numbered(short_cycle(graph), result.vcs);
}

/// Classes that share no channel wait for each other nowhere but at the nodes.
void check_classes(const netlist& net, const dependency_sets& dependencies, unsigned message_classes) {
  if (message_classes == 1) return;
  const unsigned vcs = dependencies.vcs();
  const auto class_of = [&](std::uint32_t number) { return number % vcs / (vcs / message_classes); };
  for (std::uint32_t from = 0; from < dependencies.channels(); ++from)
    dependencies.for_each(from, [&](std::uint32_t to) {
      if (class_of(to) != class_of(from))
        throw std::logic_error("routing leads from message class " + std::to_string(class_of(from)) + " to " +
                               std::to_string(class_of(to)) + ": " +
                               cycle_in_words(net, channels_numbered({from, to}, vcs)));
    });
}

}  // namespace

const char* to_string(proof_outcome outcome) {
  static const char* const names[] = {"proven", "cyclic", "unknown"};
  return names[static_cast<unsigned>(outcome)];
}

const char* to_string(proof_method method) { return methods[static_cast<unsigned>(method)].second; }

proof_method proof_method_named(const std::string& name) {
  for (const auto& [method, known] : methods)
    if (name == known) return method;
  throw std::invalid_argument("unknown method '" + name +
                              "'; known: automatic, exhaustive, symmetric, sampled");
}

bool has_escape(const routing_function& routing, unsigned vcs) {
  return (all_vcs(vcs) & ~routing.escape_vcs()) != 0;
}

bool follows_classes(const netlist& net, const routing_function& routing) {
  return routing.reads_to_first_difference() && net.hierarchy().back().digits < net.radices().size();
}

deadlock_proof prove(const netlist& net, const routing_function& routing, unsigned vcs,
                     const proof_options& options) {
  deadlock_proof result;
  result.method = options.only ? proof_method::exhaustive : choose_method(net, routing, options);
  result.vcs = vcs;
  packet_explorer packets(net, routing, vcs);
  result.channels = packets.dependencies().channels();
  const std::vector<node_id> destinations = options.only ? options.only->destinations()
                                            : result.method == proof_method::sampled
                                                ? sample(net.terminal_count(), options.samples)
                                                : every_node(net.terminal_count());
  if (result.method == proof_method::symmetric)
    packets.follow_classes();
  else
    for (const node_id node : destinations) packets.follow_packets_to(node, options.only);
  check_classes(net, packets.dependencies(), options.message_classes);
  if (result.method != proof_method::sampled) result.unused = unused_among(net, packets.vcs_used(), vcs);
  decide(net, routing, packets.dependencies(), destinations, options.only, result);
  if (result.method == proof_method::sampled && result.outcome == proof_outcome::proven) {
    result.outcome = proof_outcome::unknown;
    result.reason = "no cycle among packets to " + std::to_string(destinations.size()) + " of the " +
                    std::to_string(net.terminal_count()) + " terminals, which proves nothing for all";
    result.numbers.clear();
  }
  if (!options.with_certificate) result.numbers = {};
  return result;
}

}  // namespace toriscope
