// SPDX-License-Identifier: Apache-2.0
// Rahman et al. 2009, Sects. 2-4: what is said in words and formulas, beside Table 1.
#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "testbenches/experiments/papers/proofs.h"
#include "testbenches/experiments/papers/static_claims.h"
#include "testbenches/experiments/papers/ttn2009_items.h"
#include "topologies/path.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

using specs = std::vector<std::string>;

const specs ttn_sizes = {"ttn:2,2,0", "ttn:2,3,0", "ttn:2,4,0", "ttn:2,5,0"};

/// Ends of inter-BM links of a level in the first BM; level 0: of all levels.
unsigned ends_in_first_module(const netlist& net, unsigned level) {
  unsigned ends = 0;
  for (const netlist_link& link : net.links())
    if (link.level > 1 && (level == 0 || link.level == level)) ends += (link.from < 16) + (link.to < 16);
  return ends;
}

/// 2^(q+2) free links of a BM for each level, as Sect. 2.1 and Fig. 3 have it.
verdict ports_per_level(analysis_store&) {
  bool holds = true;
  std::string figures;
  for (const auto& [spec, q] : {std::pair{"ttn:2,3,0", 0U}, {"ttn:2,3,1", 1U}, {"ttn:2,2,2", 2U}}) {
    const unsigned ends = ends_in_first_module(*make_for_analysis(spec, {}).wiring, 2);
    holds = holds && ends == 4U << q;
    append(figures, fmt::format("{} {}", spec, ends));
  }
  return checked(holds, figures);
}

/// Sect. 3.1, Fig. 5: from 000000 to 231112 by the outlet 000030 and BM(1,1) of the Level-2 network (2,3).
verdict worked_example(analysis_store&) {
  const topology made = make_for_analysis("ttn:2,3,0", {});
  const netlist& net = *made.wiring;
  const node_id source = net.node_at({0, 0, 0, 0, 0, 0});
  const std::vector<hop> hops = walk(net, *made.routing, source, net.node_at({2, 3, 1, 1, 1, 2}), max_vcs);
  bool by_outlet = false;
  bool by_module = false;
  for (const hop& h : hops) {
    const netlist_link& link = net.link(h.link);
    if (link.level == 3 && !by_outlet) by_outlet = h.node == net.node_at({0, 0, 0, 0, 3, 0});
    const std::vector<unsigned> d = net.digits(h.node);
    by_module = by_module || (d[0] == 2 && d[1] == 3 && d[2] == 1 && d[3] == 1);
  }
  return checked(by_outlet && by_module,
                 fmt::format("{} hops; leaves its BM by 000030: {}; by BM(1,1) of (2,3): {}", hops.size(),
                             by_outlet ? "yes" : "no", by_module ? "yes" : "no"));
}

/// Theorem 1, for the rule that its proof describes.
verdict paper_rule_is_free(analysis_store&) {
  std::vector<proof_case> cases;
  for (const char* const spec : {"ttn:2,2,0", "ttn:2,2,1", "ttn:2,3,0"})
    cases.push_back({spec, {{"vc-rule", "paper"}, {"vcs", "4"}}});
  verdict v = judge_proofs(cases,
                           "where phases 1 and 3 share their VCs, a packet on its last leg waits for one on "
                           "its way out of the same BM; toriscope prove shows the packets");
  v.reading = "VCs as the proof assigns them; phases 1 and 3 share two";
  v.others = "phases 1 and 3 with two VCs each (rule C), or rule E, or K with q = 0, with 4 VCs: proven";
  return v;
}

verdict torus_is_free(analysis_store&) {
  verdict v = judge_proofs({{"torus:4x4", {{"vc-rule", "dateline"}, {"vcs", "2"}}},
                            {"torus:64x64", {{"vc-rule", "dateline"}, {"vcs", "2"}}}});
  v.reading = "VC rule dateline (VC 1 from the wrap link on); k = 4 and 64; any way half round a ring";
  return v;
}

/// Hops of a whole round in both rings of a level, one way: D_i of Eqs. 5 and 3.
unsigned level_hops(const ttn_shape& shape, unsigned level) {
  const ttn_gates v = ttn_gates_of(shape, 2 * level - 1, 0);
  const ttn_gates h = ttn_gates_of(shape, 2 * level - 2, 0);
  return 3 + 2 * ttn_bm_distance(shape, v.in, v.out) + ttn_bm_distance(shape, v.in, h.out) + 3 +
         2 * ttn_bm_distance(shape, h.in, h.out);
}

