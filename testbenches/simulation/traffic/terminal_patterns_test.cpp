// SPDX-License-Identifier: Apache-2.0
// Patterns of digits where routers have several terminals, against their definition on (row, column, index).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "base/error_of_test.h"
#include "testbenches/simulation/traffic/hotspot_pattern.h"
#include "testbenches/simulation/traffic/local_pattern.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/traffic/permutations.h"
#include "topologies/registry.h"

namespace toriscope::terminal_patterns_test {
namespace {

std::shared_ptr<const netlist> wiring_of(const std::string& spec) { return make_topology(spec).wiring; }

struct place {
  unsigned row, column, index;
};

/// A network of rows x columns routers with `each` terminals at every one.
struct grid {
  std::string spec;
  unsigned rows, columns, each;

  terminal_id number(place p) const { return (p.row * columns + p.column) * each + p.index; }
  /// Calls visit(place) for every terminal.
  void every(const std::function<void(place)>& visit) const {
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < columns; ++column)
        for (unsigned index = 0; index < each; ++index) visit({row, column, index});
  }
};

const grid grids[] = {{"cmesh:3x4,2", 3, 4, 2},
                      {"ctorus:5x8,3", 5, 8, 3},
                      {"flatfly:3,2,2", 3, 3, 2},
                      {"dragonfly:2,2,1", 3, 2, 2}};

/// By number of digits' radix: ceil(k/2) - 1.
constexpr unsigned half_way[] = {0, 0, 0, 1, 1, 2, 2, 3, 3};

TEST(terminal_patterns, tornado_and_neighbour_move_the_router_and_keep_the_index) {
  for (const grid& g : grids) {
    const auto wiring = wiring_of(g.spec);
    const permutation half = tornado(*wiring), next = neighbour(*wiring);
    ASSERT_EQ(half.size(), g.rows * g.columns * g.each) << g.spec;
    g.every([&](place p) {
      EXPECT_EQ(half[g.number(p)], g.number({(p.row + half_way[g.rows]) % g.rows,
                                             (p.column + half_way[g.columns]) % g.columns, p.index}))
          << g.spec;
      EXPECT_EQ(next[g.number(p)], g.number({(p.row + 1) % g.rows, (p.column + 1) % g.columns, p.index}))
          << g.spec;
    });
  }
}

TEST(terminal_patterns, transpose_exchanges_row_and_column_of_the_router) {
  for (const grid& g :
       {grid{"cmesh:4x4,4", 4, 4, 4}, grid{"ctorus:3x3,2", 3, 3, 2}, grid{"flatfly:3,2,2", 3, 3, 2}}) {
    const permutation across = transpose(*wiring_of(g.spec));
    g.every([&](place p) { EXPECT_EQ(across[g.number(p)], g.number({p.column, p.row, p.index})) << g.spec; });
  }
  EXPECT_EQ(error_of([] { transpose(*wiring_of("cmesh:2x4,2")); }),
            "transpose needs as many rows as columns; cmesh has digits of radix 2 and 4 to be exchanged");
}

// 4 x 4 numbers, in rows of four: terminal 4 y + x sends to 4 x + y.
TEST(terminal_patterns, transpose_is_that_of_the_number_where_routers_have_no_such_address) {
  for (const char* spec : {"crossbar:16", "fattree:2,4", "butterfly:2,4"}) {
    const permutation across = transpose(*wiring_of(spec));
    ASSERT_EQ(across.size(), 16u);
    for (terminal_id y = 0; y < 4; ++y)
      for (terminal_id x = 0; x < 4; ++x) EXPECT_EQ(across[4 * y + x], 4 * x + y) << spec;
  }
}

// Node 0 has the terminals 1 and 2, node 1 has 0 and 3.
TEST(terminal_patterns, the_index_counts_the_terminals_of_the_router) {
  netlist pair("pair", {2}, {{"node", 1}});
  pair.add_node({});
  pair.add_node({});
  pair.set_terminals({1, 0, 0, 1});
  EXPECT_EQ(neighbour(pair), (permutation{1, 0, 3, 2}));
}

TEST(terminal_patterns, the_first_terminal_of_the_papers_hot_node_is_hot) {
  // Parts of 2 x 2 routers; of two central coordinates the lower.
  const grid flat{"cmesh:8x8,3", 8, 8, 3};
  pattern_options options;
  options.hot_probability = 0.25;
  const auto pattern = make_pattern("hotspot", wiring_of(flat.spec), options);
  flat.every([&](place p) {
    const terminal_id hot = flat.number({p.row - p.row % 2, p.column - p.column % 2, 0});
    const destination_weights w = pattern->weights(flat.number(p));
    const bool is_hot = flat.number(p) == hot;
    EXPECT_EQ(w.own, 0);
    EXPECT_DOUBLE_EQ(w.every_other, (is_hot ? 1 : 0.75) / 191);
    if (!is_hot) {
      ASSERT_EQ(w.points.size(), 1u);
      EXPECT_EQ(w.points[0].first, hot);
      EXPECT_DOUBLE_EQ(w.points[0].second, 0.25);
    }
  });
  // Two levels: all digits are 0.
  const auto dragonfly = wiring_of("dragonfly:2,2,1");
  for (terminal_id t = 0; t < 12; ++t) EXPECT_EQ(hotspot_pattern::paper_hot_terminal(*dragonfly, t), 0u);
}

/// Where a square of `side` begins in a dimension, and its `side` coordinates.
std::set<unsigned> around(unsigned at, unsigned size, unsigned side, bool ring) {
  std::set<unsigned> found;
  const int before = (static_cast<int>(side) - 1) / 2;
  int first = static_cast<int>(at) - before;
  if (!ring) first = std::clamp(first, 0, static_cast<int>(size - side));
  for (unsigned i = 0; i < side; ++i) found.insert((static_cast<unsigned>(first) + i + size) % size);
  return found;
}

TEST(terminal_patterns, local_goes_to_all_terminals_of_the_square) {
  for (const grid& g : {grid{"cmesh:4x5,3", 4, 5, 3}, grid{"ctorus:4x5,3", 4, 5, 3}})
    for (const unsigned side : {1u, 2u, 3u}) {
      const auto wiring = wiring_of(g.spec);
      const bool ring = g.spec[1] == 't';
      const local_pattern pattern(wiring, side, certain, false);
      g.every([&](place p) {
        std::set<terminal_id> expected;
        for (const unsigned row : around(p.row, g.rows, side, ring))
          for (const unsigned column : around(p.column, g.columns, side, ring))
            for (unsigned index = 0; index < g.each; ++index) expected.insert(g.number({row, column, index}));
        const terminal_id source = g.number(p);
        expected.erase(source);
        std::set<terminal_id> likely, drawn;
        for (const auto& [to, share] : pattern.weights(source).points) {
          EXPECT_DOUBLE_EQ(share, 1.0 / (side * side * g.each - 1));
          likely.insert(to);
        }
        random_stream random(5, source);
        for (int i = 0; i < 1000; ++i) drawn.insert(pattern.destination(source, random));
        EXPECT_EQ(likely, expected) << g.spec << " side " << side << " from " << source;
        EXPECT_EQ(drawn, expected) << g.spec << " side " << side << " from " << source;
      });
    }
}

TEST(terminal_patterns, of_digits_are_rejected_where_routers_have_unequal_numbers_of_terminals) {
  const auto error = [](const char* name, const char* spec) {
    return error_of([&] { make_pattern(name, wiring_of(spec)); });
  };
  const std::string needs = " needs the same number of terminals at every router; ";
  EXPECT_EQ(error("tornado", "fattree:2,3"), "traffic tornado" + needs + "fattree has from 0 to 2");
  EXPECT_EQ(error("local", "fattree:2,3"), "local traffic" + needs + "fattree has from 0 to 2");
  // Both stages have two local ports at every switch, but packets enter at the first only.
  EXPECT_EQ(error("neighbour", "butterfly:2,2"), "traffic neighbour" + needs + "butterfly has from 0 to 2");
  EXPECT_EQ(error("hotspot", "butterfly:2,3"),
            "hotspot without --hot-node" + needs + "butterfly has from 0 to 2");
  pattern_options options;
  options.hot_nodes = {"3"};
  EXPECT_EQ(error_of([&] { make_pattern("hotspot", wiring_of("butterfly:2,3"), options); }), "none");
  EXPECT_THAT(error("tornado", "crossbar:8"), testing::HasSubstr("choose another pattern"));
}

}  // namespace
}  // namespace toriscope::terminal_patterns_test
