// SPDX-License-Identifier: Apache-2.0
// Arc connectivity against Boost, bisections against known ones and against all halvings of small networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/error_of_test.h"
#include "topologies/analysis/analysis.h"
#include "topologies/analysis/bisection.h"
#include "topologies/analysis/link_budget.h"
#include "topologies/analysis/link_cut.h"
#include "topologies/analysis/metis_parts.h"
#include "topologies/analysis/undirected_wires.h"
#include "topologies/bfs_oracle.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

netlist random_network(unsigned nodes, unsigned wires, unsigned seed) {
  netlist net("random", {nodes}, {{"node", 1}});
  std::vector<std::string> names;
  for (unsigned p = 0; p < 12; ++p) names.push_back("p" + std::to_string(p));
  const std::vector<std::string_view> ports(names.begin(), names.end());
  for (unsigned n = 0; n < nodes; ++n) net.add_node(ports);
  std::vector<port_id> used(nodes, 0);
  std::set<std::pair<node_id, node_id>> there;
  const auto draw = [&] { return (seed = seed * 1664525u + 1013904223u) >> 16; };
  const auto join = [&](node_id a, node_id b) {
    if (a == b || used[a] >= 12 || used[b] >= 12 || !there.insert(std::minmax(a, b)).second) return;
    net.connect(a, used[a], b, used[b], 1, 1);
    if (draw() % 2 == 0) net.connect(b, used[b], a, used[a], 1, 1);
    ++used[a];
    ++used[b];
  };
  for (node_id n = 1; n < nodes; ++n) join(n, draw() % n);
  for (unsigned w = 0; w < wires; ++w) join(draw() % nodes, draw() % nodes);
  return net;
}

TEST(link_cut, as_boost_finds_it) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const netlist net = random_network(6 + seed % 20, 10 + seed % 60, seed * 7 + 1);
    EXPECT_EQ(least_link_cut(net), arc_connectivity(net)) << seed;
  }
}

TEST(link_cut, two_clusters_with_few_wires_between) {
  // Every node has 4 wires and more, the clusters three between them.
  netlist net("clusters", {2, 7}, {{"cluster", 1}, {"node", 1}});
  for (node_id n = 0; n < 14; ++n) net.add_node({"0", "1", "2", "3", "4", "5", "6"});
  const auto join = [&](node_id a, port_id p, node_id b, port_id q) { net.connect(a, p, b, q, 1, 1); };
  for (const node_id first : {0u, 7u})
    for (unsigned a = 0; a < 7; ++a)
      for (unsigned b = a + 1; b < 7; ++b)
        join(first + a, static_cast<port_id>(b - 1), first + b, static_cast<port_id>(a));
  for (const node_id n : {1u, 3u, 5u}) join(n, 6, n + 7, 6);
  EXPECT_EQ(least_link_cut(net), 3u);
  EXPECT_EQ(arc_connectivity(net), 3u);
}

TEST(link_cut, of_regular_networks) {
  for (const auto& [spec, cut] : {std::pair{"mesh:16x16", 2u},
                                  {"torus:16x16", 4u},
                                  {"cube:2,8", 8u},
                                  {"torus:5x5x5", 6u},
                                  {"ttn:2,2,0", 4u},
                                  {"torus:64x64", 4u},
                                  {"cube:2,12", 12u}})
    EXPECT_EQ(least_link_cut(*make_topology(spec).wiring), cut) << spec;
}

/// The first wire of node 0 leads from the triangle of the even nodes to that of the odd ones.
TEST(link_cut, a_bridge_is_the_first_wire) {
  netlist net("triangles", {6}, {{"node", 1}});
  for (node_id n = 0; n < 6; ++n) net.add_node({"a", "b", "c"});
  std::vector<port_id> used(6, 0);
  for (const auto& [a, b] :
       {std::pair(0u, 1u), std::pair(0u, 2u), std::pair(2u, 4u), std::pair(0u, 4u), std::pair(1u, 3u),
        std::pair(3u, 5u), std::pair(1u, 5u)})
    net.connect(a, used[a]++, b, used[b]++, 1, 1);
  EXPECT_EQ(least_link_cut(net), 1u);
}