/// The first network of each pair against the others, at both sizes of Table 1.
claim_question at_both_sizes(const specs& small, const specs& large, const network_measure& value,
                             bool (*good)(double, double), const std::string& why_not = "",
                             bool with_cuts = false) {
  return {{{small}, {large}}, value, good, why_not, with_cuts};
}

/// A claim that no choice of gates changes.
paper_item with_any_gates(paper_item item) {
  return changed(std::move(item), [](verdict& v, evidence&) {
    append(v.reading, "gates of MH3DT and of q > 0: ours; any give the same");
  });
}

void add_architecture(paper& p) {
  p.add(free_ports_item("Lemma 1", "ttn:2,2,2"));
  p.add(checked_item("Sect. 2.1", "for each level a BM uses 2^(q+2) of its free links: 4, 8, 16",
                     ports_per_level));
  p.add(highest_level_item("Lemma 2", "ttn", 2));
  p.add(formula_item("Lemma 3", "the network has 2^(2mL) nodes, at most 1 million with q = 0", ttn_sizes,
                     quantity::nodes, {256, 4096, 65536, 1048576}));
  p.add(
      claim_item("Sect. 2.1", "with the increase of inter-level connectivity the diameter decreases",
                 {{{{"ttn:2,2,1", "ttn:2,2,0"}}, {{"ttn:2,2,2", "ttn:2,2,1"}}, {{"ttn:2,3,1", "ttn:2,3,0"}}},
                  quantity::diameter,
                  is_lower,
                  "",
                  false,
                  open_gates}));
  p.add(with_any_gates(
      claim_item("Sect. 2.1", "with the increase of inter-level connectivity the bisection width increases",
                 {{{{"ttn:2,2,1", "ttn:2,2,0"}}, {{"ttn:2,2,2", "ttn:2,2,1"}}, {{"ttn:2,3,1", "ttn:2,3,0"}}},
                  quantity::bisection,
                  is_higher})));
  p.add(changed(checked_item("Sect. 3.1",
                             "the example 000000 to 231112 goes by the outlet 000030 and by BM(1,1) of (2,3)",
                             worked_example),
                [](verdict& v, evidence&) {
                  v.source = provenance::arithmetic;
                  v.reason =
                      "our gates are chosen by the outlet; BM(1,1) of (2,3) is that of the destination";
                }));
  p.add(checked_item("Lemma 4", "routed y, then x, a 2D torus is free of deadlock with 2 virtual channels",
                     torus_is_free));
  p.add(checked_item("Theorem 1", "a TTN with the 4 virtual channels of the proof is free of deadlock",
                     paper_rule_is_free));
  p.add(changed(
      formula_item("Sect. 4.1", "the degree is 6 at every size", ttn_sizes, quantity::degree, {6, 6, 6, 6}),
      [](verdict& v, evidence&) {
        v.reading = "the largest number of links of a node; inner nodes of a BM have 4; q = 0";
      }));
  p.add(claim_item(
      "Sect. 4.1", "the degree of TTN is higher than TESH's",
      at_both_sizes({"ttn:2,2,0", "tesh:2,2,0"}, {"ttn:2,3,0", "tesh:2,3,0"}, quantity::degree, is_higher)));
  p.add(changed(claim_item("Sect. 4.1", "the degree of TTN is lower than MH3DT's",
                           {{{{"ttn:2,3,0", "mh3dt:4,4,2,2"}}}, quantity::degree, is_lower}),
                [](verdict& v, evidence&) {
                  v.reading = "gates of MH3DT: ours; with any gates a node with one has 7 links at least";
                }));
}

