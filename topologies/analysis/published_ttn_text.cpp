// SPDX-License-Identifier: Apache-2.0
// Rahman et al. 2009 and Al Faisal, Rahman 2009: what is said in words and formulas, beside the tables.
#include <array>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "topologies/analysis/claim_checks.h"
#include "topologies/path.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/ttn/ttn_shape.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

const std::vector<std::string> ttn_sizes = {"ttn:2,2,0", "ttn:2,3,0", "ttn:2,4,0", "ttn:2,5,0"};

std::vector<compared_networks> one_by_one(const std::vector<std::string>& specs) {
  std::vector<compared_networks> groups;
  for (const std::string& spec : specs) groups.push_back({{spec}});
  return groups;
}

/// Whether a figure of each of these networks is what a formula gives.
published_claim formula_claim(const std::string& words, const std::vector<std::string>& specs,
                              analysis_measure value, const std::vector<double>& wanted,
                              const std::string& why_not = "") {
  return {words, [=](analysis_store& store) {
            claim_verdict verdict = ask({one_by_one(specs), value, is_equal}, store);
            for (std::size_t i = 0; i < specs.size(); ++i)
              verdict.holds = verdict.holds && value(store.of(choice_of(specs[i]))) == wanted[i];
            return explained(verdict, why_not);
          }};
}

double nodes_of(const network_analysis& a) { return a.nodes; }
double longest_of(const network_analysis& a) { return a.wiring.longest; }