TEST(link_cut, apart_is_none_and_parallel_wires_are_several) {
  netlist apart("apart", {2}, {{"node", 1}});
  for (node_id n = 0; n < 2; ++n) apart.add_node({"a", "b"});
  EXPECT_EQ(least_link_cut(apart), 0u);
  apart.connect(0, 0, 1, 0, 1, 1);
  apart.connect(0, 1, 1, 1, 1, 1);
  EXPECT_EQ(least_link_cut(apart), 2u);
  netlist pairs("pairs", {4}, {{"node", 1}});
  for (node_id n = 0; n < 4; ++n) pairs.add_node({"a"});
  for (node_id n = 0; n < 4; ++n) pairs.connect(n, 0, n ^ 1u, 0, 1, 1);
  EXPECT_EQ(least_link_cut(pairs), 0u) << "each node has a wire, and still they are not connected";
}

TEST(bisection, counted_as_in_the_papers) {
  for (const auto& [spec, links] : {std::pair{"mesh:2", 1u},
                                    {"mesh:16x16", 16u},
                                    {"mesh:64x64", 64u},
                                    {"torus:16x16", 32u},
                                    {"torus:64x64", 128u},
                                    {"torus:4x8", 8u},
                                    {"cube:2,12", 2048u},
                                    {"torus:5x5", 12u},
                                    {"mesh:5x5", 6u},
                                    {"ttn:2,2,0", 8u},
                                    {"ttn:2,2,2", 32u},
                                    {"ttn:2,3,0", 128u},
                                    {"ttn:2,3,1", 256u},
                                    {"ttn:2,4,0", 2048u}}) {
    const topology network = make_topology(spec);
    const counted_cut cut = count_natural_cut(*network.wiring);
    EXPECT_EQ(cut.links, links) << spec;
    EXPECT_EQ(links_across(*network.wiring, cut).size(), cut.directed_links) << spec;
  }
  // Dally 1990, Eq. 6: 2 W N / k directed links in unidirectional k-ary n-cubes, and their two directions.
  EXPECT_EQ(count_natural_cut(*make_topology("ucube:8,2").wiring).directed_links, 16u);
  EXPECT_EQ(count_natural_cut(*make_topology("ucube:4,4").wiring).directed_links, 128u);
}

/// By hand: a torus of 4 by 8 is cut across its rows of 8, which the last digit counts.
TEST(bisection, says_where_it_cuts) {
  const auto words = [](const char* spec) { return count_natural_cut(*make_topology(spec).wiring).words; };
  EXPECT_EQ(words("torus:4x8"), "digit a0: 0..3 against 4..7");
  EXPECT_EQ(words("torus:8x4"), "digit a1: 0..3 against 4..7");
  EXPECT_EQ(words("mesh:5x5"), "lower half of the node numbers against the upper half");
  EXPECT_EQ(words("fattree:2,3"), "lower half of the terminals against the upper half, the fewest links");
}

TEST(bisection, takes_the_first_of_equal_digits_and_none_of_inner_levels) {
  const counted_cut torus = count_natural_cut(*make_topology("torus:4x4").wiring);
  EXPECT_EQ(torus.digit, 0);
  EXPECT_EQ(torus.words, "digit a1: 0..1 against 2..3");
  // Two modules of two nodes: two wires between them, one within the first.
  netlist net("pairs", {2, 2}, {{"bm", 1}, {"node", 1}});
  for (node_id n = 0; n < 4; ++n) net.add_node({"a", "b"});
  for (const node_id n : {0u, 1u}) net.connect(n, 0, n + 2, 0, 2, 1);
  net.connect(0, 1, 1, 1, 1, 1);
  const counted_cut between = count_natural_cut(net);
  EXPECT_EQ(between.links, 2u);
  EXPECT_EQ(between.words, "digit a1: 0..0 against 1..1");
}