void add_distances(paper& p) {
  p.add(claim_item(
      "Sect. 4.2", "the diameter of TTN is much smaller than those of TESH, mesh and torus",
      at_both_sizes({"ttn:2,2,0", "tesh:2,2,0", "mesh:16x16", "torus:16x16"},
                    {"ttn:2,3,0", "tesh:2,3,0", "mesh:64x64", "torus:64x64"}, quantity::diameter, is_lower)));
  p.add(with_any_gates(claim_item("Sect. 4.2", "MH3DT requires more links than TTN",
                                  {{{{"mh3dt:4,4,2,2", "ttn:2,3,0"}}}, quantity::wiring, is_higher})));
  p.add(formula_item("Eq. 5", "D_BM, the diameter of a 4x4 torus, is 4", {"torus:4x4"}, quantity::diameter,
                     {4}));
  p.add(changed(hops_by_level_item("Eq. 5", ttn_kind::ttn, ""), [](verdict& v, evidence&) {
    v.source = provenance::arithmetic;
    v.reason = "our gates are chosen by it";
  }));
  p.add(claim_item(
      "Sect. 4.3", "the cost of TTN is less than those of mesh, torus, TESH and MH3DT",
      at_both_sizes({"ttn:2,2,0", "mesh:16x16", "torus:16x16", "tesh:2,2,0"},
                    {"ttn:2,3,0", "mesh:64x64", "torus:64x64", "tesh:2,3,0", "mh3dt:4,4,2,2"}, quantity::cost,
                    is_lower,
                    "the paper's own Table 1 says so: 90 against the torus' 64 and TESH's 84 with 256 nodes, "
                    "144 against TESH's 128 and MH3DT's 144 with 4096")));
  p.add(claim_item(
      "Sect. 4.4", "the average distance of TTN is smaller than those of mesh, torus and TESH",
      at_both_sizes({"ttn:2,2,0", "mesh:16x16", "torus:16x16", "tesh:2,2,0"},
                    {"ttn:2,3,0", "mesh:64x64", "torus:64x64", "tesh:2,3,0"}, quantity::mean, is_lower)));
  p.add(claim_item(
      "Sect. 4.4", "the average distance of TTN is slightly higher than MH3DT's",
      {{{{"ttn:2,3,0", "mh3dt:4,4,2,2"}}}, quantity::mean, is_higher, "", false, open_mh3dt_gates}));
}

void add_connectivity(paper& p) {
  p.add(claim_item(
      "Sect. 4.5", "the arc connectivity of TTN is higher than those of mesh and TESH",
      at_both_sizes({"ttn:2,2,0", "mesh:16x16", "tesh:2,2,0"}, {"ttn:2,3,0", "mesh:64x64", "tesh:2,3,0"},
                    quantity::arc_connectivity, is_higher, "", true)));
  p.add(claim_item("Sect. 4.5", "the arc connectivity of TTN is that of the torus",
                   at_both_sizes({"ttn:2,2,0", "torus:16x16"}, {"ttn:2,3,0", "torus:64x64"},
                                 quantity::arc_connectivity, is_equal, "", true)));
  p.add(claim_item("Sect. 4.5", "the torus is more fault tolerant (arc connectivity over degree) than TTN",
                   at_both_sizes({"torus:16x16", "ttn:2,2,0"}, {"torus:64x64", "ttn:2,3,0"},
                                 quantity::fault_tolerance, is_higher, "", true)));
  p.add(claim_item(
      "Sect. 4.5", "TTN is more fault tolerant (arc connectivity over degree) than mesh and TESH",
      at_both_sizes({"ttn:2,2,0", "mesh:16x16", "tesh:2,2,0"}, {"ttn:2,3,0", "mesh:64x64", "tesh:2,3,0"},
                    quantity::fault_tolerance, is_higher,
                    "with 4096 nodes every node of TESH has three links and more, of four", true)));
  p.add(claim_item(
      "Sect. 4.6", "the bisection width of TTN is lower than those of mesh, torus and MH3DT",
      at_both_sizes(
          {"ttn:2,2,0", "mesh:16x16", "torus:16x16"},
          {"ttn:2,3,0", "mesh:64x64", "torus:64x64", "mh3dt:4,4,2,2"}, quantity::bisection, is_lower,
          "the printed 8 is that of 256 nodes; with 4096 the cut of the top level has 128 links (Al "
          "Faisal, Rahman 2009, Eq. 4)")));
  p.add(claim_item("Sect. 4.6", "the bisection width of TTN is that of TESH",
                   at_both_sizes({"ttn:2,2,0", "tesh:2,2,0"}, {"ttn:2,3,0", "tesh:2,3,0"},
                                 quantity::bisection, is_equal)));
}

