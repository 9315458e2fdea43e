// SPDX-License-Identifier: Apache-2.0
// Al Faisal, Rahman 2009: static figures only. Its figure of the gates is lost; ours have a side of the BM
// for each level, which is a guess: what depends on them is undetermined, unless all gates give the same.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testbenches/experiments/papers/paper_registry.h"
#include "testbenches/experiments/papers/static_claims.h"
#include "testbenches/experiments/papers/ttn2009_items.h"

namespace toriscope {

namespace {

const char* const lost_gates =
    "the figure of the gates is lost; ours, a side of the BM for each level, are a guess";

/// Of claims about several networks at Levels 4 and 5.
const char* const lost_gates_of_all =
    "the figure of the gates is lost; ours, a side of the BM for each level, are a guess; those of other "
    "networks of Levels 4 and 5 are ours, too";
const char* const cut_of_the_top_level =
    "the cut of the top level, as Sect. V.E counts; whether it is the least is not proven, nor searched for "
    "above "
    "8192 nodes";

constexpr unsigned levels[] = {2, 3, 4, 5};

/// One of the five networks with 16^L nodes.
std::string spec_of(const std::string& kind, unsigned level) {
  const unsigned side = 1U << (2 * level);
  if (kind == "mesh" || kind == "torus") return fmt::format("{}:{}x{}", kind, side, side);
  return fmt::format("{}:2,{},0", kind, level);
}

std::vector<std::string> specs_of(const std::string& kind) {
  std::vector<std::string> specs;
  for (const unsigned level : levels) specs.push_back(spec_of(kind, level));
  return specs;
}

/// The first network against the others at every size; what is claimed begins at `first_level`.
claim_question at_all_sizes(const std::vector<std::string>& kinds, const network_measure& value,
                            bool (*good)(double, double), const std::string& open = "",
                            unsigned first_level = 2) {
  claim_question question{{}, value, good, "", false, open};
  for (const unsigned level : levels) {
    compared_networks group{{}, level >= first_level};
    for (const std::string& kind : kinds) group.specs.push_back(spec_of(kind, level));
    question.groups.push_back(group);
  }
  return question;
}

claim_question largest(const std::vector<std::string>& kinds, const network_measure& value) {
  claim_question question{{{}}, value, is_lower, "", false, lost_gates_of_all};
  for (const std::string& kind : kinds) question.groups[0].specs.push_back(spec_of(kind, 5));
  return question;
}

/// The difference of the diameters falls, as a share of TTN's, from size to size.
verdict difference_shrinks(analysis_store& store, distance_kind kind_of_distance) {
  bool holds = true;
  double before = 1e9;
  std::string figures;
  for (const unsigned level : levels) {
    const auto diameter = [&](const char* kind) {
      return *quantity::diameter.of(store.of(choice_of(spec_of(kind, level))), {kind_of_distance});
    };
    const double sttn = diameter("sttn");
    const double ttn = diameter("ttn");
    const double difference = (sttn - ttn) / ttn;
    holds = holds && difference >= 0 && difference < before;
    before = difference;
    figures +=
        fmt::format("{}L = {}: {} and {}", figures.empty() ? "STTN and TTN, " : ", ", level, sttn, ttn);
  }
  return checked(holds, figures);
}

verdict difference_shrinks_in_shares(analysis_store& store) {
  const verdict routed = difference_shrinks(store, distance_kind::routed);
  verdict v = resting_on(difference_shrinks(store, distance_kind::shortest), lost_gates_of_all);
  v.reading = "shortest paths; the difference as a share of TTN's diameter";
  v.others = std::string("as routed it ") +
             (routed.result == ruling::reproduced ? "holds: " : "does not hold: ") + to_text(routed.ours);
  return v;
}

/// Of a 4x4 torus.
unsigned moved(unsigned place, unsigned rows, unsigned columns) {
  return (place / 4 + rows) % 4 * 4 + (place + columns) % 4;
}

/// Diameter of 4x4 modules joined by one-way rings of 4 in either direction. All modules are alike.
/// @param gates  V out, V in, H out, H in: nodes of the module
unsigned diameter_with(const std::array<unsigned, 4>& gates) {
  unsigned diameter = 0;
  for (unsigned source = 0; source < 16; ++source) {
    std::array<unsigned, 256> distance{};  // plus 1; 0: not reached
    std::vector<unsigned> reached = {source};
    distance[source] = 1;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const unsigned module = reached[i] / 16;
      const unsigned node = reached[i] % 16;
      const auto go = [&](unsigned to_module, unsigned to_node) {
        unsigned& there = distance[16 * to_module + to_node];
        if (there != 0) return;
        there = distance[16 * module + node] + 1;
        reached.push_back(16 * to_module + to_node);
      };
      for (const auto& [rows, columns] : {std::pair{0U, 1U}, {0U, 3U}, {1U, 0U}, {3U, 0U}})
        go(module, moved(node, rows, columns));
      if (node == gates[0]) go(moved(module, 1, 0), gates[1]);
      if (node == gates[2]) go(moved(module, 0, 1), gates[3]);
    }
    diameter = std::max(diameter, distance[reached.back()] - 1);
  }
  return diameter;
}

/// "Far below those of mesh and torus": with 256 nodes not with one-way rings, whatever the gates.
paper_item cost_item() {
  const auto with_256_nodes = [](verdict& v, evidence& seen) {
    v.reason += fmt::format(
        "; nor a size: with 256 nodes one-way rings cost at least {} with any gates (all places tried), "
        "full-duplex ones 55, and the torus {}; with more it holds",
        sttn_least_cost(), *quantity::cost.of(seen.analyses.of(choice_of("torus:16x16"))));
  };
  return changed(claim_item("Fig. 5", "the cost of STTN is far below those of mesh and torus",
                            at_all_sizes({"sttn", "torus", "mesh"}, quantity::cost, is_lower, lost_gates)),
                 with_256_nodes);
}

/// Both sides of Eq. 4: 2^m 2^(2m(L-1)-1) 2 and 2^(m(2L-3)+1), m = 2.
double left_of_eq4(unsigned level) { return 4 * std::pow(2, 4.0 * (level - 1) - 1) * 2; }
double right_of_eq4(unsigned level) { return std::pow(2, 2 * (2.0 * level - 3) + 1); }

void add_bisection(paper& p) {
  const auto add = [&](paper_item item) {
    p.add(changed(std::move(item), [](verdict& v, evidence&) { v.reading = cut_of_the_top_level; }));
  };
  for (const bool right : {false, true}) {
    std::vector<double> wanted;
    for (const unsigned level : levels) wanted.push_back(right ? right_of_eq4(level) : left_of_eq4(level));
    add(formula_item("Eq. 4",
                     std::string("the bisection width is ") +
                         (right ? "2^(m(2L-3)+1)" : "2^m 2^(2m(L-1)-1) 2, as the left side has it"),
                     specs_of("sttn"), quantity::bisection, wanted,
                     fmt::format("the two sides of Eq. 4 are not the same: {} and {} at L = 2",
                                 left_of_eq4(2), right_of_eq4(2))));
  }
  add(claim_item("Fig. 7", "the bisection width of STTN is that of TTN and TESH",
                 at_all_sizes({"sttn", "ttn", "tesh"}, quantity::bisection, is_equal)));
  add(claim_item("Fig. 7", "beyond 4096 nodes the bisection width is above those of mesh and torus",
                 at_all_sizes({"sttn", "torus", "mesh"}, quantity::bisection, is_higher, "", 4)));
}

void add_distances(paper& p) {
  p.add(claim_item(
      "Fig. 4", "the diameter of STTN is much smaller than those of TESH, torus and mesh",
      at_all_sizes({"sttn", "tesh", "torus", "mesh"}, quantity::diameter, is_lower, lost_gates_of_all)));
  p.add(checked_item(
      "Fig. 4",
      "the diameter is slightly above TTN's, and the difference diminishes with the number of nodes",
      difference_shrinks_in_shares));
  p.add(cost_item());
  p.add(claim_item("Fig. 5", "the cost of STTN is slightly above those of TTN and TESH",
                   at_all_sizes({"sttn", "ttn", "tesh"}, quantity::cost, is_higher, lost_gates_of_all)));
  p.add(claim_item(
      "Fig. 6", "the average distance of STTN is remarkably below TESH's, far below those of torus and mesh",
      at_all_sizes({"sttn", "tesh", "torus", "mesh"}, quantity::mean, is_lower, lost_gates_of_all)));
  p.add(claim_item("Fig. 6", "with 2^20 nodes the average distance is below TTN's",
                   largest({"sttn", "ttn"}, quantity::mean)));
  for (const network_measure& what : {quantity::diameter, quantity::mean})
    p.add(changed(
        claim_item("Sect. VI",
                   fmt::format("for very large networks the {} of STTN is lower than those of TTN, TESH, "
                               "torus and mesh",
                               what.name),
                   largest({"sttn", "ttn", "tesh", "torus", "mesh"}, what)),
        [](verdict& v, evidence&) { v.reading += "; very large: 2^20 nodes, as Sect. V.D has it"; }));
  p.add(formula_item("Eq. 3", "D_BM, the diameter of a 4x4 torus, is 4", {"torus:4x4"}, quantity::diameter,
                     {4}));
  p.add(changed(hops_by_level_item("Eq. 3", ttn_kind::sttn, ""),
                [](verdict& v, evidence&) { v = resting_on(std::move(v), lost_gates); }));
}

void add_connectivity(paper& p) {
  const auto row = [&](const char* name, const char* spec, double degree, double arcs) {
    return printed_row{
        name, choice_of(spec), {{quantity::degree, degree}, {quantity::arc_connectivity, arcs}}};
  };
  std::vector<printed_row> rows = {row("2D mesh", "mesh:64x64", 4, 2), row("2D torus", "torus:64x64", 4, 4),
                                   row("TESH", "tesh:2,3,0", 4, 2), row("TTN", "ttn:2,3,0", 6, 4),
                                   row("STTN", "sttn:2,3,0", 6, 4)};
  rows[2].values[1].open =
      "the text gives no size: by maximum flow it is 2 with 256 nodes and 3 with 4096 and 65,536, where "
      "gates "
      "for two levels at the corners leave no node with two links; with 2^20 every node has four";
  rows[4].values[0].open = std::string(lost_gates) + "; with Level 5 the degree is 6 with any gates";
  rows[4].values[1].reading = "with any gates: a module is a torus, and four links leave it at least";
  for (printed_row& r : rows) {
    r.reading = "4096 nodes (the text gives no size)";
    if (r.network == "2D mesh" || r.network == "2D torus" || r.network == "TTN")
      r.reading = "4096 nodes; the text gives no size, and 256 give the same";
    p.add(row_item("Table 1", r, true));
  }
  const auto against = [](const std::vector<std::string>& others, const network_measure& value,
                          bool (*good)(double, double), const std::string& open) {
    claim_question q{{{}}, value, good, "", value == quantity::fault_tolerance, open};
    q.groups[0].specs = {"sttn:2,3,0"};
    q.groups[0].specs.insert(q.groups[0].specs.end(), others.begin(), others.end());
    return q;
  };
  const auto add = [&](const char* name, const std::string& words, const claim_question& question,
                       const std::string& reading) {
    p.add(changed(claim_item(name, words, question),
                  [reading](verdict& v, evidence&) { v.reading = "4096 nodes" + reading; }));
  };
  add("Sect. V.A", "the degree is higher than those of mesh, torus and TESH",
      against({"mesh:64x64", "torus:64x64", "tesh:2,3,0"}, quantity::degree, is_higher, ""),
      "; with any gates STTN has 5 or 6 links, TESH 4 at most");
  add("Sect. V.F", "STTN is as fault tolerant (arc connectivity over degree) as TTN",
      against({"ttn:2,3,0"}, quantity::fault_tolerance, is_equal, lost_gates), "");
  add("Sect. V.F", "STTN is more fault tolerant (arc connectivity over degree) than mesh and TESH",
      against({"mesh:64x64", "tesh:2,3,0"}, quantity::fault_tolerance, is_higher, lost_gates), "");
  add("Sect. V.F", "the torus is more fault tolerant (arc connectivity over degree) than all the networks",
      {{{{"torus:64x64", "mesh:64x64", "tesh:2,3,0", "ttn:2,3,0", "sttn:2,3,0"}}},
       quantity::fault_tolerance,
       is_higher,
       "",
       true},
      "; with any gates STTN has 4/5 or 4/6");
}

}  // namespace

