// SPDX-License-Identifier: Apache-2.0
// Fan, Yang, Funahashi, Amano 1999: static figures only. Diameters and means of the RDT are those of floating
// vector routing (Sect. 5.2), as far as its steps are printed.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/words.h"
#include "testbenches/experiments/papers/paper_registry.h"
#include "testbenches/experiments/papers/rdt_area.h"
#include "testbenches/experiments/papers/static_claims.h"
#include "topologies/analysis/wiring_counts.h"

namespace toriscope {

namespace {

const char* const unknown_definition =
    "the paper only cites it, and its definition is not established with certainty";
const char* const floating_words = "floating vectors as printed leave choices open (halves, order of floats)";
const char* const floating_mean_words =
    "the reduction of vectors on which the floats are built is cited, not printed; halves and order of "
    "floats are open, too";

printed_row row(const std::string& name, double nodes, const std::string& spec, double diameter,
                double degree, const std::string& reason = "") {
  printed_row result{fmt::format("{}, {}", name, nodes),
                     {spec, "U", "", false},
                     {{quantity::diameter, diameter, 0, reason}, {quantity::degree, degree, 0, reason}}};
  result.printed_nodes = nodes;
  return result;
}

printed_row rdt_row(const std::string& assignment, unsigned side, double diameter) {
  printed_row result{fmt::format("RDT(2,4,1)/{}, {}", assignment, side * side),
                     {fmt::format("rdt:{},{}", assignment, side), "U", "floating"},
                     {{quantity::diameter, diameter, 0, "", floating_words}}};
  result.distances = distance_kind::routed;
  result.distance_reading =
      "floating vector routing as printed (its rounding of halves and order of floats: ours)";
  if (side <= 64) result.others = {{{result.built.spec, "U", "floating4"}, "the cheapest floats"}};
  return result;
}

void add_table1(paper& p) {
  const std::string star = "printed is n; the diameter of an n-star is floor(3(n-1)/2)";
  const std::string ccc = "printed is floor(5n/2) - 1; the diameter is 2n + floor(n/2) - 2";
  std::vector<printed_row> rows = {
      row("2D torus", 4096, "torus:64x64", 64, 4),
      row("3D torus", 4096, "torus:16x16x16", 24, 6),
      row("hypercube", 4096, "hypercube:12", 12, 12),
      row("de Bruijn", 4096, "debruijn:2,12", 12, 4),
      row("Kautz", 4096, "kautz:2,11", 11, 4),
      row("star", 4096, "star:7", 7, 6, star),
      row("CCC", 4096, "ccc:9", 21, 3, ccc),
      row("crossed cube", 4096, "crossed:12", 7, 12),
      row("Midimew", 4096, "midimew:4096", 46, 4,
          "the diameter is 45, the least that four links admit; printed is ceil(sqrt(N/2)) = 46, while at "
          "65,536 nodes, "
          "where that is 182, the diameter 181 is printed"),
      rdt_row("alpha", 64, 10),
      rdt_row("beta", 64, 10),
      row("2D torus", 65536, "torus:256x256", 256, 4),
      row("3D torus", 65536, "torus:64x32x32", 48, 6,
          "the least that 65536 nodes in three dimensions allow is 64; 48 belongs to 32x32x32 = 32768 nodes"),
      row("hypercube", 65536, "hypercube:16", 16, 16),
      row("de Bruijn", 65536, "debruijn:2,16", 16, 4),
      row("Kautz", 65536, "kautz:2,15", 15, 4),
      row("star", 65536, "star:8", 8, 7, star),
      row("CCC", 65536, "ccc:12", 29, 3, ccc),
      row("crossed cube", 65536, "crossed:16", 9, 16),
      row("Midimew", 65536, "midimew:65536", 181, 4),
      rdt_row("alpha", 256, 14),
      rdt_row("beta", 256, 14),
  };
  for (printed_row& r : rows) {
    if (r.values.size() == 1) r.values.push_back({quantity::degree, 8});
    if (r.built.spec == "rdt:alpha,64")
      r.values.back().reading =
          "the largest; nodes of rank 4 have 4 links, for a step of 64 leads back to them";
    // No symmetry is known that makes the pairs of nodes fewer: seconds, Midimew most of a minute.
    for (const char* const kind : {"debruijn:", "kautz:", "star:", "midimew:"})
      r.costly = r.costly || (r.printed_nodes > 4096 && begins_with(r.built.spec, kind));
    p.add(row_item("Table 1", r));
  }
  for (const auto& [name, diameter, degree] : {std::tuple{"Pradhan, 4096", 12, 5},
                                               {"circular omega, 4096", 20, 4},
                                               {"Hypernet, 4096", 19, 5},
                                               {"Pradhan, 65536", 16, 5},
                                               {"circular omega, 65536", 26, 4},
                                               {"Hypernet, 65536", 17, 6}})
    p.add(row_item("Table 1", {name,
                               {""},
                               {{quantity::diameter, double(diameter), 0, "", unknown_definition},
                                {quantity::degree, double(degree), 0, "", unknown_definition}}}));
}

void add_table2(paper& p) {
  for (const auto& [assignment, side, diameter, mean] : {std::tuple{"alpha", 32U, 9, 4.73},
                                                         {"alpha", 64U, 10, 5.81},
                                                         {"alpha", 128U, 12, 7.16},
                                                         {"beta", 32U, 9, 4.57},
                                                         {"beta", 64U, 10, 5.85},
                                                         {"beta", 128U, 12, 7.35}}) {
    printed_row r = rdt_row(assignment, side, diameter);
    r.values.push_back({quantity::mean, mean, 2, "", floating_mean_words});
    p.add(row_item("Table 2", r));
  }
}

/// Fig. 4, of one kind of distances.
struct areas {
  explicit areas(distance_kind kind) : alpha("alpha", kind), beta("beta", kind) {}
  rdt_area alpha;
  rdt_area beta;