void add_wiring(paper& p) {
  p.add(formula_item(
      "Eq. 6", "k^(2(L-1)) (2k^2 + 4 2^q (L-1)) links: 576 and 640 with 256 nodes, 10240 and 12288 with 4096",
      {"ttn:2,2,0", "ttn:2,2,1", "ttn:2,3,0", "ttn:2,3,1"}, quantity::wiring, {576, 640, 10240, 12288},
      "the formula counts every inter-BM link twice, at either end: ports, not links"));
  p.add(claim_item(
      "Sect. 4.7", "TTN has more links than mesh, torus and TESH",
      at_both_sizes({"ttn:2,2,0", "mesh:16x16", "torus:16x16", "tesh:2,2,0"},
                    {"ttn:2,3,0", "mesh:64x64", "torus:64x64", "tesh:2,3,0"}, quantity::wiring, is_higher)));
  p.add(with_any_gates(claim_item("Sect. 4.7", "TTN has fewer links than MH3DT",
                                  {{{{"ttn:2,3,0", "mh3dt:4,4,2,2"}}}, quantity::wiring, is_lower})));
  p.add(with_any_gates(claim_item(
      "Sect. 4.7", "TTN(2,2,1) and TTN(2,3,1) have more links than TESH(2,2,1) and TESH(2,3,1)",
      at_both_sizes({"ttn:2,2,1", "tesh:2,2,1"}, {"ttn:2,3,1", "tesh:2,3,1"}, quantity::wiring, is_higher))));
  p.add(formula_item("Sect. 4.7",
                     "the longest links of Level-2 and Level-3 networks are 12 and 48 node pitches",
                     {"ttn:2,2,0", "ttn:2,3,0"}, quantity::longest_link, {12, 48}));
  p.add(formula_item("Sect. 4.7", "the wrap-around links of a BM are 2^m - 1 = 3 node pitches long",
                     {"torus:4x4"}, quantity::longest_link, {3}));
}

}  // namespace

paper_item free_ports_item(const std::string& name, const std::string& spec) {
  return checked_item(name, "a 4x4 BM has 2^(m+2) = 16 free ports", [spec](analysis_store&) {
    const unsigned ends = ends_in_first_module(*make_for_analysis(spec, {}).wiring, 0);
    return checked(ends == 16, fmt::format("{}: {} ends of inter-BM links in the first BM", spec, ends));
  });
}

paper_item highest_level_item(const std::string& name, const std::string& kind, unsigned max_q) {
  return checked_item(name, "the highest level is 2^(m-q) + 1", [=](analysis_store&) {
    // The ports of a basic module over those that a level takes.
    const std::string all_in_use = kind + (max_q == 2 ? ":2,2,2" : ":2,5,0");
    const unsigned ports = ends_in_first_module(*make_for_analysis(all_in_use, {}).wiring, 0);
    bool holds = true;
    std::string figures;
    for (unsigned q = 0; q <= max_q; ++q) {
      const unsigned of_a_level =
          ends_in_first_module(*make_for_analysis(fmt::format("{}:2,2,{}", kind, q), {}).wiring, 2);
      const unsigned level = ports / of_a_level + 1;
      holds = holds && level == (1U << (2 - q)) + 1;
      append(figures,
             fmt::format("q = {}: {} of {} ports for a level, L up to {}", q, of_a_level, ports, level),
             ", ");
    }
    verdict v = checked(holds, figures);
    v.reading = "m = 2";
    if (max_q < 2)
      return undetermined(std::move(v), "the text tells no wiring for q > 0; for q = 0 it holds");
    return v;
  });
}

paper_item hops_by_level_item(const std::string& name, ttn_kind kind, const std::string& why_not) {
  return checked_item(name, "D_i is 7 at Levels 2 and 3, 13 at Levels 4 and 5", [=](analysis_store&) {
    const std::array<unsigned, 4> printed = {7, 7, 13, 13};
    ttn_shape shape;
    shape.kind = kind;
    shape.levels = 5;
    bool holds = true;
    std::string figures;
    for (unsigned level = 2; level <= 5; ++level) {
      const unsigned hops = level_hops(shape, level);
      holds = holds && hops == printed[level - 2];
      append(figures, fmt::format("D_{} = {}", level, hops), ", ");
    }
    return checked(holds, figures, why_not);
  });
}

void add_ttn_text(paper& p) {
  add_architecture(p);
  add_distances(p);
  add_connectivity(p);
  add_wiring(p);
  p.unjudged.insert(
      p.unjudged.end(),
      {{"Sect. 2.1: m = 3 gives 64, 4096 and 262,144 nodes", "follows: 2^(2mL)"},
       {"Corollary 1: the higher levels are free of deadlock with 2 VCs",
        "the paper takes it from Lemma 4; with the modules between it is Theorem 1"},
       {"Eqs. 3 and 4: the order of the channels", "ambiguous: links are numbered, not ordered"},
       {"Sect. 4.2: the diameter of MH3DT is comparable with TTN's", "no number"},
       {"Sect. 4.3: the cost of TTN with q = 1 is trivially higher than TESH's", "gates: q > 0"},
       {"Sect. 4.4: the average distance of TTN is even less than TESH's with q = 1",
        "gates: q > 0; the least found for TESH over gates are above TTN's of q = 0 (7.50 and 7.18, 11.67 "
        "and 11.16): a search, "
        "no proof"},
       {"Sect. 5.5: short links against long ones, operating speed", "technology"}});
}

}  // namespace toriscope