/// On a line of four, by hand: terminal 1 and 2 are both at node 1, which belongs to the lower half.
TEST(bisection, halves_the_terminals_where_node_1_alone_has_another_number) {
  netlist net("line", {4}, {{"node", 1}});
  for (node_id n = 0; n < 4; ++n) net.add_node({"next", "last"});
  for (node_id n = 0; n < 3; ++n) net.link(net.connect(n, 0, n + 1, 1, 1, 1)).flit_cycles = 4;
  net.set_terminals({0, 1, 1, 2, 3});
  const counted_cut cut = count_natural_cut(net);
  EXPECT_EQ(cut.words, "lower half of the terminals against the upper half, the fewest links");
  EXPECT_EQ(cut.upper, (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(cut.links, 1u);
  EXPECT_EQ(cut.directed_links, 1u);
  EXPECT_DOUBLE_EQ(cut.flits_per_cycle, 0.25) << "a flit in four cycles";
  EXPECT_EQ(links_across(net, cut), std::vector<link_id>{1});
}

/// The least cut of all halvings.
std::uint64_t exhaustive_bisection(const netlist& net) {
  const undirected_wires graph(net);
  const unsigned nodes = graph.nodes();
  std::uint64_t best = ~std::uint64_t{0};
  for (unsigned set = 0; set < 1u << (nodes - 1); ++set) {
    const auto size = static_cast<unsigned>(__builtin_popcount(set));
    if (size != nodes / 2 && size != nodes - nodes / 2) continue;
    std::uint64_t cut = 0;
    for (node_id a = 0; a < nodes; ++a)
      for (const auto* e = graph.begin(a); e != graph.end_of(a); ++e)
        cut += a < e->other && (set >> a & 1u) != (set >> e->other & 1u);
    best = std::min(best, cut);
  }
  return best;
}

/// Rings of routers with these numbers of terminals.
std::shared_ptr<netlist> ring_with(const std::vector<unsigned>& terminals) {
  const auto nodes = static_cast<node_id>(terminals.size());
  auto net = std::make_shared<netlist>("ring", std::vector<unsigned>{nodes}, std::vector<hierarchy_level>{{"node", 1}});
  std::vector<node_id> at;
  for (node_id n = 0; n < nodes; ++n) {
    net->add_node({"next", "last"});
    at.insert(at.end(), terminals[n], n);
  }
  for (node_id n = 0; n < nodes; ++n) {
    net->connect(n, 0, (n + 1) % nodes, 1, 1, 1);
    net->connect((n + 1) % nodes, 1, n, 0, 1, 1);
  }
  net->set_terminals(at);
  return net;
}

/// By hand: the other side of a ring is two links away, whichever node has most terminals.
TEST(bisection, a_router_with_terminals_of_both_halves_goes_where_most_of_them_are) {
  const std::string unequal = ", as no router is cut in two; the fewest links";
  for (const auto& [terminals, words] :
       {std::pair{std::vector<unsigned>{1, 1, 1, 6}, "3 terminals against 6" + unequal},
        {{6, 1, 1, 1}, "6 terminals against 3" + unequal},
        {{1, 4, 0}, "1 terminals against 4" + unequal},
        {{4, 1, 0}, "4 terminals against 1" + unequal},
        {{1, 3, 1}, "1 terminals against 4" + unequal},
        {{2, 2, 1, 0}, "lower half of the terminals against the upper half, the fewest links"}}) {
    const auto net = ring_with(terminals);
    const counted_cut cut = count_natural_cut(*net);
    EXPECT_EQ(cut.links, 2u) << cut.words;
    EXPECT_EQ(cut.words, words);
    EXPECT_EQ(cut.equal, cut.words.find("half") != std::string::npos);
  }
  const auto tree = make_topology("fattree:3,2").wiring;
  EXPECT_EQ(count_natural_cut(*tree).words, "3 terminals against 6, as no router is cut in two; the fewest links");
  EXPECT_EQ(search_bisection(*tree, count_natural_cut(*tree)), exhaustive_bisection(*tree))
      << "a cut into unequal parts is no bound of the halves";
}

/// The least cut of all ways to put the other routers on a side.
std::uint64_t exhaustive_terminal_cut(const netlist& net) {
  std::vector<int> side(net.node_count(), -1), more_above(net.node_count());
  for (terminal_id t = 0; t < net.terminal_count(); ++t)
    for (const node_id node : {net.terminal(t).node, net.terminal(t).exit}) {
      more_above[node] += t < net.terminal_count() / 2 ? -1 : 1;
      side[node] = more_above[node] > 0;
    }
  std::vector<node_id> open;
  for (node_id node = 0; node < net.node_count(); ++node)
    if (side[node] < 0) open.push_back(node);
  std::uint64_t best = ~std::uint64_t{0};
  for (std::uint64_t set = 0; set >> open.size() == 0; ++set) {
    for (std::size_t i = 0; i < open.size(); ++i) side[open[i]] = set >> i & 1U;
    std::uint64_t cut = 0;
    for (const netlist_link& l : net.links()) cut += side[l.from] != side[l.to];
    best = std::min(best, cut);
  }
  return best;
}

TEST(bisection, halves_the_terminals_where_routers_have_unequal_numbers) {
  for (const char* spec :
       {"fattree:2,3", "fattree:2,2", "fattree:3,2", "butterfly:2,2", "butterfly:2,3", "chiplets:mesh:2x2+mesh:2x2"}) {
    const auto net = make_topology(spec).wiring;
    EXPECT_EQ(count_natural_cut(*net).directed_links, exhaustive_terminal_cut(*net)) << spec;
  }
  EXPECT_EQ(count_natural_cut(*make_topology("fattree:4,3").wiring).links, 32u) << "k^n / 2";
  EXPECT_EQ(count_natural_cut(*make_topology("butterfly:8,2").wiring).links, 32u) << "not all of its 64 links";
  EXPECT_EQ(count_natural_cut(*make_topology("chiplets:mesh:2x2+mesh:4x4").wiring).links, 2u)
      << "of the interposer";
  EXPECT_EQ(count_natural_cut(*make_topology("cmesh:4x4,4").wiring).links, 4u)
      << "equal numbers: digits, as ever";
}

TEST(bisection, the_search_finds_the_best_of_small_networks) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const netlist net = random_network(14 + seed % 3, 20 + 2 * seed, seed * 13 + 5);
    EXPECT_EQ(search_bisection(net, count_natural_cut(net)), exhaustive_bisection(net)) << seed;
  }
}

