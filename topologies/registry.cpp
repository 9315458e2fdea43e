// SPDX-License-Identifier: Apache-2.0
#include "topologies/registry.h"

#include <algorithm>
#include <stdexcept>

#include "topologies/message_class_routing.h"
#include "topologies/nearest_name.h"
#include "topologies/topology_makers.h"
#include "topologies/vc_classes.h"

namespace toriscope {

const std::vector<topology_kind>& topology_kinds() {
  static const std::vector<topology_kind> kinds = {
      {"mesh",
       "AxBx...",
       "mesh of any dimensions and sizes",
       {"mesh:8x8", "mesh:4x4x4"},
       "Sizes from the most significant dimension down: for two dimensions rows x columns, address (y, x).\n"
       "Ports x+ x- y+ y- z+ z- d3+ ...; x is the last digit. Routing: dimension order, y before x.\n"
       "VC rule single: any VC, one class.",
       "Dally 1990, Sect. II",
       make_mesh},
      {"torus",
       "AxBx...",
       "torus of any dimensions and sizes, full-duplex links",
       {"torus:8x8", "torus:64x64", "torus:4x6x8"},
       "Sizes as for a mesh. Routing: minimal dimension order, y before x. Ties in even rings: balanced "
       "(default; an even\n"
       "digit of the source goes +, an odd one -), nowrap, positive.\n"
       "A ring of 2 is one full-duplex link (x+ at 0, x- at 1) without a wrap link; a ring of 1 has none.\n"
       "VC rule dateline: class 0 before the wrap link of a dimension, class 1 on and after it.",
       "Dally 1990, Sect. II; Dally, Seitz 1987",
       make_torus},
      {"cube",
       "k,n",
       "k-ary n-cube with full-duplex links",
       {"cube:4,3", "cube:2,10"},
       "n dimensions of k nodes each: the torus of that shape. cube:2,n is the binary n-cube.",
       "Dally 1990, Sect. II",
       make_cube},
      {"ucube",
       "k,n",
       "k-ary n-cube with links in one direction",
       {"ucube:8,2", "ucube:16,2"},
       "Links in + direction only (a node sends by x+ and receives by x-); e-cube routing from the highest "
       "dimension.\n"
       "With k = 2 the same network as cube:2,n. VC rule dateline, as for a torus.",
       "Dally 1990, Sect. II and III",
       make_ucube},
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
       make_ttn},
  };
  return kinds;
}

const std::vector<vc_rule_kind>& vc_rules() {
  static const std::vector<vc_rule_kind> rules = {
      {"safe",
       {"mesh", "torus", "cube", "ucube", "ttn"},
       "1..4",
       "a rule that is free of deadlock in the network at hand",
       {"--vc-rule safe"},
       "The default. Chooses a proven rule for the topology, its links, ties and number of VCs, or says how "
       "many VCs are\n"
       "needed.",
       "channel-dependency proof of the rule chosen"},
      {"single",
       {"mesh"},
       "1",
       "any VC: dimension order needs no classes in a mesh",
       {"--topology mesh:8x8 --vc-rule single"},
       "All VCs of a port are one class.",
       "Dally, Seitz 1987"},
      {"dateline",
       {"torus", "cube", "ucube"},
       "2",
       "class 1 on and after the wrap link of the ring, class 0 before",
       {"--topology torus:8x8 --vc-rule dateline"},
       "Two classes in every ring of more than two nodes, starting anew in each dimension.",
       "Dally, Seitz 1987"},
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
  return rules;
}

topology make_topology(const std::string& spec, const topology_options& options) {
  const std::size_t colon = spec.find(':');
  const std::string name = spec.substr(0, colon);
  const auto& kinds = topology_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == name; });
  if (kind == kinds.end()) {
    std::vector<std::string> names;
    for (const topology_kind& k : kinds) names.push_back(k.name);
    throw std::invalid_argument(unknown_name("topology", name, names));
  }
  if (colon == std::string::npos || colon + 1 == spec.size())
    throw std::invalid_argument("topology '" + spec + "' needs arguments, " + kind->name + ":" +
                                kind->arguments + "; for example " + kind->examples.front());
  if (options.links != "U" && options.links != "B")
    throw std::invalid_argument("links '" + options.links + "': U (one way) or B (full duplex) is wanted");
  if (options.vcs == 0 || options.vcs > max_vcs)
    throw std::invalid_argument(std::to_string(options.vcs) + " VCs; 1 to " + std::to_string(max_vcs) +
                                " are supported");
  std::vector<std::string> rules;
  for (const vc_rule_kind& rule : vc_rules()) rules.push_back(rule.name);
  if (std::find(rules.begin(), rules.end(), options.vc_rule) == rules.end())
    throw std::invalid_argument(unknown_name("VC rule", options.vc_rule, rules));
  if (options.message_classes == 1) return kind->make(spec.substr(colon + 1), options);

  if (options.message_classes == 0 || options.vcs % options.message_classes != 0)
    throw std::invalid_argument(std::to_string(options.vcs) + " VCs cannot be shared out evenly to " +
                                std::to_string(options.message_classes) + " message classes");
  topology_options of_class = options;
  of_class.vcs = options.vcs / options.message_classes;
  of_class.message_classes = 1;
  try {
    topology made = kind->make(spec.substr(colon + 1), of_class);
    made.routing = std::make_shared<message_class_routing>(made.routing, of_class.vcs);
    return made;
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(error.what()) + " (each of " +
                                std::to_string(options.message_classes) + " message classes has " +
                                std::to_string(of_class.vcs) + " of the " + std::to_string(options.vcs) +
                                " VCs)");
  }
}

}  // namespace toriscope
