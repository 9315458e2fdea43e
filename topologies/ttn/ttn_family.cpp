// SPDX-License-Identifier: Apache-2.0
// The TTN for the registry.
#include <stdexcept>

#include "topologies/families.h"
#include "topologies/topology_makers.h"
#include "topologies/ttn/ttn.h"
#include "topologies/ttn/ttn_routing.h"

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

}  // namespace

topology_family ttn_family() {
  topology_family family;
  family.kinds = {
      {"ttn",
       "m,L,q",
       "Tori-connected Torus Network: 4x4 tori joined by rings, level by level",
       {"ttn:2,2,0", "ttn:2,3,1", "ttn:2,5,0"},
       "m = 2 (4x4 basic modules, BM), L = 2..5 levels, inter-level connectivity q = 0..2 with L <= 2^(2-q) "
       "+ 1 (Lemma 2);\n"
       "16^L nodes. Ports x+ x- y+ y- and the gates L2_V_out0, L2_V_in0, L2_H_out0 ... (level, dimension, "
       "group).\n"
       "Links U: inter-BM links one way (the paper's Sect. 2.2); B: full duplex (its Fig. 4).\n"
       "Routing: from the highest level down, the V ring, then the H ring, moves in the BM in between, rows "
       "first.\n"
       "Ties in the BM: nowrap (default), positive. VC rules: safe paper A C D3 E F K.\n"
       "Gates of Levels 4 and 5, and of the groups for q > 0, are choices that the paper's figures and text "
       "leave open.",
       "Rahman et al. 2009 (TTN: A High Performance Hierarchical Interconnection Network)",
       make_ttn,
       {"dor"}},
  };
  family.routings = {
      {"dor",
       {"ttn"},
       "from the highest level down: V ring, then H ring; rows before columns in a basic module",
       {"--topology ttn:2,2,0 --routing dor"},
       "The paper's routing. Between two rings, and at the end, minimal moves within the basic module.",
       "Rahman et al. 2009, Sect. 3.1"},
  };
  family.vc_rules = {
      {"paper",
       {"ttn"},
       "2",
       "as published: one pair of VCs in the BM for all phases (cyclic!)",
       {"--topology ttn:2,2,0 --vc-rule paper"},
       "Theorem 1: phases 1, 2 and 3 share two VCs in the BM, 0 before and 1 on and after a wrap link.\n"
       "Has cycles in every TTN tried, and they are real: it is here to show that.\n"
       "Inter-BM links: class 0 before the wrap link of the ring, 1 on and after it.",
       "Rahman et al. 2009, Theorem 1"},
      {"A",
       {"ttn"},
       "2",
       "BM hops: 0 until the last phase, 1 in it",
       {"--topology ttn:2,2,0 --vc-rule A"},
       "Ties nowrap. Acyclic in TTN(2,2,0), (2,2,1), (2,3,0); cyclic in (2,2,2), (2,3,1) and from L = 4 on.\n"
       "Inter-BM links: class 0 before the wrap link of the ring, 1 on and after it.",
       "found and proved with channel-dependency graphs; Rahman et al. 2009, Sect. 3.2, for the phases"},
      {"C",
       {"ttn"},
       "4",
       "the paper's rule without the sharing: 2 VCs until the last phase, 2 in it",
       {"--topology ttn:2,2,0 --vc-rule C"},
       "Class = BM dateline, + 2 in the last phase. Any ties. Acyclic where A is.\n"
       "Inter-BM links: class 0 before the wrap link of the ring, 1 on and after it.",
       "found and proved with channel-dependency graphs; Rahman et al. 2009, Sect. 3.2, for the phases"},
      {"D3",
       {"ttn"},
       "3",
       "BM hops: the ring's dateline bit, 2 in the last phase",
       {"--topology ttn:2,2,0 --vc-rule D3"},
       "Ties nowrap. Acyclic for L = 2 and for TTN(2,3,0), for (2,3,1) with links U only; cyclic from L = 4 "
       "on.\n"
       "Inter-BM links: class 0 before the wrap link of the ring, 1 on and after it.",
       "found and proved with channel-dependency graphs; Rahman et al. 2009, Sect. 3.2, for the phases"},
      {"E",
       {"ttn"},
       "4",
       "BM hops: H ring + the ring's dateline bit, 3 in the last phase",
       {"--topology ttn:2,3,1 --vc-rule E"},
       "Ties nowrap. Acyclic for L = 2 and 3, any q; cyclic from L = 4 on. The default (safe) for q > 0.\n"
       "Inter-BM links: class 0 before the wrap link of the ring, 1 on and after it.",
       "found and proved with channel-dependency graphs; Rahman et al. 2009, Sect. 3.2, for the phases"},
      {"F",
       {"ttn"},
       "4",
       "BM hops: 0 toward Levels 2 and 3, 1 + dateline bit toward Level 4, 3 in the last phase",
       {"--topology ttn:2,4,0 --vc-rule F"},
       "Ties nowrap, L = 4 only. Acyclic.\n"
       "Inter-BM links: class 0 before the wrap link of the ring, 1 on and after it.",
       "found and proved with channel-dependency graphs; Rahman et al. 2009, Sect. 3.2, for the phases"},
      {"K",
       {"ttn"},
       "4",
       "BM hops: 0 toward Levels 2 and 3, falling past each dateline above, 3 in the last phase",
       {"--topology ttn:2,2,0 --vc-rule K"},
       "Ties nowrap, q = 0. Level 4: 1 before, 0 after the dateline; Level 5: 2 before, 1 after. Acyclic for "
       "L = 2..5.\n"
       "The default (safe) for q = 0.\n"
       "Inter-BM links: class 0 before the wrap link of the ring, 1 on and after it.",
       "found and proved with channel-dependency graphs; Rahman et al. 2009, Sect. 3.2, for the phases"},
  };
  return family;
}

}  // namespace toriscope
