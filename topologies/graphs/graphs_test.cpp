// SPDX-License-Identifier: Apache-2.0
// Graphs to analyse: edges by their definitions, word by word; diameters against closed formulas and the RDT
// paper's Table 1.
#include "topologies/graphs/graphs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "topologies/bfs_oracle.h"
#include "topologies/graphs/simple_graph.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

/// Whether the netlist has an edge, once, exactly where `adjacent` says.
template <class Adjacent>
void expect_edges(const netlist& net, Adjacent adjacent) {
  std::multiset<std::pair<node_id, node_id>> found;
  for (const netlist_link& wire : net.links()) found.insert({wire.from, wire.to});
  for (node_id a = 0; a < net.node_count(); ++a)
    for (node_id b = 0; b < net.node_count(); ++b)
      ASSERT_EQ(found.count({a, b}), a != b && adjacent(a, b) ? 1u : 0u)
          << net.name() << " " << net.address(a) << " " << net.address(b);
  EXPECT_EQ(physical_links(net) * 2, net.links().size()) << "full duplex";
}

unsigned eccentricity(const netlist& net, node_id source) {
  const auto distances = bfs_distances(net, source);
  return *std::max_element(distances.begin(), distances.end());
}

unsigned diameter(const netlist& net) {
  unsigned largest = 0;
  for (node_id node = 0; node < net.node_count(); ++node)
    largest = std::max(largest, eccentricity(net, node));
  return largest;
}

/// Whether b is a with a letter shifted in at the end.
bool shifts(const std::vector<unsigned>& a, const std::vector<unsigned>& b) {
  return std::equal(a.begin() + 1, a.end(), b.begin());
}

TEST(graphs, de_bruijn) {
  for (const auto& [d, k] :
       {std::pair(2u, 1u), std::pair(2u, 2u), std::pair(2u, 6u), std::pair(3u, 4u), std::pair(5u, 2u)}) {
    const auto net = build_de_bruijn(d, k);
    expect_edges(*net, [&, &n = *net](node_id a, node_id b) {
      return shifts(n.digits(a), n.digits(b)) || shifts(n.digits(b), n.digits(a));
    });
    EXPECT_EQ(diameter(*net), k);
  }
}

TEST(graphs, loops_and_parallel_edges_are_dropped) {
  const auto net = build_de_bruijn(2, 4);
  const auto degree = [&](const std::vector<unsigned>& word) {
    return net->ports(net->node_at(word)).size();
  };
  EXPECT_EQ(degree({0, 0, 0, 0}), 2u);
  EXPECT_EQ(degree({0, 1, 0, 1}), 3u);
  EXPECT_EQ(degree({0, 0, 1, 0}), 4u);
  EXPECT_EQ(physical_links(*net), 2u * 16 - 2 - 1);
  EXPECT_EQ(physical_links(*build_de_bruijn(2, 12)), 2u * 4096 - 2 - 1);
}

TEST(graphs, kautz) {
  for (const auto& [d, k] :
       {std::pair(2u, 1u), std::pair(2u, 2u), std::pair(2u, 5u), std::pair(3u, 3u), std::pair(4u, 2u)}) {
    const auto net = build_kautz(d, k);
    std::set<std::vector<unsigned>> words;
    for (node_id node = 0; node < net->node_count(); ++node) {
      const auto word = kautz_word(d, k, node);
      EXPECT_EQ(kautz_node(d, word), node);
      EXPECT_EQ(std::adjacent_find(word.begin(), word.end()), word.end());
      EXPECT_LE(*std::max_element(word.begin(), word.end()), d);
      EXPECT_TRUE(words.insert(word).second);
    }
    expect_edges(*net, [d = d, k = k](node_id a, node_id b) {
      return shifts(kautz_word(d, k, a), kautz_word(d, k, b)) ||
             shifts(kautz_word(d, k, b), kautz_word(d, k, a));
    });
    EXPECT_EQ(diameter(*net), k);
  }
}

TEST(graphs, star) {
  for (unsigned n = 2; n <= 5; ++n) {
    const auto net = build_star(n);
    for (node_id node = 0; node < net->node_count(); ++node)
      EXPECT_EQ(star_node(star_permutation(n, node)), node);
    expect_edges(*net, [n](node_id a, node_id b) {
      const auto p = star_permutation(n, a);
      const auto q = star_permutation(n, b);
      unsigned differences = 0;
      for (unsigned i = 0; i < n; ++i) differences += p[i] != q[i];
      return differences == 2 && p[0] != q[0];
    });
    EXPECT_EQ(diameter(*net), 3 * (n - 1) / 2);
  }
}

// Efe's definition, bit by bit.
TEST(graphs, crossed_cube) {
  for (unsigned n = 1; n <= 7; ++n) {
    const auto net = build_crossed_cube(n);
    expect_edges(*net, [n](node_id a, node_id b) {
      const auto bit = [](node_id node, unsigned i) { return node >> i & 1u; };
      unsigned l = n - 1;
      while (l > 0 && bit(a, l) == bit(b, l)) --l;
      if (bit(a, l) == bit(b, l)) return false;
      if (l % 2 == 1 && bit(a, l - 1) != bit(b, l - 1)) return false;
      static const std::set<std::pair<unsigned, unsigned>> related{{0, 0}, {2, 2}, {1, 3}, {3, 1}};
      for (unsigned i = 0; i < l / 2; ++i)
        if (!related.count({a >> (2 * i) & 3u, b >> (2 * i) & 3u})) return false;
      return true;
    });
    EXPECT_EQ(diameter(*net), (n + 2) / 2);
  }
}

