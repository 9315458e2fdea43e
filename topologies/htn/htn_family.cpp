// SPDX-License-Identifier: Apache-2.0
// The hierarchical torus networks for the registry.
#include <stdexcept>

#include "base/bits_for.h"
#include "topologies/families.h"
#include "topologies/htn/htn.h"
#include "topologies/htn/htn_adaptive.h"
#include "topologies/htn/htn_routing.h"
#include "topologies/topology_makers.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

htn_shape shape_of(htn_kind kind, const std::string& arguments, const topology_options& options) {
  const std::string& spec = options.spec;
  const std::string usage = std::string(to_string(kind)) + ":4,4,2," + (kind == htn_kind::mh3dt ? "2" : "0");
  const std::vector<unsigned> numbers = spec_numbers(spec, arguments, ',', usage);
  const auto refuse = [&](const std::string& why) { return refusal(spec, why); };
  if (numbers.size() != 4)
    throw refuse(std::to_string(numbers.size()) + (numbers.size() == 1 ? " number" : " numbers") +
                 "; expected four, m, n, L and q: " + usage);
  htn_shape shape;
  shape.kind = kind;
  shape.m = numbers[0];
  shape.n = numbers[1];
  shape.levels = numbers[2];
  shape.connectivity = numbers[3];
  if (shape.m < 2)
    throw refuse("m = " + std::to_string(shape.m) + "; a basic module has a side of at least 2");
  if (kind != htn_kind::htn && shape.m != 4)
    throw refuse("m = " + std::to_string(shape.m) + "; the gates are worked out for m = 4 only");
  if (shape.n < 2) throw refuse("n = " + std::to_string(shape.n) + "; a ring has at least 2 subnetworks");
  if (shape.levels < 2)
    throw refuse("L = " + std::to_string(shape.levels) +
                 "; L is at least 2 (a basic module alone is a torus or mesh)");
  const unsigned p = floor_log2(shape.m);
  if (shape.connectivity > p)
    throw refuse("q = " + std::to_string(shape.connectivity) +
                 "; the inter-level connectivity q is 0 .. log2 m = " + std::to_string(p));
  const unsigned highest = htn_highest_level(shape.m, shape.connectivity);
  if (shape.levels > highest)
    throw refuse("L = " + std::to_string(shape.levels) + " is too large for q = " +
                 std::to_string(shape.connectivity) + " (L <= 2^(p-q) + 1 = " + std::to_string(highest) +
                 " with p = log2 m = " + std::to_string(p) + "; Rahman et al. 2012, Sect. II)");
  checked_node_count(options, shape.radices());
  return shape;
}

/// What a routing adds to a network.
struct routed {
  std::shared_ptr<const routing_function> routing;
  ring_ties ties;
  std::string rule;
  std::string note;
};

routed route_in_order(const htn_shape& shape, const topology_options& options, htn_gates gates, ring_ties ties) {
  htn_setting setting;
  setting.gates = gates;
  setting.selection.links = options.routing == "ls" || options.routing == "ls+cs";
  setting.selection.channels = options.routing == "cs" || options.routing == "ls+cs";
  setting.ties = ties;
  const htn_vc_rule& rule = choose_htn_vc_rule(shape, setting, options.vc_rule, options.vcs);
  const char* note = "acyclic: free of deadlock by its channel-dependency graph";
  if (!htn_deadlock_free(shape, setting, rule))
    note =
        "not known to be free of deadlock: with m = n = 4 its channel-dependency graph has cycles, the "
        "network can deadlock";
  else if (shape.levels > 2)
    note =
        "acyclic in the smaller networks with as many levels that were looked at; toriscope prove looks at this one";
  return {make_htn_routing(shape, setting, rule, options.vcs), setting.ties, rule.name, note};
}

