// SPDX-License-Identifier: Apache-2.0
// Al Faisal, Rahman 2009: Table 1, Eq. 4, and what is said of Figs. 4-7 (256 to 1,048,576 nodes).
#include <cmath>
#include <cstdio>
#include <vector>

#include "topologies/analysis/published.h"

namespace toriscope {

namespace {

constexpr unsigned levels[] = {2, 3, 4, 5};

const char* const mesh = "mesh";
const char* const torus = "torus";

/// One of the five networks with 16^L nodes.
const network_analysis& network(analysis_store& store, const std::string& kind, unsigned level) {
  if (kind == mesh || kind == torus) {
    const std::string side = std::to_string(1u << (2 * level));
    return store.of({kind + ":" + side + "x" + side, "U", "", "", false});
  }
  return store.of({kind + ":2," + std::to_string(level) + ",0"});
}

double diameter_of(const network_analysis& a) { return (a.routed ? a.routed : a.shortest)->diameter; }
double mean_of(const network_analysis& a) { return (a.routed ? a.routed : a.shortest)->mean_distinct; }
double cost_of(const network_analysis& a) { return *a.cost(); }
double cut_of(const network_analysis& a) { return static_cast<double>(a.cut.links); }

using measure = double (*)(const network_analysis&);

/// The values of several networks at a size: "N = 256: sttn 19, ttn 15".
std::string values_at(analysis_store& store, unsigned level, const std::vector<std::string>& kinds,
                      measure value) {
  std::string text = "N = " + std::to_string(1u << (4 * level)) + ": ";
  for (const std::string& kind : kinds) {
    char number[40];
    std::snprintf(number, sizeof number, "%s %.6g", kind.c_str(), value(network(store, kind, level)));
    text += (kind == kinds.front() ? "" : ", ") + std::string(number);
  }
  return text;
}

/// Whether `good(first network's value, another's)` at every size, and the values.
template <class Good>
claim_verdict at_all_sizes(analysis_store& store, const std::vector<std::string>& kinds, measure value,
                           unsigned first_level, Good good) {
  claim_verdict verdict{true, ""};
  for (const unsigned level : levels) {
    const double ours = value(network(store, kinds.front(), level));
    if (level >= first_level)
      for (std::size_t i = 1; i < kinds.size(); ++i)
        verdict.holds = verdict.holds && good(ours, value(network(store, kinds[i], level)));
    verdict.ours += (verdict.ours.empty() ? "" : "; ") + values_at(store, level, kinds, value);
  }
  return verdict;
}

bool lower(double a, double b) { return a < b; }

/// Adds what is known of a claim that does not hold.
claim_verdict explained(claim_verdict verdict, const std::string& why) {
  if (!verdict.holds) verdict.ours += " - " + why;
  return verdict;
}

/// The difference falls, as a share of the diameter, from size to size.
claim_verdict difference_shrinks(analysis_store& store) {
  claim_verdict verdict{true, ""};
  double before = 1e9;
  for (const unsigned level : levels) {
    const double ttn = diameter_of(network(store, "ttn", level));
    const double difference = (diameter_of(network(store, "sttn", level)) - ttn) / ttn;
    verdict.holds = verdict.holds && difference >= 0 && difference < before;
    before = difference;
    verdict.ours +=
        (verdict.ours.empty() ? "" : "; ") + values_at(store, level, {"sttn", "ttn"}, diameter_of);
  }
  return verdict;
}

claim_verdict lower_mean_at_the_end(analysis_store& store) {
  return {mean_of(network(store, "sttn", 5)) < mean_of(network(store, "ttn", 5)),
          values_at(store, 5, {"sttn", "ttn"}, mean_of)};
}

claim_verdict bisection_by_formula(analysis_store& store) {
  claim_verdict verdict{true, ""};
  for (const unsigned level : levels) {
    const double formula = std::pow(2, 2 * (2 * level - 3) + 1);  // Eq. 4, m = 2
    verdict.holds = verdict.holds && cut_of(network(store, "sttn", level)) == formula;
    verdict.ours += (verdict.ours.empty() ? "" : "; ") + values_at(store, level, {"sttn"}, cut_of);
  }
  return verdict;
}

std::vector<published_claim> claims() {
  using store = analysis_store&;
  return {
      {"Fig. 4: the diameter of STTN is much smaller than those of TESH, torus and mesh",
       [](store s) {
         return explained(at_all_sizes(s, {"sttn", "tesh", torus, mesh}, diameter_of, 2, lower),
                          "a 16x16 torus has 16; from 4096 nodes on it holds");
       }},
      {"Fig. 4: it is slightly above TTN's, and the difference diminishes with the number of nodes",
       difference_shrinks},
      {"Fig. 5: the cost of STTN is far below those of mesh and torus",
       [](store s) {
         return explained(at_all_sizes(s, {"sttn", torus, mesh}, cost_of, 2, lower),
                          "a 16x16 torus has 64; from 4096 nodes on it holds against both");
       }},
      {"Fig. 5: the cost of STTN is slightly above those of TTN and TESH",
       [](store s) {
         return explained(
             at_all_sizes(s, {"sttn", "ttn", "tesh"}, cost_of, 2, [](double a, double b) { return a >= b; }),
             "our degree counts the ports in use: STTN has 5 up to L = 3 where TTN has 6, for no corner "
             "is a gate of two rings yet");
       }},
      {"Fig. 6: the average distance of STTN is remarkably below TESH's, far below those of torus and mesh",
       [](store s) {
         return explained(at_all_sizes(s, {"sttn", "tesh", torus, mesh}, mean_of, 2, lower),
                          "a 16x16 torus has 8.03; from 4096 nodes on it holds");
       }},
      {"Fig. 6: with 2^20 nodes it is below TTN's", lower_mean_at_the_end},
      {"Eq. 4: the bisection width is 2^(m(2L-3)+1)", bisection_by_formula},
      {"Fig. 7: the bisection width of STTN is that of TTN and TESH",
       [](store s) {
         return at_all_sizes(s, {"sttn", "ttn", "tesh"}, cut_of, 2,
                             [](double a, double b) { return a == b; });
       }},
      {"Fig. 7: beyond 4096 nodes it is above those of mesh and torus",
       [](store s) {
         return at_all_sizes(s, {"sttn", torus, mesh}, cut_of, 4, [](double a, double b) { return a > b; });
       }},
  };
}

published_row row(const std::string& name, const std::string& spec, double degree, double arcs) {
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
  table.rows = {row("2D mesh", "mesh:64x64", 4, 2), row("2D torus", "torus:64x64", 4, 4),
                row("TESH", "tesh:2,3,0", 4, 2), row("TTN", "ttn:2,3,0", 6, 4),
                row("STTN", "sttn:2,3,0", 6, 4)};
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
