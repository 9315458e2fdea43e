// SPDX-License-Identifier: Apache-2.0
// TTN, TESH and STTN for the registry.
#include <stdexcept>

#include "topologies/families.h"
#include "topologies/topology_makers.h"
#include "topologies/ttn/ttn.h"
#include "topologies/ttn/ttn_routing.h"

namespace toriscope {

namespace {

ttn_shape shape_of(ttn_kind kind, const std::string& spec, const std::string& arguments,
                   const topology_options& options) {
  const std::string usage = std::string(to_string(kind)) + ":2,2,0";
  const std::vector<unsigned> numbers = spec_numbers(spec, arguments, ',', usage);
  const auto refuse = [&](const std::string& why) { return refusal(spec, why); };
  if (numbers.size() != 3)
    throw refuse(std::to_string(numbers.size()) + (numbers.size() == 1 ? " number" : " numbers") +
                 "; expected three, m, L and q: " + usage);
  const unsigned m = numbers[0];
  const unsigned levels = numbers[1];
  const unsigned q = numbers[2];
  if (m != 2)
    throw refuse("m = " + std::to_string(m) +
                 "; gates and VC rules are worked out for m = 2 (4x4 basic modules) only");
  if (levels < 2)
    throw refuse("L = " + std::to_string(levels) + "; L is at least 2 (a basic module alone is " +
                 (kind == ttn_kind::tesh ? "mesh" : "torus") + ":4x4)");
  if (q > m) throw refuse("q = " + std::to_string(q) + "; the inter-level connectivity q is 0 .. m = 2");
  const std::string lemma = " (Lemma 2: L <= 2^(2-q) + 1 = " + std::to_string(ttn_highest_level(q)) +
                            " with q = " + std::to_string(q) + "; Rahman et al. 2009)";
  if (levels > ttn_highest_level(0))
    throw refuse("L = " + std::to_string(levels) + " is too large for any q" + lemma);
  if (levels > ttn_highest_level(q))
    throw refuse("q = " + std::to_string(q) + " is too large for L = " + std::to_string(levels) + lemma);
  if (kind == ttn_kind::sttn && q > 0)
    throw refuse("q = " + std::to_string(q) +
                 "; an STTN is known for q = 0 only: its paper defines no wiring with q > 0");
  ttn_shape shape;
  shape.kind = kind;
  shape.levels = levels;
  shape.connectivity = q;
  shape.unidirectional = options.links == "U";
  return shape;
}

/// A mesh as basic module has one shortest way in each dimension: it takes all names of ties, and has none.
std::string resolved_ties(const ttn_shape& shape, ring_ties ties) {
  return shape.mesh_modules() ? "" : to_string(ties);
}

topology make(ttn_kind kind, const std::string& arguments, const topology_options& options) {
  topology result;
  const std::string& spec = options.spec;
  const ttn_shape shape = shape_of(kind, spec, arguments, options);
  checked_node_count(options, std::vector<unsigned>(shape.digits(), 4));
  result.choice.spec = std::string(to_string(kind)) + ":2," + std::to_string(shape.levels) + "," +
                       std::to_string(shape.connectivity);
  const ring_ties ties =
      checked_ties(spec, options.ties, ring_ties::nowrap, {ring_ties::nowrap, ring_ties::positive});
  const ttn_vc_rule rule = [&] {
    try {
      return choose_ttn_vc_rule(shape, ties, options.vc_rule, options.vcs);
    } catch (const std::invalid_argument& error) {
      throw refusal(spec, error.what());
    }
  }();
  result.wiring = build_ttn(shape);
  result.routing = make_ttn_routing(shape, ties, rule, options.vcs);
  result.choice.links = options.links;
  result.choice.ties = resolved_ties(shape, ties);
  result.choice.vc_rule = to_string(rule);
  result.vc_rule_note = ttn_deadlock_free(shape, ties, rule)
                            ? "acyclic: free of deadlock by its channel-dependency graph"
                            : "cyclic: its channel-dependency graph has cycles, the network can deadlock";
  result.cyclic_digits = shape.digits() - 2;
  return result;
}

topology make_ttn(const std::string& arguments, const topology_options& options) {
  return make(ttn_kind::ttn, arguments, options);
}

topology make_tesh(const std::string& arguments, const topology_options& options) {
  return make(ttn_kind::tesh, arguments, options);
}

topology make_sttn(const std::string& arguments, const topology_options& options) {
  return make(ttn_kind::sttn, arguments, options);
}

}  // namespace

topology_family ttn_family() {
  topology_family family;
  family.kinds = {
      {"ttn", "m,L,q", "Tori-connected Torus Network: 4x4 tori joined by rings, level by level",
       {"ttn:2,2,0", "ttn:2,3,1", "ttn:2,5,0"},
       R"(m = 2 (4x4 basic modules, BM), L = 2..5 levels, inter-level connectivity q = 0..2 with L <= 2^(2-q) + 1 (Lemma 2);
16^L nodes. Ports x+ x- y+ y- and the gates L2_V_out0, L2_V_in0, L2_H_out0 ... (level, dimension, group).
Inter-module links: one_way (the paper's Sect. 2.2), duplex (its Fig. 4).
Routing: from the highest level down, the V ring, then the H ring, moves in the BM in between, rows first.
Ties in the BM: nowrap (default), positive. VC rules: safe paper A C D3 E F G K.
Gates of Levels 4 and 5, and of the groups for q > 0, are choices that the paper's figures and text leave open.)",
       "Rahman et al. 2009 (TTN: A High Performance Hierarchical Interconnection Network)", make_ttn, {"dor"}},
      {"tesh", "m,L,q", "Tori-connected mESH: the TTN with 4x4 meshes for basic modules",
       {"tesh:2,2,0", "tesh:2,2,1", "tesh:2,5,0"},
       R"(Parameters, gates, links and routing as in the TTN. A node of the basic module has only the ports that a link ends at.
No ties in a mesh. VC rules: safe paper A C D3 E F G K; with paper all phases share one VC class in the basic module.)",
       "Rahman et al. 2009, Table 1 (after Jain, Ghirmai, Horiguchi 1997)", make_tesh, {"dor"}},
      {"sttn", "m,L,q", "Symmetric Tori-connected Torus Network: the TTN with each level's gates along one side",
       {"sttn:2,2,0", "sttn:2,3,0"},
       R"(m = 2, L = 2..5, q = 0. Level 2 has the top row of the 4x4 torus, Level 3 the bottom row, Level 4 the right column,
Level 5 the left one; along it V out, V in, H out, H in. The paper's figure is lost; this has all that it says of distances.
Links, routing and ties as in the TTN. VC rules: safe paper A C D3 E G S; L = 4 and 5 need 5 and 6 VCs with links U, 8 and 10
with B.)",
       "Al Faisal, Rahman 2009 (Symmetric Tori Connected Torus Network)", make_sttn, {"dor"}},
  };
  const std::vector<std::string> all{"ttn", "tesh", "sttn"};
  const std::vector<std::string> ttn_and_tesh{"ttn", "tesh"};
  const std::string of_rings =
      R"(
Inter-BM links: class 0 before the wrap link of the ring, 1 on and after it. Each link shares out all its VCs to the
classes that packets have on it.)";
  const std::string of_rings_in_paper =
      "\nInter-BM links: class 0 before the wrap link of the ring, 1 on and after it.";
  const std::string by_graphs =
      "found and proved with channel-dependency graphs; Rahman et al. 2009, Sect. 3.2, for the phases";
  family.routings = {
      {"dor", all, "from the highest level down: V ring, then H ring; rows before columns in a basic module",
       {"--topology ttn:2,2,0 --routing dor"},
       "The papers' routing. Between two rings, and at the end, minimal moves within the basic module.",
       "Rahman et al. 2009, Sect. 3.1; Al Faisal, Rahman 2009, Sect. IV"},
  };
  family.vc_rules = {
      {"paper",
       all,
       "2",
       "as published: one pair of VCs in the BM for all phases (cyclic!)",
       {"--topology ttn:2,2,0 --vc-rule paper"},
       R"(Theorem 1: phases 1, 2 and 3 share two VCs in the BM, 0 before and 1 on and after a wrap link; in TESH, without
wrap links there, one. Has cycles in every network tried, and they are real: it is here to show that.)" +
           of_rings_in_paper,
       "Rahman et al. 2009, Theorem 1"},
      {"A",
       all,
       "2",
       "BM hops: 0 until the last phase, 1 in it",
       {"--topology ttn:2,2,0 --vc-rule last_phase"},
       R"(Ties nowrap. Acyclic in TTN and TESH (2,2,0), (2,2,1), (2,3,0); cyclic in (2,2,2), (2,3,1), from L = 4 on and in
STTN.)" + of_rings,
       by_graphs},
      {"C",
       all,
       "4; tesh 2",
       "the paper's rule without the sharing: 2 VCs until the last phase, 2 in it",
       {"--topology ttn:2,2,0 --vc-rule module_dateline"},
       "Class = BM dateline, + 2 in the last phase. Any ties. Acyclic where A is." + of_rings,
       by_graphs},
      {"D3",
       all,
       "2 or 3",
       "BM hops: the ring's dateline bit, 2 in the last phase",
       {"--topology ttn:2,2,0 --vc-rule ring_dateline"},
       R"(Ties nowrap. Acyclic in TTN and TESH for L = 2 and (2,3,0), in TTN(2,3,1) with links U only, in STTN for
L = 2 and 3 with links U only; cyclic from L = 4 on.)" +
           of_rings,
       by_graphs},
      {"E",
       all,
       "3 or 4",
       "BM hops: H ring + the ring's dateline bit, 3 in the last phase",
       {"--topology ttn:2,3,1 --vc-rule ring_axis"},
       "Tie break nowrap. Acyclic for L = 2 and 3 but in TESH(2,3,1); cyclic from L = 4 on. "
       "The default (safe) in TTN for q > 0." +
           of_rings,
       by_graphs},
      {"F",
       ttn_and_tesh,
       "4",
       "BM hops: 0 toward Levels 2 and 3, 1 + dateline bit toward Level 4, 3 in the last phase",
       {"--topology ttn:2,4,0 --vc-rule level4_dateline"},
       "Tie break nowrap, L = 4 only. Acyclic." + of_rings,
       by_graphs},
      {"G",
       all,
       "3 or 4",
       "BM hops: V 2, H 1 (2 toward it at Level 3), 0 past the ring's dateline, 3 in the last phase",
       {"--topology tesh:2,3,1 --vc-rule ring_axis_descending"},
       R"(Ties nowrap, L = 2 and 3. Acyclic in every TTN and TESH, and in STTN but for L = 3 with links B. The default (safe)
in TESH for q > 0.)" +
           of_rings,
       by_graphs},
      {"K",
       ttn_and_tesh,
       "2 to 4",
       "BM hops: 0 toward Levels 2 and 3, falling past each dateline above, 3 in the last phase",
       {"--topology ttn:2,2,0 --vc-rule level_descending"},
       R"(Ties nowrap, q = 0. Level 4: 1 before, 0 after the dateline; Level 5: 2 before, 1 after. Acyclic for L = 2..5.
At L = 2 and 3 it is rule A. The default (safe) for q = 0.)" +
           of_rings,
       by_graphs},
      {"S",
       {"sttn"},
       "L + 1 with links U, 2L with B",
       "BM hops: falling from level to level, with each H ring and each dateline; the last phase has its own",
       {"--topology sttn:2,2,0 --vc-rule level_axis_descending"},
       R"(Ties nowrap. Links U: toward Level l class l - 1 before and l - 2 past the ring's dateline, L in the last phase.
Links B: 2(l - 1), one less for an H ring, one less past its dateline; 2L - 1 in the last phase. Acyclic for L = 2..5.
The default (safe) in STTN.)" +
           of_rings,
       by_graphs},
  };
  return family;
}

}  // namespace toriscope