TEST(bisection, halves_are_evened_out_and_improved_as_long_as_an_exchange_saves_a_wire) {
  const auto improved = [](unsigned nodes, const std::vector<std::pair<node_id, node_id>>& wires,
                           const std::string& upper) {
    netlist net("drawn", {nodes}, {{"node", 1}});
    std::vector<port_id> used(nodes, 0);
    for (unsigned n = 0; n < nodes; ++n) net.add_node({"0", "1", "2"});
    for (const auto& [a, b] : wires) net.connect(a, used[a]++, b, used[b]++, 1, 1);
    std::vector<bool> halves;
    for (const char c : upper) halves.push_back(c == '1');
    return improved_cut(undirected_wires(net), halves);
  };
  const std::vector<std::pair<node_id, node_id>> line{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
  const std::vector<std::pair<node_id, node_id>> line_of_4(line.begin(), line.begin() + 3);
  EXPECT_EQ(improved(4, line_of_4, "0011"), 1u) << "nothing is to be saved";
  EXPECT_EQ(improved(4, line_of_4, "0110"), 1u) << "one of two";
  EXPECT_EQ(improved(4, line_of_4, "0101"), 1u) << "two of three";
  for (const char* uneven : {"000001", "100000", "000000", "111111", "111011"})
    EXPECT_EQ(improved(6, line, uneven), 1u) << uneven;
  // Two triangles with a wire between them: five wires across, and one when 2 and 3 have changed sides.
  const std::vector<std::pair<node_id, node_id>> triangles{{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}};
  EXPECT_EQ(improved(6, triangles, "001011"), 1u);
  // Of an odd number the pairs end with the smaller half: node 0 does not join the others.
  for (const char* odd : {"100", "011"})
    EXPECT_EQ(improved(3, {{0, 1}, {1, 2}}, odd), 1u) << odd;
}

/// By the definition, counted anew in every step: from the larger half goes the node that saves most - of equal ones
/// that with the highest number - until the halves are even; then such nodes of both halves change sides, pair by pair,
/// and what was best stays, as long as it saves a wire.
std::uint64_t improved_step_by_step(node_id nodes, const std::vector<std::pair<node_id, node_id>>& wires,
                                    std::vector<bool> upper) {
  std::vector<bool> free(nodes, true);
  const auto cut = [&] {
    return std::count_if(wires.begin(), wires.end(),
                         [&](const auto& wire) { return upper[wire.first] != upper[wire.second]; });
  };
  const auto size_of = [&](bool side) { return std::count(upper.begin(), upper.end(), side); };
  const auto move_from = [&](bool side) {
    std::pair<int, node_id> best{-1000, 0};
    for (node_id n = 0; n < nodes; ++n) {
      if (!free[n] || upper[n] != side) continue;
      int saved = 0;
      for (const auto& [a, b] : wires)
        if (a == n || b == n) saved += upper[a] != upper[b] ? 1 : -1;
      best = std::max(best, {saved, n});
    }
    upper[best.second] = !side;
    free[best.second] = false;
    return best.first;
  };
  while (std::abs(size_of(true) - size_of(false)) > 1) move_from(size_of(true) > size_of(false));
  for (auto before = cut() + 1; cut() < before;) {
    before = cut();
    free.assign(nodes, true);
    std::vector<bool> kept = upper;
    int saved = 0, most = 0;
    for (auto pairs = std::min(size_of(true), size_of(false)); pairs > 0; --pairs) {
      saved += move_from(false);
      saved += move_from(true);
      if (saved <= most) continue;
      most = saved;
      kept = upper;
    }
    upper = kept;
  }
  return static_cast<std::uint64_t>(cut());
}

TEST(bisection, halves_are_improved_by_the_pairs_that_save_most) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 300; ++round) {
    const netlist net = random_network(3 + round % 14, static_cast<unsigned>(random() % 40), round * 11 + 3);
    const undirected_wires graph(net);
    std::vector<std::pair<node_id, node_id>> wires;
    for (node_id a = 0; a < graph.nodes(); ++a)
      for (const auto* e = graph.begin(a); e != graph.end_of(a); ++e)
        if (a < e->other) wires.emplace_back(a, e->other);
    std::vector<bool> upper;
    for (node_id n = 0; n < graph.nodes(); ++n) upper.push_back(random() % 3 == 0);
    EXPECT_EQ(improved_cut(graph, upper), improved_step_by_step(graph.nodes(), wires, upper)) << round;
  }
}