  /// Beta's mean less alpha's.
  double difference(unsigned side) const { return beta.mean(side) - alpha.mean(side); }
  unsigned better_classes(unsigned side) const {
    unsigned better = 0;
    for (unsigned c = 0; c < rdt_classes; ++c) better += beta.mean(c, side) < alpha.mean(c, side);
    return better;
  }
};

struct area_claim {
  std::string words;
  std::vector<unsigned> sides;  ///< that are shown
  std::function<bool(const areas&, const std::vector<unsigned>&)> holds;
  std::string more{};  ///< to the reading
  std::string open{};  ///< what the words leave open; empty: nothing
};

std::vector<area_claim> area_claims() {
  const auto every = [](bool (*good)(const areas&, unsigned side)) {
    return [good](const areas& a, const std::vector<unsigned>& sides) {
      return std::all_of(sides.begin(), sides.end(), [&](unsigned s) { return good(a, s); });
    };
  };
  return {{"between 4x4 and 16x16 nodes beta has the smaller average distance",
           {4, 8, 16},
           [](const areas& a, const auto&) {
             for (unsigned s = 4; s <= 16; ++s)
               if (a.difference(s) >= 0) return false;
             return true;
           },
           "; on every side from 4 to 16; it also holds with the other roundings of halves and orders of "
           "floats that "
           "were tried, eleven in all"},
          {"from 16x16 to 32x32 nodes some of the cases of beta are better than alpha",
           {16, 24, 32},
           every([](const areas& a, unsigned s) { return a.better_classes(s) > 0; }),
           "; some: at least one of the 8 classes",
           "read as 'some, not all' it does not hold with our floats, 8 of 8 classes; with halves rounded "
           "away from zero "
           "it is 8, 6 and 6 classes"},
          {"above 32x32 nodes beta's average distance is a little above alpha's",
           {48, 64, 96, 127},
           every([](const areas& a, unsigned s) { return a.difference(s) > 0; })},
          {"above 32x32 nodes the difference remains about the same",
           {48, 64, 96, 127},
           [](const areas& a, const auto& sides) {
             const auto less = [&](unsigned x, unsigned y) { return a.difference(x) < a.difference(y); };
             const auto [least, most] = std::minmax_element(sides.begin(), sides.end(), less);
             return a.difference(*least) > 0 && a.difference(*most) <= 2 * a.difference(*least);
           }}};
}

std::string figures_of(const areas& a, const std::vector<unsigned>& sides) {
  std::string text;
  for (const unsigned s : sides)
    append(text, fmt::format("{}x{}: {:.3f} and {:.3f}, {} of 8 classes below", s, s, a.alpha.mean(s),
                             a.beta.mean(s), a.better_classes(s)));
  return "alpha and beta, " + text;
}

std::vector<verdict> judge_areas() {
  const areas routed(distance_kind::routed);
  const areas shortest(distance_kind::shortest);
  std::vector<verdict> verdicts;
  for (const area_claim& c : area_claims()) {
    verdict v = judge_claim("Fig. 4: " + c.words, provenance::built, c.words, c.holds(routed, c.sides),
                            figures_of(routed, c.sides));
    v.reading = "floating vector routing, all places of the square in an RDT of 256x256" + c.more;
    const bool by_shortest = c.holds(shortest, c.sides);
    v.others = std::string("by shortest paths it ") + (by_shortest ? "holds: " : "does not hold: ") +
               figures_of(shortest, c.sides);
    if (by_shortest != (v.result == ruling::reproduced))
      v = undetermined(std::move(v), std::string(floating_words) + ", and shortest paths decide otherwise");
    else if (!c.open.empty())
      v = undetermined(std::move(v), c.open);
    else if (v.result == ruling::differs)  // halves away from zero turn beta above alpha from 37x37 on
      v = undetermined(std::move(v), floating_words);
    verdicts.push_back(std::move(v));
  }
  return verdicts;
}

/// The fewest and the most ranks that any node finds within N steps of the base torus.
std::pair<unsigned, unsigned> ranks_within(const rdt_assignment& assignment, int steps) {
  std::set<std::size_t> counts;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      std::set<unsigned> ranks;
      for (int dy = -steps; dy <= steps; ++dy)
        for (int dx = -steps; dx <= steps; ++dx)
          if (std::abs(dx) + std::abs(dy) <= steps)
            ranks.insert(assignment[rdt_class(unsigned(x + dx + 8) % 4, unsigned(y + dy + 8) % 4)]);
      counts.insert(ranks.size());
    }
  return {static_cast<unsigned>(*counts.begin()), static_cast<unsigned>(*counts.rbegin())};
}

/// The fewest neighbours, itself among them, with links of rank 1 or 2.
unsigned low_ranks_nearby(const rdt_assignment& assignment) {
  unsigned fewest = 5;
  for (unsigned y = 0; y < 4; ++y)
    for (unsigned x = 0; x < 4; ++x) {
      unsigned low = 0;
      for (const auto& [dx, dy] : {std::pair{1U, 0U}, {3U, 0U}, {0U, 1U}, {0U, 3U}})
        low += assignment[rdt_class((x + dx) % 4, (y + dy) % 4)] <= 2;
      fewest = std::min(fewest, low);
    }
  return fewest;
}

/// Parts of the plane that steps of rank 1 connect, on a torus of 16 x 16.
unsigned rank1_tori() {
  std::size_t parts = 0;
  std::set<std::pair<int, int>> seen;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) {
      std::vector<std::pair<int, int>> open = {{x, y}};
      if (!seen.insert(open.front()).second) continue;
      ++parts;
      while (!open.empty()) {
        const auto [u, v] = open.back();
        open.pop_back();
        for (unsigned way = h_plus; way <= v_minus; ++way) {
          const rdt_offset step = rdt_step(1, way);
          const std::pair<int, int> next = {(u + step.dx + 16) % 16, (v + step.dy + 16) % 16};
          if (seen.insert(next).second) open.push_back(next);
        }
      }
    }
  return static_cast<unsigned>(parts);
}

