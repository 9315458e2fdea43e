// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/traffic/pattern_registry.h"

#include <stdexcept>
#include <utility>

#include "base/nearest_name.h"
#include "testbenches/simulation/traffic/hotspot_pattern.h"
#include "testbenches/simulation/traffic/local_pattern.h"
#include "testbenches/simulation/traffic/node_address.h"
#include "testbenches/simulation/traffic/permutations.h"
#include "testbenches/simulation/traffic/uniform_pattern.h"

namespace toriscope {
namespace {

using wiring_ptr = std::shared_ptr<const netlist>;
using pattern_ptr = std::unique_ptr<traffic_pattern>;

pattern_ptr make_uniform(wiring_ptr wiring, const pattern_options& options) {
  return std::make_unique<uniform_pattern>(wiring->terminal_count(), options.include_self);
}

pattern_ptr make_hotspot(wiring_ptr wiring, const pattern_options& options) {
  if (!(options.hot_probability >= 0 && options.hot_probability <= 1))
    throw std::invalid_argument("the hot-spot probability must be between 0 and 1");
  std::vector<node_id> hot;
  for (const std::string& text : options.hot_nodes) hot.push_back(parse_terminal(text, *wiring));
  return std::make_unique<hotspot_pattern>(std::move(wiring), probability(options.hot_probability),
                                           std::move(hot), options.include_self);
}

pattern_ptr make_local(wiring_ptr wiring, const pattern_options& options) {
  if (!(options.local_probability >= 0 && options.local_probability <= 1))
    throw std::invalid_argument("the probability of local traffic must be between 0 and 1");
  return std::make_unique<local_pattern>(std::move(wiring), options.local_square,
                                         probability(options.local_probability), options.include_self);
}

template <permutation (*table)(const netlist&)>
pattern_ptr make_permutation(wiring_ptr wiring, const pattern_options&) {
  return std::make_unique<permutation_pattern>(table(*wiring));
}

/// Of the packets of a source those that use no link, 0 .. 1.
double share_to_itself(const traffic_pattern& pattern, const netlist& wiring, node_id source) {
  if (!wiring.leaves_where_it_enters(source)) return 0;
  const destination_weights weights = pattern.weights(source);
  double share = weights.own;
  for (const auto& [node, weight] : weights.points)
    if (node == source) share += weight;
  return share;
}

/// @throws std::invalid_argument when no packet would leave its node
void check_packets_leave(const std::string& name, const netlist& wiring, const traffic_pattern& pattern) {
  const node_id nodes = wiring.terminal_count();
  if (nodes == 1) return;
  for (node_id source = 0; source < nodes; ++source)
    if (share_to_itself(pattern, wiring, source) < 1) return;
  throw std::invalid_argument(
      "traffic " + name + ": every node of " + wiring.name() +
      " would send all its packets to itself, and no link would be used; choose another pattern");
}

const char* const rahman = "Rahman et al. 2009 (TTN), Sect. 5.3 and 5.4";
const char* const dally = "Dally and Towles 2004, Table 3.1";

}  // namespace

const std::vector<pattern_kind>& pattern_kinds() {
  static const std::vector<pattern_kind> kinds = {
      {"uniform", "every other node with the same probability",
       "Each packet goes to one of the N-1 other nodes, all with the same probability; "
       "with --include-self also to the own node.",
       rahman, make_uniform},
      {"hotspot", "some of the packets to a hot node, the others uniform",
       R"(With the probability --hot-probability a packet goes to a hot node, otherwise it is uniform.
Hot nodes: those of --hot-node, or else the paper's. In a hierarchical network that is the node of the source's
own subnet with zeros in the two lowest levels; in a flat one every dimension is cut into four parts and the
centre of the source's own part is hot. Where routers have several terminals, the first one of that router is hot;
this needs the same number at every router. The only hot node itself sends uniformly, unless --include-self is given;
so does one of several with the packets that would go to itself.)",
       "Pfister and Norton 1985; Rahman et al. 2009 (TTN), Sect. 5.4.2", make_hotspot},
      {"local", "within a square of a x a nodes around the source",
       R"(Each packet goes to a node of the square of --local-square a x a nodes around its source, all with the same
probability; with --local-probability below 1 the others are uniform. The square begins floor((a-1)/2) nodes before
the source; it wraps around rings (tori, the highest level of a TTN) and is moved inside at other borders. In a
hierarchical network the place of a node is that of its digits of all levels read together. Where routers have several
terminals, a node is a router, and each packet goes to any terminal of the square; this needs the same number at every
router.)",
       "Fan and Yang (RDT), Fig. 4; Dally 1990, Sect. III-A", make_local},
      {"transpose",
       "(y,x) to (x,y): the halves of the address change places, at every level of the hierarchy",
       R"(Digit i of n is taken from digit i + n/2 mod n.
  two dimensions   (y,x) sends to (x,y); needs as many rows as columns
  four, six ...    (a3,a2,a1,a0) sends to (a1,a0,a3,a2)
  hypercube:n      b binary digits: d_i = s_(i + b/2 mod b); likewise crossed, debruijn
  one, three ...   the same rule on the b bits of the node number, 4x4x4 for example: needs N = 2^b, b even
  ttn, tesh, sttn  (y,x) sends to (x,y) in the basic modules and at each level above
  htn, mh3dt, h3dt likewise; a level of three digits (z,y,x) sends to (x,y,z), its dimensions reversed
  ccc:n            the halves of the corner's n bits change places, that in the cycle stays; needs n even
  rdt              (y,x) sends to (x,y) in the base torus
  midimew, file    the rule on the bits of the node number
  cmesh, ctorus    (y,x) sends to (x,y) for routers, likewise flatfly; a terminal keeps its index at the router
  crossbar         the rule on the bits of the terminal's number, likewise fattree, butterfly
Elsewhere (an odd number of bits, unequal sides) it is not defined, and toriscope rejects it.)",
       "Dally and Towles 2004, Table 3.1; level by level: Rahman et al. 2009 (TTN), Sect. 5.4.3",
       make_permutation<transpose>},
      {"bit_reversal", "the node number with its bits reversed",
       "b[n-1] ... b[1] b[0] sends to b[0] b[1] ... b[n-1]. Needs a power of two nodes.", rahman,
       make_permutation<bit_reversal>},
      {"complement", "the node number with every bit inverted",
       "b[n-1] ... b[0] sends to ~b[n-1] ... ~b[0]: every packet crosses the bisection. Needs a power of two "
       "nodes.",
       rahman, make_permutation<complement>},
      {"bit_flip", "the complement of the bit reversal",
       "b[n-1] ... b[1] b[0] sends to ~b[0] ~b[1] ... ~b[n-1]. Needs a power of two nodes.", rahman,
       make_permutation<bit_flip>},
      {"shuffle", "the node number rotated left by one bit (perfect shuffle)",
       "b[n-1] b[n-2] ... b[0] sends to b[n-2] ... b[0] b[n-1]. Needs a power of two nodes.", rahman,
       make_permutation<shuffle>},
      {"bit_rotation", "the node number rotated right by one bit",
       "b[n-1] ... b[1] b[0] sends to b[0] b[n-1] ... b[1]: d_i = s_(i+1 mod b). Needs a power of two nodes.",
       dally, make_permutation<bit_rotation>},
      {"tornado", "nearly half way round in every dimension",
       R"(Every digit d of radix k becomes d + ceil(k/2) - 1 modulo k. Not defined where every radix is 2 (hypercube,
debruijn:2,k): d + 0 is the node itself. Where routers have several terminals, the digits are those of the router, and
a terminal keeps its index there; this needs the same number of terminals at every router.)",
       dally, make_permutation<tornado>},
      {"neighbour", "the next node in every dimension",
       R"(Every digit d of radix k becomes d + 1 modulo k. Where routers have several terminals, the digits are those of the
router, and a terminal keeps its index there; this needs the same number of terminals at every router.)",
       dally, make_permutation<neighbour>},
  };
  return kinds;
}

std::unique_ptr<traffic_pattern> make_pattern(const std::string& name, std::shared_ptr<const netlist> wiring,
                                              const pattern_options& options) {
  std::unique_ptr<traffic_pattern> made = entry_named(pattern_kinds(), name, "traffic pattern").make(wiring, options);
  if (!options.only_self) check_packets_leave(name, *wiring, *made);
  return made;
}

self_traffic self_traffic_of(const traffic_pattern& pattern, const netlist& wiring) {
  self_traffic result;
  const node_id nodes = wiring.terminal_count();
  for (node_id source = 0; source < nodes; ++source) {
    const double share = share_to_itself(pattern, wiring, source);
    result.nodes += share >= 1;
    result.share += share / nodes;
  }
  return result;
}

}  // namespace toriscope