TEST(bisection, seeds_of_the_search_lead_to_halves_that_differ) {
  const undirected_wires torus(*make_topology("torus:8x8").wiring);
  std::set<std::vector<std::uint32_t>> halves;
  for (int seed = 1; seed <= 4; ++seed) {
    halves.insert(metis_parts(torus, 2, seed));
    EXPECT_EQ(metis_parts(torus, 2, seed), metis_parts(torus, 2, seed)) << "but each to the same";
  }
  EXPECT_GT(halves.size(), 1u);
}

TEST(bisection, the_search_finds_known_widths) {
  for (const auto& [spec, links] : {std::pair{"mesh:8x8", 8u},
                                    {"torus:8x8", 16u},
                                    {"mesh:7x6", 7u},
                                    {"cube:2,8", 128u},
                                    {"torus:4x16", 8u},
                                    {"mesh:5x5", 6u}}) {
    const auto net_wiring = make_topology(spec).wiring;
    const netlist& net = *net_wiring;
    EXPECT_EQ(search_bisection(net, count_natural_cut(net)), links) << spec;
  }
}

TEST(bisection, never_worse_than_counted) {
  for (const char* spec : {"ttn:2,2,0", "ttn:2,2,1", "ttn:2,2,2", "fattree:2,3", "fattree:4,2", "butterfly:2,3"}) {
    const auto net_wiring = make_topology(spec).wiring;
    const netlist& net = *net_wiring;
    const counted_cut cut = count_natural_cut(net);
    EXPECT_LE(search_bisection(net, cut), cut.links) << spec;
  }
}

