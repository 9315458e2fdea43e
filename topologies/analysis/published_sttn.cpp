// SPDX-License-Identifier: Apache-2.0
// Al Faisal, Rahman 2009: Table 1, Eq. 4, and what is said of Figs. 4-7 (256 to 1,048,576 nodes).
#include <cmath>
#include <vector>

#include "topologies/analysis/claim_checks.h"

namespace toriscope {

namespace {

constexpr unsigned levels[] = {2, 3, 4, 5};

const char* const mesh = "mesh";
const char* const torus = "torus";

/// One of the five networks with 16^L nodes.
std::string spec_of(const std::string& kind, unsigned level) {
  const std::string side = std::to_string(1u << (2 * level));
  if (kind == mesh || kind == torus) return kind + ":" + side + "x" + side;
  return kind + ":2," + std::to_string(level) + ",0";
}

const network_analysis& network(analysis_store& store, const std::string& kind, unsigned level) {
  return store.of(choice_of(spec_of(kind, level)));
}

/// The first network against the others at every size; what is claimed begins at `first_level`.
claim_question at_all_sizes(const std::vector<std::string>& kinds, analysis_measure value,
                            bool (*good)(double, double), const std::string& why_not = "",
                            unsigned first_level = 2) {
  claim_question question{{}, value, good, why_not};
  for (const unsigned level : levels) {
    compared_networks group{{}, level >= first_level};
    for (const std::string& kind : kinds) group.specs.push_back(spec_of(kind, level));
    question.groups.push_back(group);
  }
  return question;
}

bool is_at_least(double a, double b) { return a >= b; }

/// The difference falls, as a share of the diameter, from size to size.
claim_verdict difference_shrinks(analysis_store& store) {
  claim_verdict verdict = ask(at_all_sizes({"sttn", "ttn"}, diameter_of, is_at_least), store);
  double before = 1e9;
  for (const unsigned level : levels) {
    const double ttn = diameter_of(network(store, "ttn", level));
    const double difference = (diameter_of(network(store, "sttn", level)) - ttn) / ttn;
    verdict.holds = verdict.holds && difference < before;
    before = difference;
  }
  return explained(verdict, "it grows between 256 and 4096 nodes, and falls from there on, to nothing");
}

claim_verdict bisection_by_formula(analysis_store& store) {
  claim_verdict verdict = ask(at_all_sizes({"sttn"}, cut_of, is_equal), store);
  for (const unsigned level : levels) {
    const double formula = std::pow(2, 2 * (2 * level - 3) + 1);  // Eq. 4, m = 2
    verdict.holds = verdict.holds && cut_of(network(store, "sttn", level)) == formula;
  }
  return verdict;
}

std::vector<published_claim> claims() {
  return {
      claim_of("Fig. 4: the diameter of STTN is much smaller than those of TESH, torus and mesh",
               at_all_sizes({"sttn", "tesh", torus, mesh}, diameter_of, is_lower,
                            "a 16x16 torus has 16; from 4096 nodes on it holds")),
      {"Fig. 4: it is slightly above TTN's, and the difference diminishes with the number of nodes",
       difference_shrinks},
      claim_of("Fig. 5: the cost of STTN is far below those of mesh and torus",
               at_all_sizes({"sttn", torus, mesh}, cost_of, is_lower,
                            "a 16x16 torus has 64; from 4096 nodes on it holds against both")),
      claim_of("Fig. 5: the cost of STTN is slightly above those of TTN and TESH",
               at_all_sizes({"sttn", "ttn", "tesh"}, cost_of, is_at_least,
                            "our degree counts the ports in use: STTN has 5 up to L = 3 where TTN has 6, "
                            "for no corner is a gate of two rings yet")),
      claim_of("Fig. 6: the average distance of STTN is remarkably below TESH's, far below those of torus "
               "and mesh",
               at_all_sizes({"sttn", "tesh", torus, mesh}, mean_of, is_lower,
                            "a 16x16 torus has 8.03; from 4096 nodes on it holds")),
      claim_of("Fig. 6: with 2^20 nodes it is below TTN's",
               {{{{spec_of("sttn", 5), spec_of("ttn", 5)}}}, mean_of, is_lower}),
      {"Eq. 4: the bisection width is 2^(m(2L-3)+1)", bisection_by_formula},
      claim_of("Fig. 7: the bisection width of STTN is that of TTN and TESH",
               at_all_sizes({"sttn", "ttn", "tesh"}, cut_of, is_equal)),
      claim_of("Fig. 7: beyond 4096 nodes it is above those of mesh and torus",
               at_all_sizes({"sttn", torus, mesh}, cut_of, is_higher, "", 4)),
  };
}

published_row sttn_row(const std::string& name, const std::string& spec, double degree, double arcs) {
  return {name,
          {{{spec}, distance_kind::routed, ""}},
          {{quantity::degree, degree}, {quantity::arc_connectivity, arcs}}};
}

}  // namespace

published_table sttn_table() {
  published_table table;
  table.name = "sttn2009";
  table.title = "STTN: degree and arc connectivity (at 4096 nodes), Figs. 4-7";
  table.source = "Al Faisal, Rahman 2009, Table 1, Eq. 4 and the text of Figs. 4-7";
  table.with_cuts = true;
  table.rows = {sttn_row("2D mesh", "mesh:64x64", 4, 2), sttn_row("2D torus", "torus:64x64", 4, 4),
                sttn_row("TESH", "tesh:2,3,0", 4, 2), sttn_row("TTN", "ttn:2,3,0", 6, 4),
                sttn_row("STTN", "sttn:2,3,0", 6, 4)};
  published_row& tesh = table.rows[2];
  tesh.readings.push_back({{"tesh:2,2,0"}, distance_kind::routed, "TESH(2,2,0)"});
  tesh.values[1].reason =
      "by maximum flow; from L = 3 on all corners of a BM are gates, and every node has three links and more";
  published_row& sttn = table.rows[4];
  sttn.readings.push_back({{"sttn:2,4,0"}, distance_kind::routed, "STTN(2,4,0)"});
  sttn.readings.push_back({{"sttn:2,5,0"}, distance_kind::routed, "STTN(2,5,0)"});
  sttn.values[0].reason =
      "each level uses one side of the BM: a corner has two gates only where two sides are used";
  table.claims = claims();
  return table;
}

}  // namespace toriscope
