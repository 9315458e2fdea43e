// SPDX-License-Identifier: Apache-2.0
// HTN 2012 without a simulation: sizes, the worked example, the theorems by channel-dependency graphs, the
// zero-load column, and the arithmetic of Table I.
#include <fmt/format.h>

#include <functional>
#include <numeric>

#include "base/words.h"
#include "testbenches/experiments/papers/htn2012_items.h"
#include "testbenches/experiments/papers/proofs.h"
#include "testbenches/experiments/papers/static_claims.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "topologies/htn/htn_shape.h"
#include "topologies/path.h"
#include "topologies/vc_classes.h"

namespace toriscope {

namespace {

paper_item count_item(const std::string& item, double printed, double ours, provenance source) {
  const std::string name = "Sect. II: " + item;
  const verdict v = judge_number(name, source, printed, ours, tolerance::as_printed(0));
  return {name, [v](evidence&) { return std::vector<verdict>{v}; }};
}

void add_sizes(paper& p) {
  const auto nodes = [](const htn_shape& shape) {
    const std::vector<unsigned> radices = shape.radices();
    return std::accumulate(radices.begin(), radices.end(), 1.0, std::multiplies<>());
  };
  const auto gates_of_a_level = [](unsigned q) {
    double ports = 0;
    for (const htn_ring& ring : htn_rings({htn_kind::htn, 4, 4, 2, q})) ports += 2.0 * ring.gates.size();
    return ports;
  };
  p.add(count_item("highest level of (4x4x4) modules with q = 0", 5, htn_highest_level(4, 0),
                   provenance::equation));
  p.add(count_item("nodes of the HTN with m = n = 4 and q = 0 at its highest level", 4194304,
                   nodes({htn_kind::htn, 4, 4, 5, 0}), provenance::equation));
  p.add(count_item("nodes of the Level-2 HTN with m = n = 8", 32768, nodes({htn_kind::htn, 8, 8, 2, 0}),
                   provenance::equation));
  p.add(count_item("free links of a (4x4x4) module for a higher level, q = 0", 16, gates_of_a_level(0),
                   provenance::equation));
  p.add(count_item("free ports of a (4x4x4) module, all in use with q = 2", 64, gates_of_a_level(2),
                   provenance::equation));
  p.add(formula_item("Sect. II", "the node degree is 8", {"htn:4,4,2,0", "htn:4,4,2,1", "htn:4,4,2,2"},
                     quantity::degree, {8, 8, 8}));
}

verdict worked_example(analysis_store&) {
  const topology net = make_topology("htn:4,4,3,0");
  const auto find = [&](const std::string& address) {
    node_id node = 0;
    while (net.wiring->address(node) != address) ++node;
    return node;
  };
  std::string outlet;
  for (const hop& h : walk(*net.wiring, *net.routing, find("00.00.000"), find("11.31.230"), 4)) {
    outlet = net.wiring->address(h.node);
    if (begins_with(net.wiring->port_name(h.node, h.out_port), "L3")) break;
  }
  return undetermined(checked(outlet == "00.00.130", "by " + outlet),
                      "the text does not give the planes of a level; ours are chosen to fit this example");
}

/// With 3 VCs.
proof_case case_of(const std::string& spec, const char* routing, const char* gates, const char* ties,
                   const char* rule) {
  return {spec, {{"routing", routing}, {"gates", gates}, {"ties", ties}, {"vc-rule", rule}, {"vcs", "3"}}};
}

/// CS and LS in a k-ary 3-cube: the modules of an HTN are such cubes, and with P3 a packet that stays in its
/// module has one class of VCs before a wrap link and another from it on. Free together with all others, it
/// is free without them; and free with several VCs in a class, it is free with one.
void add_selection_lemmas(paper& p) {
  for (const auto& [lemma, routing] : {std::pair{"Lemma 2", "cs"}, {"Lemma 3", "ls"}})
    p.add(checked_item(lemma, fmt::format("{} in a k-ary n-cube is free of deadlock with 2 VCs", routing),
                       [routing = routing](analysis_store&) {
                         std::vector<proof_case> cases;
                         for (const char* const spec : {"htn:4,2,2,0", "htn:5,2,2,0", "htn:8,2,2,0"})
                           cases.push_back(case_of(spec, routing, "nearest", "positive", "P3"));
                         verdict v = judge_proofs(cases);
                         v.reading =
                             "k = 4, 5, 8 and n = 3: the modules of these networks; packets that stay in one "
                             "have two classes of VCs, one before a wrap link and one from it on";
                         return v;
                       }));
}

/// With the VCs that Theorem 1 assigns, whatever the gates and the way half round a ring; and with three VCs
/// assigned otherwise.
void add_theorems(paper& p) {
  const auto torus = [](const std::string& spec) {
    return [spec](analysis_store&) {
      verdict v = judge_proofs({{spec, {{"vc-rule", "dateline"}, {"vcs", "2"}}}});
      v.reading = "VC rule dateline (VC 1 from the wrap link on); rings of 4; any way half round a ring";
      return v;
    };
  };
  p.add(checked_item("Lemma 1", "routed z, y, x, a 3D torus is free of deadlock with 2 VCs",
                     torus("torus:4x4x4")));
  p.add(checked_item("Corollary 1", "routed y, x, a 2D torus is free of deadlock with 2 VCs",
                     torus("torus:4x4")));
  for (const auto& [theorem, routing] :
       {std::pair{"Theorem 1", "dor"}, {"Theorem 2", "cs"}, {"Theorem 3", "ls"}, {"Theorem 4", "ls+cs"}})
    p.add(checked_item(
        theorem, fmt::format("{} is free of deadlock with 3 VCs", routing),
        [routing = routing](analysis_store&) {
          std::vector<proof_case> cases;
          for (const char* const gates : {"nearest", "destination"})
            for (const char* const ties : {"positive", "nowrap"}) {
              cases.push_back(case_of(htn_network, routing, gates, ties, "paper"));
              cases.back().words = fmt::format("gates {}, ties {}", gates, ties);
            }
          const proof_case other = case_of(htn_network, routing, "nearest", "positive", "P3");
          const std::string why =
              routing == std::string("dor")
                  ? "a packet on its last leg shares its VCs with those on their way out of the same module, and "
                    "waits for one; the positive way, besides, wrap links in a module carry no dateline, so that a "
                    "ring of modules closes over them; with gates in the destination's row, besides, a packet "
                    "between its two rings of modules waits for one on its way to the first; "
                  : "the cycles that the commands print; their causes are worked out for DOR only (Theorem 1); ";
          verdict v = judge_proofs(
              cases, why + (other.is_free() ? "three VCs are enough, assigned differently: " + other.command()
                                            : "three VCs assigned as P3 have a cycle, too"));
          v.reading =
              "VCs as the proof assigns them; gates nearest or in the destination's row, ties (half "
              "round a ring) the positive way or without the wrap link";
          return v;
        }));
}

/// Mean hops of the packets that leave their node, as routed.
double mean_hops(const std::string& gates, const htn_row& row) {
  topology_options options;
  options.gates = gates;
  const topology net = make_for_analysis(htn_network, options);
  pattern_options how;
  how.hot_nodes = split(htn_hot_nodes, ',');
  const std::shared_ptr<const traffic_pattern> pattern = make_pattern(row.pattern, net.wiring, how);
  double packets = 0;
  const auto weights = [&](node_id source) {
    destination_weights w = pattern->weights(source);
    packets += w.every_other * (net.wiring->node_count() - 1);
    for (const auto& [node, weight] : w.points) packets += node == source ? 0 : weight;
    return w;
  };
  for (node_id source = 0; source < net.wiring->node_count(); ++source) weights(source);
  const double sent = packets;
  const analysis_request only_loads{false, false, false, false, false};
  const network_analysis a = analyse(net, max_vcs, only_loads, weights);
  return std::accumulate(a.loads->loads.begin(), a.loads->loads.end(), 0.0) / sent;
}

/// Sect. IV-B: two cycles a hop. docs/model.md, "Zero-load latency", for packets of 16 flits.
double zero_load_cycles(double hops) { return 2 * hops + 33; }

/// Sect. IV-E: "the delay experienced by a packet is the routing delay for header selection". It takes
/// `cycles` in each of the h + 1 routers.
double with_header_selection(double hops, double cycles) {
  return zero_load_cycles(hops) + cycles * (hops + 1);
}

void add_zero_load(paper& p) {
  for (const htn_row& row : htn_table1()) {
    const std::string name = fmt::format("Table I: {}, DOR zero-load latency", row.words);
    p.add(name, {}, [=](evidence&) {
      const double hops = mean_hops("destination", row);
      verdict v =
          judge_readings(name, provenance::built, row.zero_load[0],
                         {{"no time for the header selection, 2 h + 33 (Sect. IV-B)", zero_load_cycles(hops)},
                          {"a cycle of it in each router, 3 h + 34 (Sect. IV-E gives no number)",
                           with_header_selection(hops, 1)},
                          {"two cycles of it, 4 h + 35", with_header_selection(hops, 2)}},
                         tolerance::relative(.02), "", left_open::quantity);
      v.reading = "gates destination; h the exact mean; " + v.reading;
      if (row.pattern == std::string("hotspot"))
        v.reading += std::string("; hot nodes (a guess) ") + htn_hot_nodes;
      v.others += fmt::format("; gates nearest: {:.7g}", zero_load_cycles(mean_hops("nearest", row)));
      return v;
    });
  }
}

/// The percentages of Table I (and Fig. 10) from its own columns.
void add_arithmetic(paper& p) {
  const tolerance rounding = tolerance::absolute(.01, "percentage points");
  for (const htn_row& row : htn_table1()) {
    const std::string name = fmt::format("Fig. 10: {}, from Table I's columns", row.words);
    p.add({name, [=](evidence&) {
             const auto judge = [&](const char* what, std::size_t i, double ours, const std::string& reason) {
               return judge_number(fmt::format("{}, {}", name, what), provenance::arithmetic, row.percents[i],
                                   ours, rounding, reason);
             };
             const double of_dor = 100 * (1 - row.latency[1] / row.latency[0]);
             const double increase = 100 * (row.zero_load[1] / row.zero_load[0] - 1);
             const double of_both = 100 * (row.latency[0] / row.latency[1] - 1);
             return std::vector<verdict>{
                 judge("throughput enhancement", 0, 100 * (row.throughput[1] / row.throughput[0] - 1), ""),
                 judge("latency reduction", 1, of_dor,
                       fmt::format("over LS+CS's latency, not over DOR's as Sect. IV-E says, it is {:.2f} %",
                                   of_both)),
                 judge("zero-load latency increase", 2, increase,
                       fmt::format("{} and {}{}", row.zero_load[0], row.zero_load[1],
                                   rounding.holds(row.percents[2], increase)
                                       ? ""
                                       : fmt::format("; {:.2f} would give it: one of the two is a misprint",
                                                     row.zero_load[0] * (1 + row.percents[2] / 100))))};
           }});
  }
}

}  // namespace

void add_htn_text(paper& p) {
  add_sizes(p);
  p.add(checked_item("Sect. III", "0000000 to 1131230 goes by the Level-3 outlet 0000130", worked_example));
  add_theorems(p);
  add_selection_lemmas(p);
  add_zero_load(p);
  add_arithmetic(p);
  p.unjudged = {
      {"Sect. II: a module of m = 8 has 512 nodes", "follows: from the Level-2 network's 32,768"},
      {"Sect. III-C: LS chooses only where the number of nodes in each direction is even",
       "follows, by direction: Eq. 3 has no solution in one with an odd number; in the others LS chooses"},
      {"Table I: zero-load latencies of LS+CS, and their increase (10 values)",
       "no number: the time of the header selection is not given"},
      {"Table I: latencies at the maximum throughput (10 values), and their reduction (Sect. IV-E, 5 values)",
       "undefined: the text gives no load, and near the maximum each load has another latency"},
      {"Sect. IV-D: differences of transfer time are trivial, not impressive", "no number"},
      {"Sect. IV-E: less than .5 % of latency for up to 16 % of throughput",
       "arithmetic of Table I: 16.2 %; 2.04 % of latency for the perfect shuffle, where 59.50 is a misprint "
       "of 58.50 if the "
       "printed .33 % holds (Fig. 10's rows)"}};
}

}  // namespace toriscope
