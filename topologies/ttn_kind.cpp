// SPDX-License-Identifier: Apache-2.0
// ttn for the registry.
#include <stdexcept>

#include "topologies/topology_makers.h"
#include "topologies/ttn.h"
#include "topologies/ttn_routing.h"

namespace toriscope {

namespace {

ttn_shape shape_of(const std::string& spec, const std::string& arguments, const topology_options& options) {
  const std::vector<unsigned> numbers = spec_numbers(spec, arguments, ',', "ttn:2,2,0");
  const auto refuse = [&](const std::string& why) {
    return std::invalid_argument("topology '" + spec + "': " + why);
  };
  if (numbers.size() != 3)
    throw refuse(std::to_string(numbers.size()) + (numbers.size() == 1 ? " number" : " numbers") +
                 "; it wants three, m, L and q: ttn:2,2,0");
  const unsigned m = numbers[0];
  const unsigned levels = numbers[1];
  const unsigned q = numbers[2];
  if (m != 2)
    throw refuse("m = " + std::to_string(m) +
                 "; gates and VC rules are worked out for m = 2 (4x4 basic modules) only");
  if (levels < 2)
    throw refuse("L = " + std::to_string(levels) +
                 "; L is at least 2 (a basic module by itself is torus:4x4)");
  if (q > m) throw refuse("q = " + std::to_string(q) + "; the inter-level connectivity q is 0 .. m = 2");
  const std::string lemma = " (Lemma 2: L <= 2^(2-q) + 1 = " + std::to_string(ttn_highest_level(q)) +
                            " with q = " + std::to_string(q) + "; Rahman et al. 2009)";
  if (levels > ttn_highest_level(0))
    throw refuse("L = " + std::to_string(levels) + " is too large for any q" + lemma);
  if (levels > ttn_highest_level(q))
    throw refuse("q = " + std::to_string(q) + " is too large for L = " + std::to_string(levels) + lemma);
  ttn_shape shape;
  shape.levels = levels;
  shape.connectivity = q;
  shape.unidirectional = options.links == "U";
  return shape;
}

}  // namespace

topology make_ttn(const std::string& arguments, const topology_options& options) {
  topology result;
  const std::string spec = "ttn:" + arguments;
  const ttn_shape shape = shape_of(spec, arguments, options);
  result.spec = "ttn:2," + std::to_string(shape.levels) + "," + std::to_string(shape.connectivity);
  const ring_ties ties =
      checked_ties(spec, options.ties, ring_ties::nowrap, {ring_ties::nowrap, ring_ties::positive});
  const ttn_vc_rule rule = [&] {
    try {
      return choose_ttn_vc_rule(shape, ties, options.vc_rule, options.vcs);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("topology '" + spec + "': " + error.what());
    }
  }();
  result.wiring = build_ttn(shape);
  result.routing = make_ttn_routing(shape, ties, rule, options.vcs);
  result.links = options.links;
  result.ties = to_string(ties);
  result.vc_rule = to_string(rule);
  result.vc_rule_note = ttn_deadlock_free(shape, ties, rule)
                            ? "acyclic: free of deadlock by its channel-dependency graph"
                            : "cyclic: its channel-dependency graph has cycles, the network can deadlock";
  return result;
}

}  // namespace toriscope