unsigned sttn_least_cost() {
  const auto ports = [](unsigned node) { return unsigned(node / 4 % 3 == 0) + unsigned(node % 4 % 3 == 0); };
  unsigned least = ~0U;
  for (unsigned code = 0; code < 1U << 16; ++code) {
    const std::array<unsigned, 4> gates = {code & 15, code >> 4 & 15, code >> 8 & 15, code >> 12};
    unsigned most = 0;
    bool fits = true;
    for (const unsigned gate : gates) {
      const auto used = unsigned(std::count(gates.begin(), gates.end(), gate));
      fits = fits && used <= ports(gate);
      most = std::max(most, used);
    }
    if (fits) least = std::min(least, (4 + most) * diameter_with(gates));
  }
  return least;
}

paper sttn2009() {
  paper p{"sttn2009", "Symmetric Tori Connected Torus Network",
          "F. Al Faisal, M.M. Hafizur Rahman, 12th Int. Conf. on Computer and Information Technology, 2009"};
  p.add(free_ports_item("Sect. II", "sttn:2,5,0"));
  p.add(highest_level_item("Sect. II", "sttn", 0));
  p.add(formula_item("Sect. II", "the network has 2^(2mL) nodes, 1 million at Level 5", specs_of("sttn"),
                     quantity::nodes, {256, 4096, 65536, 1048576}));
  add_connectivity(p);
  add_distances(p);
  add_bisection(p);
  p.add(formula_item("Sect. V.F",
                     "the longest links of Level-2 and Level-3 networks are 12 and 48 node pitches",
                     {"sttn:2,2,0", "sttn:2,3,0"}, quantity::longest_link, {12, 48}, "", lost_gates));
  p.add(formula_item("Sect. V.F", "the wrap-around links of a BM are 2^m - 1 = 3 node pitches long",
                     {"torus:4x4"}, quantity::longest_link, {3}));
  p.unjudged = {{"Sect. II: L_max = 2^(m-q+1) in the number of nodes",
                 "misprint: two sentences before it is 2^(m-q) + 1"},
                {"Sect. II: m = 3 gives 64, 4096 and 262,144 nodes", "follows: 2^(2mL)"}};
  return p;
}

}  // namespace toriscope