routed route_adaptively(const htn_shape& shape, const topology_options& options, htn_gates gates,
                        ring_ties ties) {
  if (options.vc_rule != "safe" && options.vc_rule != "duato")
    throw std::invalid_argument("VC rule '" + options.vc_rule +
                                "' is not made for routing adaptive; it has: safe, duato");
  if (shape.m > 4 || shape.n > 4 || shape.levels > 2)
    throw std::invalid_argument(
        "routing adaptive has a proven escape for L = 2 and m and n up to 4 only, not in " +
        shape.in_words());
  const htn_vc_rule& escape =
      choose_htn_vc_rule(shape, {gates, ties, {}}, shape.kind == htn_kind::htn ? "PXd" : "M3", max_vcs);
  return {
      make_htn_adaptive(shape, gates, escape, options.vcs), ties, "duato",
      "free of deadlock where VCs are granted again when drained: dimension order on the lowest VCs is the "
      "escape (Duato's condition)"};
}

template <htn_kind kind>
topology make_htn(const std::string& arguments, const topology_options& options) {
  const std::string& spec = options.spec;
  const htn_shape shape = shape_of(kind, arguments, options);
  const htn_gates gates = options.gates == "destination" ? htn_gates::destination : htn_gates::nearest;
  const bool adaptive = options.routing == "adaptive";
  // LS tries the clockwise direction first (Rahman et al. 2012, Sect. III.C).
  const bool by_links = options.routing == "ls" || options.routing == "ls+cs";
  std::vector<ring_ties> allowed{ring_ties::nowrap};
  if (!adaptive) allowed.push_back(ring_ties::positive);
  const ring_ties ties =
      checked_ties(spec, options.ties, by_links ? ring_ties::positive : ring_ties::nowrap, allowed);
  const routed made = [&] {
    try {
      return (adaptive ? route_adaptively : route_in_order)(shape, options, gates, ties);
    } catch (const std::invalid_argument& error) {
      throw refusal(spec, error.what());
    }
  }();
  topology result;
  result.choice.spec = std::string(to_string(kind)) + ":" + std::to_string(shape.m) + "," + std::to_string(shape.n) +
                "," + std::to_string(shape.levels) + "," + std::to_string(shape.connectivity);
  result.wiring = build_htn(shape);
  result.routing = made.routing;
  result.choice.links = "B";
  result.choice.ties = to_string(made.ties);
  result.choice.vc_rule = made.rule;
  result.vc_rule_note = made.note;
  // All subnetworks have the same gates. Ties nowrap look at digits, not at their differences.
  if (made.ties == ring_ties::positive || shape.n % 2 == 1)
    result.cyclic_digits = (shape.levels - 1) * shape.dimensions();
  return result;
}

constexpr const char* found = "found and proved with channel-dependency graphs";

}  // namespace