// The mean is the least that four neighbours allow: 4d nodes at distance d as long as there are nodes left.
TEST(graphs, midimew_has_the_least_distances) {
  for (const unsigned nodes : {5u, 13u, 25u, 41u, 64u, 100u, 181u, 500u, 4096u, 65536u}) {
    const auto net = build_midimew(nodes);
    std::vector<unsigned> least{0};
    for (unsigned d = 1; least.size() < nodes; ++d)
      least.resize(std::min<std::size_t>(nodes, least.size() + 4 * std::size_t{d}), d);
    auto found = bfs_distances(*net, 0);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, least) << nodes;
  }
}

TEST(graphs, midimew_of_few_nodes) {
  for (unsigned nodes = 3; nodes <= 12; ++nodes) {
    unsigned b = 1;
    while (2 * b * b < nodes) ++b;
    expect_edges(*build_midimew(nodes), [&](node_id x, node_id y) {
      const unsigned forth = (y + nodes - x) % nodes;
      return forth == b || forth == b - 1 || forth == nodes - b || forth == nodes - (b - 1);
    });
  }
}

unsigned largest_degree(const netlist& net) {
  std::size_t largest = 0;
  for (node_id node = 0; node < net.node_count(); ++node) largest = std::max(largest, net.ports(node).size());
  return static_cast<unsigned>(largest);
}

// Fan et al. 1999, Table 1. De Bruijn, Kautz and crossed cube agree; it prints 7 and 8 for the star graph (of
// 5040 and 40320 nodes), which has 9 and 10, and 46 for Midimew of 4096 nodes, which has 45.
TEST(graphs_paper, table_1) {
  const auto row = [](const std::string& spec, std::vector<node_id> sources = {0}) {
    const topology made = make_topology(spec);
    unsigned most = 0;
    for (const node_id source : sources)
      most = std::max(most, eccentricity(*made.wiring, source % made.wiring->node_count()));
    return std::pair(most, largest_degree(*made.wiring));
  };
  // From 00..0, and for what has no symmetry between its nodes from some more.
  const std::vector<node_id> some{0, 1, 77, 1234, 2730, 4095, 31337, 43690};
  EXPECT_EQ(row("debruijn:2,12", some), std::pair(12u, 4u));
  EXPECT_EQ(row("debruijn:2,16", some), std::pair(16u, 4u));
  EXPECT_EQ(row("kautz:2,11", some), std::pair(11u, 4u));
  EXPECT_EQ(row("kautz:2,15", some), std::pair(15u, 4u));
  EXPECT_EQ(row("crossed:12", some), std::pair(7u, 12u));
  EXPECT_EQ(row("crossed:16", some), std::pair(9u, 16u));
  EXPECT_EQ(row("star:7"), std::pair(9u, 6u));
  EXPECT_EQ(row("star:8"), std::pair(10u, 7u));
  EXPECT_EQ(row("midimew:4096"), std::pair(45u, 4u));
  EXPECT_EQ(row("midimew:65536"), std::pair(181u, 4u));
}

TEST(graphs, arc_connectivity_is_the_least_degree) {
  EXPECT_EQ(arc_connectivity(*build_de_bruijn(2, 5)), 2u);
  EXPECT_EQ(arc_connectivity(*build_star(4)), 3u);
  EXPECT_EQ(arc_connectivity(*build_crossed_cube(5)), 5u);
  EXPECT_EQ(arc_connectivity(*build_midimew(32)), 4u);
}

TEST(graphs, are_made_without_routing) {
  const topology made = make_topology("debruijn:02,5");
  EXPECT_EQ(made.choice.spec, "debruijn:2,5");
  EXPECT_EQ(made.routing, nullptr);
  EXPECT_EQ(made.wiring->node_count(), 32u);
  EXPECT_EQ(make_topology("star:4").wiring->path(23), "node_3_2_1");
}

TEST(graphs, specs_are_refused_in_one_line) {
  const auto refusal = [](const std::string& spec, const topology_options& options = {}) -> std::string {
    try {
      make_topology(spec, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("debruijn:2"), "topology 'debruijn:2': expected 2 numbers: debruijn:2,12");
  EXPECT_EQ(refusal("debruijn:16,2"), "topology 'debruijn:16,2': d = 16; 2 to 15 are supported");
  EXPECT_EQ(refusal("kautz:1,3"), "topology 'kautz:1,3': d = 1; 2 to 15 are supported");
  EXPECT_EQ(refusal("kautz:15,24"),
            "topology 'kautz:15,24': more than 16777216 nodes; that is the most that is supported");
  for (const char* const kind : {"debruijn", "kautz"}) {
    EXPECT_EQ(refusal(kind + std::string(":2,1")), "") << "words of one letter";
    EXPECT_THAT(refusal(kind + std::string(":2,0")), testing::HasSubstr("k = 0; 1 to 24 are supported"));
  }
  EXPECT_EQ(refusal("star:11"), "topology 'star:11': n = 11; 2 to 10 are supported");
  EXPECT_EQ(refusal("crossed:0"), "topology 'crossed:0': n = 0; 1 to 20 are supported");
  EXPECT_EQ(refusal("midimew:2"), "topology 'midimew:2': N = 2; 3 to 16777216 are supported");
  topology_options options;
  options.vc_rule = "paper";
  EXPECT_EQ(refusal("star:4", options),
            "topology 'star:4': VC rule 'paper' is not made for it: a graph to analyse, without routing");
}

TEST(simple_graph, a_neighbour_that_does_not_answer_is_an_error) {
  EXPECT_THROW(build_simple_graph("one_way", {2},
                                  [](node_id node) {
                                    return node == 0 ? neighbour_list{{"a", 1}} : neighbour_list{};
                                  }),
               std::logic_error);
}

}  // namespace
}  // namespace toriscope
