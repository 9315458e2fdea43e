// SPDX-License-Identifier: Apache-2.0
// Fan, Yang, Funahashi, Amano 1999: Tables 1 and 2, and what is said of Fig. 4.
#include <algorithm>
#include <cstdio>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "topologies/analysis/published.h"
#include "topologies/analysis/wiring_counts.h"
#include "topologies/rdt/rdt_shape.h"

namespace toriscope {

namespace {

const char* const unknown_definition =
    "not built: the paper only cites it, and its definition is not established with certainty";
const char* const between =
    "by no definition that was tried: the printed mean lies between that of shortest paths and that of "
    "floating "
    "vectors";

published_row row(const std::string& name, const std::string& spec, double diameter, double degree,
                  const std::string& diameter_reason = "", const std::string& degree_reason = "") {
  return {name,
          {{{spec, "U", "", "", false}, distance_kind::shortest, ""}},
          {{quantity::diameter, diameter, 0, diameter_reason}, {quantity::degree, degree, 0, degree_reason}}};
}

published_row rdt_row(const std::string& name, const std::string& spec, double diameter) {
  published_row result;
  result.network = name;
  result.readings = {{{spec, "U", "floating"}, distance_kind::routed, ""},
                     {{spec, "U", "", "", false}, distance_kind::shortest, "shortest paths"}};
  result.values = {
      {quantity::diameter, diameter, 0,
       "floating vectors as printed leave choices open (halves, order of floats); shortest paths "
       "are shorter"}};
  return result;
}

/// Mean of the shortest distances from a node to the nodes of a square around it.
double mean_in_square(const netlist& net, node_id source, unsigned side) {
  const unsigned n = net.radices()[0];
  const std::vector<unsigned> distance = distances_from(net, source);
  const unsigned before = (side - 1) / 2;
  double total = 0;
  for (unsigned dy = 0; dy < side; ++dy)
    for (unsigned dx = 0; dx < side; ++dx) {
      const unsigned y = (source / n + n + dy - before) % n;
      const unsigned x = (source % n + n + dx - before) % n;
      total += distance[y * n + x];
    }
  return total / (1.0 * side * side);
}

/// A node in the middle of the class (x, y), x and y below 4.
node_id middle_node(const netlist& net, unsigned x, unsigned y) {
  const unsigned n = net.radices()[0];
  return (n / 2 + y) * n + n / 2 + x;
}

/// Over a node of each class.
double mean_in_square(const netlist& net, unsigned side) {
  double total = 0;
  for (unsigned y = 0; y < 4; ++y)
    for (unsigned x = 0; x < 4; ++x) total += mean_in_square(net, middle_node(net, x, y), side);
  return total / 16;
}

claim_verdict compare_areas(std::initializer_list<unsigned> sides, bool beta_below) {
  const topology alpha = make_for_analysis("rdt:alpha,128", {});
  const topology beta = make_for_analysis("rdt:beta,128", {});
  claim_verdict verdict{true, "alpha and beta, shortest paths in a square around a node of each class:"};
  for (const unsigned side : sides) {
    const double a = mean_in_square(*alpha.wiring, side);
    const double b = mean_in_square(*beta.wiring, side);
    verdict.holds = verdict.holds && (beta_below ? b < a : b > a);
    char text[80];
    std::snprintf(text, sizeof text, " %ux%u: %.3f, %.3f;", side, side, a, b);
    verdict.ours += text;
  }
  verdict.ours.pop_back();
  return verdict;
}

/// Fig. 4 has a line for each class (a,0), that is for each rank, of both assignments.
claim_verdict some_classes_better(std::initializer_list<unsigned> sides) {
  const topology alpha = make_for_analysis("rdt:alpha,128", {});
  const topology beta = make_for_analysis("rdt:beta,128", {});
  claim_verdict verdict{true, "classes (0,0) to (3,0) of which beta is below alpha:"};
  for (const unsigned side : sides) {
    unsigned better = 0;
    for (unsigned a = 0; a < 4; ++a)
      better += mean_in_square(*beta.wiring, middle_node(*beta.wiring, a, 0), side) <
                mean_in_square(*alpha.wiring, middle_node(*alpha.wiring, a, 0), side);
    verdict.holds = verdict.holds && better > 0;
    verdict.ours +=
        " " + std::to_string(better) + " of 4 at " + std::to_string(side) + "x" + std::to_string(side) + ",";
  }
  verdict.ours.pop_back();
  return verdict;
}

/// Whether the means in growing squares stay apart by about as much: the largest difference is at most twice
/// the smallest.
claim_verdict difference_stays(std::initializer_list<unsigned> sides) {
  const topology alpha = make_for_analysis("rdt:alpha,128", {});
  const topology beta = make_for_analysis("rdt:beta,128", {});
  claim_verdict verdict{true, "beta above alpha by"};
  double least = 1e9;
  double most = -1e9;
  for (const unsigned side : sides) {
    const double difference = mean_in_square(*beta.wiring, side) - mean_in_square(*alpha.wiring, side);
    least = std::min(least, difference);
    most = std::max(most, difference);
    char text[80];
    std::snprintf(text, sizeof text, " %.3f at %ux%u,", difference, side, side);
    verdict.ours += text;
  }
  verdict.ours.pop_back();
  verdict.holds = least > 0 && most <= 2 * least;
  if (!verdict.holds) verdict.ours += " - by shortest paths the difference changes its sign, or doubles";
  return verdict;
}

/// Ranks of a node and its four neighbours in the base torus: the fewest that any node has.
unsigned ranks_within_a_step(const rdt_assignment& assignment) {
  unsigned fewest = rdt_most_ranks;
  for (unsigned y = 0; y < 4; ++y)
    for (unsigned x = 0; x < 4; ++x) {
      std::set<unsigned> ranks;
      for (const auto& [dx, dy] : {std::pair{0u, 0u}, {1u, 0u}, {3u, 0u}, {0u, 1u}, {0u, 3u}})
        ranks.insert(assignment[rdt_class((x + dx) % 4, (y + dy) % 4)]);
      fewest = std::min(fewest, static_cast<unsigned>(ranks.size()));
    }
  return fewest;
}

}  // namespace

published_table rdt_text() {
  published_table text;
  text.name = "rdt-text";
  text.title = "Degree, ranks within a step, and what else Sects. 2-5 say";
  text.source = "Fan et al. 1999, Sects. 2-5";
  text.claims = {
      {"Sect. 2.1: the degree is 4 (m + 1) = 8",
       [](analysis_store&) {
         const unsigned degree = count_wiring(*make_for_analysis("rdt:alpha,128", {}).wiring).degree_max;
         return claim_verdict{degree == 8, "degree " + std::to_string(degree)};
       }},
      {"Sect. 2.2: in alpha every rank is at a node or at a neighbour of it",
       [](analysis_store&) {
         const unsigned fewest = ranks_within_a_step(rdt_alpha());
         return claim_verdict{fewest == 4, "at least " + std::to_string(fewest) + " ranks within a step"};
       }},
      {"Sect. 3: in beta a node's neighbourhood has three of the ranks",
       [](analysis_store&) {
         const unsigned fewest = ranks_within_a_step(rdt_beta());
         return claim_verdict{fewest == 3, "at least " + std::to_string(fewest) + " ranks within a step"};
       }},
      {"Sect. 5.2: from 16x16 to 32x32 nodes some of the cases of beta are better than alpha",
       [](analysis_store&) {
         return some_classes_better({16, 24, 32});
       }},
      {"Sect. 5.2: above 32x32 nodes the difference stays about the same",
       [](analysis_store&) {
         return difference_stays({48, 64, 96, 128});
       }},
  };
  return text;
}

published_table rdt_diameters() {
  published_table table;
  table.name = "rdt-table1";
  table.title = "Diameter and degree of direct networks, 4096 and 65536 nodes";
  table.source = "Fan et al. 1999, Table 1";
  const std::string no_such_size = "; there is no star graph of that many nodes: 7! = 5040, 8! = 40320";
  table.rows = {
      row("2D torus, 4096", "torus:64x64", 64, 4),
      row("3D torus, 4096", "torus:16x16x16", 24, 6),
      row("hypercube, 4096", "hypercube:12", 12, 12),
      row("de Bruijn, 4096", "debruijn:2,12", 12, 4),
      row("Kautz, 4096", "kautz:2,11", 11, 4),
      row("star, 4096", "star:7", 7, 6, "the diameter of an n-star is floor(3(n-1)/2): 9" + no_such_size),
      row("CCC, 4096", "ccc:9", 21, 3, "printed is floor(5n/2) - 1; the diameter is 2n + floor(n/2) - 2"),
      row("crossed cube, 4096", "crossed:12", 7, 12),
      row("Midimew, 4096", "midimew:4096", 46, 4, "by search: one less than printed"),
      rdt_row("RDT(2,4,1)/alpha, 4096", "rdt:alpha,64", 10),
      rdt_row("RDT(2,4,1)/beta, 4096", "rdt:beta,64", 10),
      row("2D torus, 65536", "torus:256x256", 256, 4),
      row("3D torus, 65536", "torus:64x32x32", 48, 6,
          "the least that 65536 nodes in three dimensions allow is 64; 48 belongs to 32x32x32 = 32768 nodes"),
      row("hypercube, 65536", "hypercube:16", 16, 16),
      row("de Bruijn, 65536", "debruijn:2,16", 16, 4),
      row("Kautz, 65536", "kautz:2,15", 15, 4),
      row("star, 65536", "star:8", 8, 7, "the diameter of an n-star is floor(3(n-1)/2): 10" + no_such_size),
      row("CCC, 65536", "ccc:12", 29, 3, "printed is floor(5n/2) - 1; the diameter is 2n + floor(n/2) - 2"),
      row("crossed cube, 65536", "crossed:16", 9, 16),
      row("Midimew, 65536", "midimew:65536", 181, 4),
      rdt_row("RDT(2,4,1)/alpha, 65536", "rdt:alpha,256", 14),
      rdt_row("RDT(2,4,1)/beta, 65536", "rdt:beta,256", 14),
  };
  for (const auto& [name, diameter, degree] : {std::tuple{"Pradhan, 4096", 12, 5},
                                               {"circular omega, 4096", 20, 4},
                                               {"Hypernet, 4096", 19, 5},
                                               {"Pradhan, 65536", 16, 5},
                                               {"circular omega, 65536", 26, 4},
                                               {"Hypernet, 65536", 17, 6}})
    table.rows.push_back({name,
                          {},
                          {{quantity::diameter, double(diameter), 0, unknown_definition},
                           {quantity::degree, double(degree), 0, unknown_definition}}});
  return table;
}

published_table rdt_averages() {
  published_table table;
  table.name = "rdt-table2";
  table.title = "Diameter and average distance of RDT(2,4,1)/alpha and beta";
  table.source = "Fan et al. 1999, Table 2";
  const auto add = [&](const char* assignment, unsigned side, double diameter, double mean) {
    published_row r =
        rdt_row(std::string("RDT(2,4,1)/") + assignment + ", " + std::to_string(side * side) + " nodes",
                std::string("rdt:") + assignment + "," + std::to_string(side), diameter);
    r.values.push_back({quantity::mean, mean, 2, between});
    table.rows.push_back(std::move(r));
  };
  add("alpha", 32, 9, 4.73);
  add("alpha", 64, 10, 5.81);
  add("alpha", 128, 12, 7.16);
  add("beta", 32, 9, 4.57);
  add("beta", 64, 10, 5.85);
  add("beta", 128, 12, 7.35);
  return table;
}

published_table rdt_local_area() {
  published_table table;
  table.name = "rdt-figure4";
  table.title = "Average distance within square areas of RDT(2,4,1)/alpha and beta";
  table.source = "Fan et al. 1999, Fig. 4 and its text";
  table.claims = {
      {"between 4x4 and 16x16 nodes beta has the smaller average distance",
       [](analysis_store&) {
         return compare_areas({4, 8, 16}, true);
       }},
      {"above 32x32 nodes beta's average distance is a little above alpha's",
       [](analysis_store&) {
         claim_verdict verdict = compare_areas({48, 64, 96, 128}, false);
         if (!verdict.holds)
           verdict.ours +=
               " - by shortest paths beta is above alpha from 96x96 on only; routed ones were not "
               "looked at, and the paper does not say which its curves are";
         return verdict;
       }},
  };
  return table;
}

}  // namespace toriscope