topology_family htn_family() {
  topology_family family;
  family.kinds = {
      {"htn", "m,n,L,q", "Hierarchical Torus Network: 3-D tori joined by 2-D tori, level by level",
       {"htn:4,4,2,1", "htn:4,4,2,0", "htn:2,4,2,1"},
       R"(Basic modules (BM) of m x m x m nodes, n x n subnetworks in each level above, L >= 2 levels, inter-level
connectivity q = 0 .. p with L <= 2^(p-q) + 1, p = floor(log2 m); m^3 n^(2(L-1)) nodes. All links full
duplex. Ports x+ x- y+ y- z+ z- and the gates L2_Y+ L2_Y- L2_X+ L2_X- ...; Level l owns the z-planes
(l-2) 2^q .. (l-1) 2^q - 1 of every BM.
Gates: destination (default) leaves a BM in the destination's row or column where the gates leave that
open, nearest keeps the packet's own; the hops are as many.
Ties: nowrap (default), positive (what ls tries first: its default). VC rules: safe PY PXd P4 P3 P3w paper duato.)",
       "Rahman et al. 2012 (Dynamic Communication Performance Enhancement in Hierarchical Torus Network)",
       make_htn<htn_kind::htn>, {"dor", "cs", "ls", "ls+cs", "adaptive"}, {"destination", "nearest"}},
      {"mh3dt", "m,n,L,q", "Modified Hierarchical 3D-Torus: 3-D tori joined by 3-D tori, level by level",
       {"mh3dt:4,4,2,2", "mh3dt:4,2,2,0"},
       R"(Basic modules (BM) of 4x4x4 nodes (m = 4), n x n x n subnetworks in each level above, inter-level
connectivity q = 0 .. 2 with L <= 2^(2-q) + 1; 64 n^(3(L-1)) nodes. All links full duplex.
Ports x+ x- y+ y- z+ z- and the gates L2_Z+ L2_Z- L2_Y+ ..., 2^q of each kind in a BM: x+ leaves at
(0,i,3) for (0,i,0), y+ at (2,3,i) for (2,0,i), z+ at the corner (0,j,k) for (2,j,k) - positions that
give the figures printed for (4,4,2,2); they are not unique, and those of q < 2 and L > 2 are a choice.
Ties: nowrap (default), positive. VC rules: safe M3 M5 duato.)",
       "Rahman, Inoguchi, Horiguchi 2005 (Modified Hierarchical 3D-Torus Network); Rahman et al. 2009, Table 1",
       make_htn<htn_kind::mh3dt>, {"dor", "adaptive"}},
      {"h3dt", "m,n,L,q", "Hierarchical 3D-Torus (H3D-torus): 3-D meshes joined by 3-D tori, level by level",
       {"h3dt:4,4,2,0", "h3dt:4,2,2,2"},
       R"(mh3dt without the wrap links of its basic modules, with the same gates (a choice: the papers at hand say
no more than 3-D mesh modules in a 3-D torus).)",
       "Rahman, Inoguchi, Horiguchi 2005, for the definition", make_htn<htn_kind::h3dt>, {"dor", "adaptive"}},
  };
  family.routings = {
      {"dor", {"htn"}, "from the highest level down, y then x; z, y, x in a basic module (R1)",
       {"--topology htn:4,4,2,1 --routing dor"},
       "Before each hop between modules the packet moves to the nearest gate of its ring.",
       "Rahman et al. 2012, Sect. III.A"},
      {"dor", {"mh3dt", "h3dt"}, "from the highest level down, in each level z, y, x",
       {"--topology mh3dt:4,4,2,2 --routing dor"},
       "Before each hop between modules the packet moves to the nearest gate of its ring.",
       "Rahman, Inoguchi, Horiguchi 2005 (top-down dimension order)"},
      {"cs", {"htn"}, "dor with channel selection: the second VC of a ring also when its wrap link is not used (R2)",
       {"--topology htn:4,4,2,1 --routing cs --gateways nearest"},
       R"(The first VC is tried first. Free of deadlock on all rings with tie break nowrap (PXd, P3w), else in the rings
of the last basic module (P3, P4).)",
       "Rahman et al. 2012, Sect. III.B"},
      {"ls", {"htn"}, "dor with link selection: either way round a ring where both are equally long (R3)",
       {"--topology htn:4,4,2,1 --routing ls --gateways nearest"},
       "The clockwise (+) way is tried first. A safe rule is known with gates nearest only.",
       "Rahman et al. 2012, Sect. III.C"},
      {"ls+cs", {"htn"}, "dor with link selection and channel selection (R)",
       {"--topology htn:4,4,2,1 --routing ls+cs --gateways nearest"},
       "A safe rule is known with gates nearest only, and with channel selection in the last basic module.",
       "Rahman et al. 2012, Sect. III.D"},
      {"adaptive", {"htn", "mh3dt", "h3dt"},
       "rings in the order of dor; on the way to a gate or the destination any minimal hop",
       {"--topology htn:4,4,2,1 --routing adaptive --vcs 4 --vc-reallocation atomic"},
       R"(Both ways round a ring where they are equally long. Needs an adaptive VC beside the three of the escape
(dimension order, tie break nowrap), and VCs that are granted again when drained; m and n up to 4.)",
       "Duato 1993"},
  };
  family.vc_rules = {
      {"paper",
       {"htn"},
       "3",
       "as published: two VCs in the BM for all phases, one more for wrap links between BMs (cyclic!)",
       {"--topology htn:4,4,2,1 --vc-rule paper"},
       R"(Theorem 1: 0 before and 1 on and after a wrap link of the BM; between BMs 0 before, 2 on and after the wrap
link. Has cycles of four packets, and they are real: it is here to show that.)",
       "Rahman et al. 2012, Theorem 1"},
      {"P3",
       {"htn"},
       "3",
       "last BM: 0, 1 after a wrap link; toward gates 2, 1 once the ring has wrapped",
       {"--topology htn:4,4,2,1 --gateways nearest --vc-rule gate_dateline"},
       R"(Between BMs 0, on and after the wrap link 1. Gates nearest, any ties; acyclic for dor and ls, for cs and
ls+cs with channel selection in the last BM only. With gates destination it is cyclic.)",
       found},
      {"P3w",
       {"htn"},
       "3",
       "P3 with channel selection between BMs too",
       {"--topology htn:4,4,2,1 --routing cs --gateways nearest --vc-rule gate_dateline_selecting"},
       "Gates nearest, routing cs, tie break nowrap: acyclic. With tie break positive and with ls+cs it is "
       "cyclic.",
       found},
      {"P4",
       {"htn"},
       "4",
       "last BM: 0, 1 after a wrap link; toward gates 2, 3 once the ring has wrapped",
       {"--topology htn:4,4,2,1 --gateways nearest --vc-rule gate_dateline_separate"},
       "Between BMs 0, on and after the wrap link 1. Acyclic where P3 is.",
       found},
      {"PXd",
       {"htn"},
       "3",
       "last BM 0, toward gates of y rings 1, of x rings 2",
       {"--topology htn:4,4,2,1 --vc-rule gate_axis_dateline"},
       R"(Between BMs 0, on and after the wrap link 1. Ties nowrap, m and n up to 4, both choices of gates, dor and
cs: acyclic. With tie break positive and with ls it is cyclic.)",
       found},
      {"PXd_fixed",
       {"htn"},
       "3",
       "PXd with the same VCs for a class on all links, as HTN's paper assigns them",
       {"--topology htn:4,4,2,1 --vc-rule gate_axis_dateline_fixed"},
       "Acyclic where PXd is. VCs are idle on links where packets have fewer classes; to compare.",
       found},
      {"P3_fixed",
       {"htn"},
       "3",
       "P3 with the same VCs for a class on all links, as HTN's paper assigns them",
       {"--topology htn:4,4,2,1 --gateways nearest --vc-rule gate_dateline_fixed"},
       "Acyclic where P3 is. VCs are idle on links where packets have fewer classes; to compare.",
       found},
      {"PY",
       {"htn"},
       "3",
       "PXd with any VC between BMs",
       {"--topology htn:4,4,2,1 --vc-rule gate_axis"},
       "Acyclic where PXd is. The default (safe) there.",
       found},
      {"M3",
       {"mh3dt", "h3dt"},
       "3",
       "last BM 0, toward gates of y and x rings 1, of z rings 2",
       {"--topology mh3dt:4,4,2,2 --vc-rule gate_axis_3d"},
       "Any VC between BMs. n up to 4, tie break nowrap, with h3dt also positive: acyclic.",
       found},
      {"M5",
       {"mh3dt", "h3dt"},
       "5",
       "last BM: 0, 1 after a wrap link; toward gates of y and x rings 3, of z rings 4, one less after the "
       "wrap",
       {"--topology mh3dt:4,4,2,2 --tie-break positive --vcs 5 --vc-rule gate_axis_3d_dateline"},
       "Between BMs 1, on and after the wrap link 0. Any n and tie break: acyclic.",
       found},
      {"duato",
       {"htn", "mh3dt", "h3dt"},
       "4",
       "routing adaptive: the lowest 3 VCs are the escape, the others are adaptive",
       {"--topology htn:4,4,2,1 --routing adaptive --vc-rule duato --vc-reallocation atomic"},
       R"(The escape is dimension order with tie break nowrap under PXd (htn) or M3 (mh3dt, h3dt). Proven where VCs are
granted again when drained; m and n up to 4.)",
       "Duato 1993"},
  };
  return family;
}

}  // namespace toriscope
