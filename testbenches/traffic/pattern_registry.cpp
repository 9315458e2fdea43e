// SPDX-License-Identifier: Apache-2.0
#include "testbenches/traffic/pattern_registry.h"

#include <stdexcept>
#include <utility>

#include "testbenches/traffic/hotspot_pattern.h"
#include "testbenches/traffic/local_pattern.h"
#include "testbenches/traffic/node_address.h"
#include "testbenches/traffic/permutations.h"
#include "testbenches/traffic/uniform_pattern.h"
#include "topologies/nearest_name.h"

namespace toriscope {
namespace {

using wiring_ptr = std::shared_ptr<const netlist>;
using pattern_ptr = std::unique_ptr<traffic_pattern>;

pattern_ptr make_uniform(wiring_ptr wiring, const pattern_options& options) {
  return std::make_unique<uniform_pattern>(wiring->node_count(), options.include_self);
}

pattern_ptr make_hotspot(wiring_ptr wiring, const pattern_options& options) {
  if (!(options.hot_probability >= 0 && options.hot_probability <= 1))
    throw std::invalid_argument("the hot-spot probability must be between 0 and 1");
  std::vector<node_id> hot;
  for (const std::string& text : options.hot_nodes) hot.push_back(parse_node(text, *wiring));
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

const char* const rahman = "Rahman et al. 2009 (TTN), Sect. 5.3 and 5.4";
const char* const dally = "Dally and Towles 2004, Table 3.1";

}  // namespace

const std::vector<pattern_kind>& pattern_kinds() {
  static const std::vector<pattern_kind> kinds = {
      {"uniform", "every other node with the same probability",
       "Each packet goes to one of the N-1 other nodes, all with the same probability; with --self also to "
       "the own node.",
       rahman, make_uniform},
      {"hotspot", "some of the packets to a hot node, the others uniform",
       "With the probability --hot-probability a packet goes to a hot node, otherwise it is uniform.\n"
       "Hot nodes: those of --hot-node, or else the paper's. In a hierarchical network that is the node of "
       "the source's\n"
       "own subnet with zeros in the two lowest levels; in a flat one every dimension is cut into four parts "
       "and the\n"
       "centre of the source's own part is hot. A hot node itself sends uniformly, unless --self is given.",
       "Pfister and Norton 1985; Rahman et al. 2009 (TTN), Sect. 5.4.2", make_hotspot},
      {"local", "within a square of a x a nodes around the source",
       "Each packet goes to a node of the square of --local-square a x a nodes around its source, all with "
       "the "
       "same\n"
       "probability; with --local-probability below 1 the others are uniform. The square begins "
       "floor((a-1)/2) nodes before\n"
       "the source; it wraps around rings (tori, the highest level of a TTN) and is moved inside at other "
       "borders. In a\n"
       "hierarchical network the place of a node is that of its digits of all levels read together.",
       "Fan and Yang (RDT), Fig. 4; Dally 1990, Sect. III-A", make_local},
      {"transpose", "(y,x) to (x,y), at every level of the hierarchy",
       "The digits of every level are reversed: rows and columns change places, in the basic modules and at "
       "each level\n"
       "above. Needs as many rows as columns.",
       rahman, make_permutation<transpose>},
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
      {"tornado", "nearly half way round in every dimension",
       "Every digit d of radix k becomes d + ceil(k/2) - 1 modulo k.", dally, make_permutation<tornado>},
      {"neighbour", "the next node in every dimension", "Every digit d of radix k becomes d + 1 modulo k.",
       dally, make_permutation<neighbour>},
  };
  return kinds;
}

std::unique_ptr<traffic_pattern> make_pattern(const std::string& name, std::shared_ptr<const netlist> wiring,
                                              const pattern_options& options) {
  std::vector<std::string> known;
  for (const pattern_kind& kind : pattern_kinds()) {
    if (kind.name == name) return kind.make(std::move(wiring), options);
    known.push_back(kind.name);
  }
  throw std::invalid_argument(unknown_name("traffic pattern", name, known));
}

}  // namespace toriscope