bool can_be_made(const std::string& spec) {
  try {
    make_for_analysis(spec, {});
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// Lemma 2: Levels up to 2^(m-q) + 1, and no more.
claim_verdict highest_levels(analysis_store&) {
  claim_verdict verdict{true, ""};
  for (const unsigned q : {0u, 1u, 2u}) {
    unsigned level = 1;
    while (level < 8 && can_be_made("ttn:2," + std::to_string(level + 1) + "," + std::to_string(q))) ++level;
    verdict.holds = verdict.holds && level == (1u << (2 - q)) + 1;
    verdict.ours += (q > 0 ? ", " : "") + ("q = " + std::to_string(q)) + ": L up to " + std::to_string(level);
  }
  return verdict;
}

/// Lemma 1, where all ports are in use: 2^(m+2) ends of inter-BM links in a BM.
claim_verdict free_ports(analysis_store&) {
  const topology made = make_for_analysis("ttn:2,2,2", {});
  unsigned ends = 0;
  for (const netlist_link& link : made.wiring->links())
    if (link.level > 1) ends += (link.from < 16) + (link.to < 16);
  return {ends == 16, "TTN(2,2,2): " + std::to_string(ends) + " ends of inter-BM links in the first BM"};
}

/// Sect. 3.1, Fig. 5: from 000000 to 231112 by the outlet 000030 and BM(1,1) of the Level-2 network (2,3).
claim_verdict worked_example(analysis_store&) {
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
  return {by_outlet && by_module, std::to_string(hops.size()) +
                                      " hops; leaves its BM by 000030: " + (by_outlet ? "yes" : "no") +
                                      "; by BM(1,1) of (2,3): " + (by_module ? "yes" : "no")};
}

/// Theorem 1, for the rule that its proof describes.
claim_verdict paper_rule_is_free(analysis_store&) {
  claim_verdict verdict{true, ""};
  for (const char* const spec : {"ttn:2,2,0", "ttn:2,2,1", "ttn:2,3,0"}) {
    topology_options options;
    options.vc_rule = "paper";
    options.vcs = 4;
    const topology made = make_topology(spec, options);
    proof_options how;
    how.with_certificate = false;
    const deadlock_proof proof = prove(*made.wiring, *made.routing, options.vcs, how);
    verdict.holds = verdict.holds && proof.verdict == deadlock_verdict::proven;
    verdict.ours +=
        (verdict.ours.empty() ? "" : "; ") + std::string(spec) + ": " + to_string(proof.verdict) +
        (proof.cycle.empty() ? "" : ", a circle of " + std::to_string(proof.cycle.size()) + " channels");
  }
  return explained(
      verdict,
      "where phases 1 and 3 share their VCs, a packet on its last leg waits for one on its way out "
      "of the same BM; toriscope prove shows the packets, and 4 VCs are enough with the rules K and E");
}

/// Hops of a whole round in both rings of a level, one way: D_i of Eqs. 5 and 3.
unsigned level_hops(const ttn_shape& shape, unsigned level) {
  const ttn_gates v = ttn_gates_of(shape, 2 * level - 1, 0);
  const ttn_gates h = ttn_gates_of(shape, 2 * level - 2, 0);
  return 3 + 2 * ttn_bm_distance(shape, v.in, v.out) + ttn_bm_distance(shape, v.in, h.out) + 3 +
         2 * ttn_bm_distance(shape, h.in, h.out);
}

claim_verdict hops_by_level(ttn_kind kind, const std::string& why_not) {
  const std::array<unsigned, 4> printed = {7, 7, 13, 13};
  ttn_shape shape;
  shape.kind = kind;
  shape.levels = 5;
  claim_verdict verdict{true, ""};
  for (unsigned level = 2; level <= 5; ++level) {
    const unsigned hops = level_hops(shape, level);
    verdict.holds = verdict.holds && hops == printed[level - 2];
    verdict.ours += (level > 2 ? ", " : "") + ("D_" + std::to_string(level)) + " = " + std::to_string(hops);
  }
  return explained(verdict, why_not);
}

std::vector<published_claim> architecture_claims() {
  return {
      {"Lemma 1: a 4x4 BM has 16 free ports", free_ports},
      {"Lemma 2: the highest level is 2^(m-q) + 1", highest_levels},
      formula_claim("Lemma 3: the network has 2^(2mL) nodes", ttn_sizes, nodes_of,
                    {256, 4096, 65536, 1048576}),
      {"Sect. 3.1: the worked example 000000 to 231112 goes by the outlet 000030 and by BM(1,1) of (2,3)",
       worked_example},
      {"Theorem 1: with 4 virtual channels, phases 1 and 3 sharing two, TTN is deadlock free",
       paper_rule_is_free},
      formula_claim("Sect. 4.1: the degree is 6 at every size", ttn_sizes, degree_of, {6, 6, 6, 6}),
  };
}

std::vector<published_claim> distance_claims() {
  return {
      claim_of("Sect. 4.2: the diameter of TTN is much smaller than those of TESH, mesh and torus",
               {{{{"ttn:2,2,0", "tesh:2,2,0", "mesh:16x16", "torus:16x16"}},
                 {{"ttn:2,3,0", "tesh:2,3,0", "mesh:64x64", "torus:64x64"}}},
                diameter_of,
                is_lower}),
      formula_claim("Eq. 5: the diameter is 4 + sum over levels (move + D_i) + 4: 15 for L = 2, 24 for L = 3",
                    {"ttn:2,2,0", "ttn:2,3,0"}, diameter_of, {15, 24}),
      {"Eq. 5: D_i is 7 at Levels 2 and 3, 13 at Levels 4 and 5",
       [](analysis_store&) { return hops_by_level(ttn_kind::ttn, ""); }},
      claim_of("Sect. 4.3: the cost of TTN is less than those of mesh, torus, TESH and MH3DT",
               {{{{"ttn:2,2,0", "mesh:16x16", "torus:16x16", "tesh:2,2,0"}},
                 {{"ttn:2,3,0", "mesh:64x64", "torus:64x64", "tesh:2,3,0", "mh3dt:4,4,2,2"}}},
                cost_of,
                is_lower,
                "the paper's own Table 1 says so: 90 against the torus' 64 and TESH's 84 with 256 nodes, 144 "
                "against TESH's 128 and MH3DT's 144 with 4096"}),
      claim_of("Sect. 4.4: the average distance of TTN is smaller than those of mesh, torus and TESH",
               {{{{"ttn:2,2,0", "mesh:16x16", "torus:16x16", "tesh:2,2,0"}},
                 {{"ttn:2,3,0", "mesh:64x64", "torus:64x64", "tesh:2,3,0"}}},
                mean_of,
                is_lower}),
      claim_of("Sect. 4.4: it is slightly higher than that of MH3DT",
               {{{{"ttn:2,3,0", "mh3dt:4,4,2,2"}}}, mean_of, is_higher}),
      claim_of("Sect. 4.4: that of TTN(2,2,0) and TTN(2,3,0) is even less than those of TESH with q = 1",
               {{{{"ttn:2,2,0", "tesh:2,2,1"}}, {{"ttn:2,3,0", "tesh:2,3,1"}}}, mean_of, is_lower}),
  };
}

std::vector<published_claim> wiring_claims() {
  return {
      claim_of("Sect. 4.5: the arc connectivity of TTN is higher than those of mesh and TESH",
               {{{{"ttn:2,2,0", "mesh:16x16", "tesh:2,2,0"}}, {{"ttn:2,3,0", "mesh:64x64", "tesh:2,3,0"}}},
                arcs_of,
                is_higher,
                "",
                true}),
      claim_of(
          "Sect. 4.5: it is that of the torus",
          {{{{"ttn:2,2,0", "torus:16x16"}}, {{"ttn:2,3,0", "torus:64x64"}}}, arcs_of, is_equal, "", true}),
      claim_of(
          "Sect. 4.6: the bisection width of TTN is lower than those of mesh, torus and MH3DT",
          {{{{"ttn:2,2,0", "mesh:16x16", "torus:16x16"}},
            {{"ttn:2,3,0", "mesh:64x64", "torus:64x64", "mh3dt:4,4,2,2"}}},
           cut_of,
           is_lower,
           "the printed 8 is that of 256 nodes; with 4096 the cut of the top level has 128 links (Al Faisal, "
           "Rahman 2009, Eq. 4)"}),
      claim_of("Sect. 4.6: it is that of TESH",
               {{{{"ttn:2,2,0", "tesh:2,2,0"}}, {{"ttn:2,3,0", "tesh:2,3,0"}}}, cut_of, is_equal}),
      formula_claim(
          "Eq. 6: k^(2(L-1)) (2k^2 + 4 2^q (L-1)) links: 576 and 640 with 256 nodes, 10240 and 12288 "
          "with 4096",
          {"ttn:2,2,0", "ttn:2,2,1", "ttn:2,3,0", "ttn:2,3,1"}, links_of, {576, 640, 10240, 12288},
          "the formula counts every inter-BM link twice, at either end: ports, not links"),
      claim_of("Sect. 4.7: TTN has more links than mesh, torus and TESH",
               {{{{"ttn:2,2,0", "mesh:16x16", "torus:16x16", "tesh:2,2,0"}},
                 {{"ttn:2,3,0", "mesh:64x64", "torus:64x64", "tesh:2,3,0"}}},
                links_of,
                is_higher}),
      claim_of("Sect. 4.7: TTN has fewer links than MH3DT",
               {{{{"ttn:2,3,0", "mh3dt:4,4,2,2"}}}, links_of, is_lower}),
      formula_claim("Sect. 4.7: the longest links of Level-2 and Level-3 networks are 12 and 48 node pitches",
                    {"ttn:2,2,0", "ttn:2,3,0"}, longest_of, {12, 48}),
  };
}

}  // namespace

published_table ttn_text() {
  published_table text;
  text.name = "ttn2009-text";
  text.title = "Lemmas, Theorem 1, Eqs. 5 and 6, and what Sects. 2-4 say in words";
  text.source = "Rahman et al. 2009, Sects. 2-4";
  for (const auto& claims : {architecture_claims(), distance_claims(), wiring_claims()})
    text.claims.insert(text.claims.end(), claims.begin(), claims.end());
  return text;
}

published_table sttn_text() {
  published_table text;
  text.name = "sttn2009-text";
  text.title = "Eq. 3, lengths of links, and what Sects. II-VI say in words";
  text.source = "Al Faisal, Rahman 2009, Sects. II-VI";
  const std::vector<std::string> sizes = {"sttn:2,2,0", "sttn:2,3,0", "sttn:2,4,0", "sttn:2,5,0"};
  text.claims = {
      formula_claim(
          "Sect. V.A: the degree is 6 at every size", sizes, degree_of, {6, 6, 6, 6},
          "each level uses one side of the BM: a corner has two gates only from L = 4 on, where two "
          "sides that meet are used"),
      {"Eq. 3: D_i is 7 at Levels 2 and 3, 13 at Levels 4 and 5",
       [](analysis_store&) {
         return hops_by_level(ttn_kind::sttn,
                              "with the gates of every level side by side all levels are alike; 7 and 13 are "
                              "printed in Rahman et al. 2009 for TTN, too, whose gates differ by level");
       }},
      claim_of(
          "Sect. VI: with 2^20 nodes the diameter of STTN is lower than those of TTN, TESH, torus and mesh",
          {{{{"sttn:2,5,0", "ttn:2,5,0", "tesh:2,5,0", "torus:1024x1024", "mesh:1024x1024"}}},
           diameter_of,
           is_lower,
           "it is TTN's; Sect. V.B of the same paper has it slightly above"}),
      claim_of("Sect. VI: so is its average distance",
               {{{{"sttn:2,5,0", "ttn:2,5,0", "tesh:2,5,0", "torus:1024x1024", "mesh:1024x1024"}}},
                mean_of,
                is_lower}),
      formula_claim("Sect. V.F: the longest links of Level-2 and Level-3 networks are 12 and 48 node pitches",
                    {"sttn:2,2,0", "sttn:2,3,0"}, longest_of, {12, 48}),
  };
  return text;
}

}  // namespace toriscope