TEST(link_budget, is_divided_among_links) {
  const auto width = [](const char* spec, const char* budget, unsigned flit_bits) {
    const topology made = make_topology(spec);
    const budgeted_width w = width_within(*made.wiring, parse_link_budget(budget), flit_bits);
    set_link_widths(*made.wiring, budget, flit_bits);
    for (const netlist_link& l : std::as_const(*made.wiring).links()) EXPECT_EQ(l.flit_cycles, w.flit_cycles);
    return std::make_tuple(w.shares, w.bits, w.flit_cycles);
  };
  using t = std::tuple<std::uint64_t, unsigned, unsigned>;
  // Dally 1990, Eq. 6: a torus has twice the links of a mesh across, both ways 4 and 2 times the side.
  EXPECT_EQ(width("torus:8x8", "bisection:1024", 128), t(32, 32, 4));
  EXPECT_EQ(width("mesh:8x8", "bisection:1024", 128), t(16, 64, 2));
  EXPECT_EQ(width("mesh:8x8", "bisection:1039", 128), t(16, 64, 2)) << "whole bits";
  EXPECT_EQ(width("mesh:8x8", "bisection:5000", 128), t(16, 128, 1)) << "as wide as a flit at most";
  EXPECT_EQ(width("cube:2,6", "pins:480", 64), t(12, 40, 2));
  EXPECT_EQ(width("mesh:2x3", "wires:140", 64), t(14, 10, 7));
  EXPECT_EQ(width("torus:4x4", "wires:768", 64), t(96, 8, 8))
      << "wrap links are 3 long: 8 rings of 2 (3 + 3)";
  EXPECT_EQ(width("mesh:1x2", "pins:510", 510), t(2, 255, 2));
  EXPECT_EQ(width("mesh:1x2", "pins:4", 510), t(2, 2, 255)) << "the narrowest";
  EXPECT_EQ(width("mesh:1x2", "pins:2", 255), t(2, 1, 255));
  EXPECT_EQ(width("crossbar:4", "pins:1", 64), t(0, 64, 1)) << "without links there is nothing to divide";
}

TEST(link_budget, says_what_it_is_divided_among) {
  const auto words = [](const char* budget) {
    return width_within(*make_topology("mesh:2x3").wiring, parse_link_budget(budget), 64).words;
  };
  EXPECT_EQ(words("bisection:1000"), "6 links across the bisection");
  EXPECT_EQ(words("pins:1000"), "6 links of a node");
  EXPECT_EQ(words("wires:1000"), "14 node pitches of links");
}

TEST(link_budget, refuses) {
  const auto refusal = [](const char* budget, unsigned flit_bits = 64) {
    const topology made = make_topology("torus:8x8");
    return error_of([&] { set_link_widths(*made.wiring, budget, flit_bits); });
  };
  EXPECT_EQ(refusal("area:12"), "equal: 'area:12': expected bisection:BITS, pins:BITS or wires:BITS");
  EXPECT_EQ(refusal("pins"), "equal: 'pins': expected a number of bits: pins:1024");
  EXPECT_EQ(refusal("pins:0"), "equal: 'pins:0': expected a number of bits: pins:1024");
  EXPECT_EQ(refusal("pins:-3"), "equal: 'pins:-3': expected a number of bits: pins:1024");
  EXPECT_EQ(
      refusal("bisection:31"),
      "equal: 'bisection:31': 32 links across the bisection; flits of 64 bits need at least bisection:32");
  EXPECT_EQ(
      refusal("bisection:63", 256),
      "equal: 'bisection:63': 32 links across the bisection; flits of 256 bits need at least bisection:64");
  const topology star = make_topology("star:4");
  EXPECT_EQ(error_of([&] { set_link_widths(*star.wiring, "wires:5000", 64); }),
            "equal: 'wires': star has no layout; expected bisection:BITS or pins:BITS");
  const topology own = make_topology("torus:8x8");
  own.wiring->set_own_values(3, {0, 16});
  EXPECT_EQ(error_of([&] { set_link_widths(*own.wiring, "pins:64", 64); }),
            "equal: 'pins:64': links of this network have widths of their own; leave one of them out");
}

}  // namespace
}  // namespace toriscope