void add_text(paper& p) {
  for (const network_measure& what : {quantity::diameter, quantity::degree})
    p.add(changed(
        claim_item(
            "Sect. 1",
            fmt::format("between 1000 and 10000 nodes its {} is smaller than the hypercube's", what.name),
            {{{{"rdt:alpha,32", "hypercube:10"}}, {{"rdt:alpha,64", "hypercube:12"}}}, what, is_lower}),
        [](verdict& v, evidence&) {
          append(v.reading, "alpha; the sizes with a power of two as its side, 1024 and 4096 nodes");
          if (!v.others.empty()) v.others += " (routing floating3; with that of Table 1: 9 and 10)";
        }));
  p.add(formula_item("Sect. 2.1", "the degree is 4 (m + 1) = 8", {"rdt:alpha,128", "rdt:beta,128"},
                     quantity::degree, {8, 8}));
  p.add(formula_item("Sect. 2.1", "the degree of the perfect RDT is 4 (R + 1): 20 for R = 4",
                     {"rdt:perfect,256"}, quantity::degree, {20}));
  const auto add_count = [&](const char* name, const char* words, unsigned (*count)(),
                             bool (*holds)(unsigned), const char* figures) {
    p.add(checked_item(name, words, [=](analysis_store&) {
      const unsigned found = count();
      return checked(holds(found), fmt::format(fmt::runtime(figures), found));
    }));
  };
  const auto four = [](unsigned found) { return found == 4; };
  add_count(
      "Sect. 2.2", "8 independent rank-1 tori can be formed on the base torus", rank1_tori,
      [](unsigned found) { return found == 8; }, "{} parts");
  add_count(
      "Sect. 2.2", "in alpha every rank is at a node or at a neighbour of it",
      [] { return ranks_within(rdt_alpha(), 1).first; }, four, "at least {} ranks within a step");
  p.add(checked_item(
      "Sect. 3", "in beta the neighbours of a node cover only three of the ranks", [](analysis_store&) {
        const auto [fewest, most] = ranks_within(rdt_beta(), 1);
        verdict v =
            checked(fewest == 3 && most == 3, fmt::format("{} to {} ranks within a step", fewest, most));
        v.reading = "with the node's own rank, which its neighbours over upper links have, too";
        return v;
      }));
  add_count(
      "Sect. 3", "in beta each node has connections to three links of rank 1 or 2",
      [] { return low_ranks_nearby(rdt_beta()); }, [](unsigned found) { return found >= 3; },
      "at least {} of 4 neighbours have them");
  add_count(
      "Sect. 4.1", "in beta one step more reaches every rank",
      [] { return ranks_within(rdt_beta(), 2).first; }, four, "at least {} ranks within two steps");
  p.add(checked_item(
      "Sect. 5.1", "beta's diameter is smaller than the hypercube's with 65,536 nodes",
      [](analysis_store& store) {
        const network_analysis& beta = store.of(rdt_row("beta", 256, 14).built);
        const network_analysis& cube = store.of(row("hypercube", 65536, "hypercube:16", 16, 16).built);
        verdict v = checked(beta.routed->diameter < cube.shortest->diameter,
                            fmt::format("{} and {}", beta.routed->diameter, cube.shortest->diameter));
        v.reading = "floating vector routing";
        v.others = fmt::format("by shortest paths: {}", beta.shortest->diameter);
        return undetermined(std::move(v),
                            std::string(floating_words) +
                                "; with ours it holds; with halves rounded away from zero or to even, "
                                "and the cheapest floats, a count outside the program gives 16");
      }));
  p.unjudged = {
      {"Sect. 5.1: a smaller diameter than most direct networks", "follows: from the printed Table 1"},
      {"Sect. 6: the same diameter and less local distance", "follows: from the printed Table 2 and Fig. 4"},
      {"Sects. 1 and 3: performance under local traffic, congestion of low ranks",
       "no number: no traffic is described"}};
}

}  // namespace

paper rdt() {
  paper p{"rdt", "A Torus Assignment for an Interconnection Network Recursive Diagonal Torus",
          "Q. Fan, Y. Yang, A. Funahashi, H. Amano, 1999"};
  add_table1(p);
  add_table2(p);
  p.add({"Fig. 4", [](evidence&) { return judge_areas(); }});
  add_text(p);
  return p;
}

}  // namespace toriscope
