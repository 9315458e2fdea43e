// SPDX-License-Identifier: Apache-2.0
#include "topologies/topology_makers.h"

#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"
#include "base/whole_number.h"
#include "topologies/drawn_routing.h"

namespace toriscope {

const char* to_string(ring_ties ties) {
  switch (ties) {
    case ring_ties::nowrap:
      return "nowrap";
    case ring_ties::positive:
      return "positive";
    case ring_ties::balanced:
      break;
  }
  return "balanced";
}

std::invalid_argument refusal(const std::string& spec, const std::string& why) {
  return std::invalid_argument("topology '" + spec + "': " + why);
}

std::vector<unsigned> spec_numbers(const std::string& spec, std::string_view arguments, char separator,
                                   std::string_view usage) {
  std::vector<unsigned> numbers;
  for (const std::string& word : split(arguments, separator)) {
    unsigned number = 0;
    if (!to_number(word, number))
      throw refusal(spec, "'" + word + "' is not a number; write it like " + std::string(usage));
    numbers.push_back(number);
  }
  return numbers;
}

void check_node_limit(const topology_options& options, std::size_t nodes) {
  if (nodes <= options.node_limit) return;
  const std::string& reason = options.limit_reason;
  throw std::invalid_argument("topology '" + options.spec + "' has " + std::to_string(nodes) + " nodes; " +
                              (reason.empty() ? "expected at most " + std::to_string(options.node_limit) : reason));
}

std::size_t checked_node_count(const topology_options& options, const std::vector<unsigned>& radices) {
  const std::string& spec = options.spec;
  std::size_t nodes = 1;
  for (const unsigned radix : radices) {
    if (radix == 0) throw refusal(spec, "a dimension of 0 nodes; the least is 1");
    nodes *= radix;
    if (nodes > max_nodes)
      throw refusal(spec,
                    "more than " + std::to_string(max_nodes) + " nodes; that is the most that is supported");
  }
  if (nodes < 2) throw refusal(spec, "a network needs at least 2 nodes");
  check_node_limit(options, nodes);
  return nodes;
}

ring_ties checked_ties(const std::string& spec, const std::string& name, ring_ties otherwise,
                       const std::vector<ring_ties>& allowed) {
  if (name.empty()) return otherwise;
  std::vector<std::string> names;
  for (const ring_ties ties : allowed) {
    if (name == to_string(ties)) return ties;
    names.emplace_back(to_string(ties));
  }
  throw refusal(spec, "ties '" + name + "' are not among those it has: " + joined(names));
}

topology made_for_half(const topology_options& options, unsigned classes, const topology_maker& make) {
  if (options.vcs % 2 == 0 && options.vcs >= 2 * classes) {
    topology_options half = options;
    half.vcs = options.vcs / 2;
    topology result = make(half);
    result.cyclic_digits = 0;
    result.vc_rule_note += "; no packet goes from the upper half of the VCs to the lower one";
    return result;
  }
  throw refusal(options.spec, "routing " + options.routing + " needs an even number of VCs, at least " +
                                  std::to_string(2 * classes) +
                                  ", half of them for each part of the way; not " +
                                  std::to_string(options.vcs));
}

topology perhaps_with_detours(const topology_options& options, unsigned classes, const topology_maker& make) {
  const bool by_queues = options.routing == "ugal";
  if (!by_queues && options.routing != "valiant") return make(options);
  topology result = made_for_half(options, classes, make);
  result.routing = make_valiant(result.wiring, result.routing, options.vcs, by_queues);
  return result;
}

}  // namespace toriscope
