// SPDX-License-Identifier: Apache-2.0
// The deadlock table of TTN, TESH and STTN for 4096 nodes, whole, and for 65536 and 1048576 nodes by a sample
// of destinations (a cycle among some is a cycle; the absence of one among some is a smoke test, no proof).
#include <gtest/gtest.h>

#include <random>

#include "topologies/proof/channel_dependency.h"
#include "topologies/ttn/ttn.h"
#include "topologies/ttn/ttn_routing.h"

namespace toriscope {
namespace {

bool acyclic(const ttn_shape& shape, ttn_vc_rule rule, unsigned destinations = 0,
             ring_ties ties = ring_ties::nowrap) {
  const unsigned vcs = ttn_vc_classes(rule, shape);
  std::mt19937 random(5);
  std::vector<node_id> some;
  for (unsigned i = 0; i < destinations; ++i) some.push_back(random() % shape.nodes());
  return find_channel_dependencies(*build_ttn(shape), *make_ttn_routing(shape, ties, rule, vcs), vcs, some)
      .acyclic();
}

constexpr unsigned few = 64;

// Short: the cyclic entries by a few destinations, where a cycle is a cycle.
TEST(ttn_deadlock_sampled, cyclic_rules) {
  for (const bool one_way : {true, false}) {
    EXPECT_FALSE(acyclic({3, 0, one_way}, ttn_vc_rule::paper, few));
    for (const ttn_vc_rule rule : {ttn_vc_rule::paper, ttn_vc_rule::A, ttn_vc_rule::C})
      EXPECT_FALSE(acyclic({3, 1, one_way}, rule, few)) << to_string(rule);
    for (const ttn_vc_rule rule :
         {ttn_vc_rule::paper, ttn_vc_rule::A, ttn_vc_rule::C, ttn_vc_rule::D3, ttn_vc_rule::E})
      EXPECT_FALSE(acyclic({4, 0, one_way}, rule, 12)) << to_string(rule);
  }
}

TEST(ttn_deadlock_sampled, cyclic_rules_of_tesh_and_sttn) {
  const ttn_kind tesh = ttn_kind::tesh;
  const ttn_kind sttn = ttn_kind::sttn;
  for (const bool one_way : {true, false}) {
    EXPECT_FALSE(acyclic({3, 0, one_way, tesh}, ttn_vc_rule::paper, few));
    for (const ttn_vc_rule rule :
         {ttn_vc_rule::paper, ttn_vc_rule::A, ttn_vc_rule::C, ttn_vc_rule::D3, ttn_vc_rule::E})
      for (const ttn_shape& shape :
           {ttn_shape{3, 1, one_way, tesh}, ttn_shape{4, 0, one_way, tesh}, ttn_shape{4, 0, one_way, sttn}}) {
        EXPECT_FALSE(acyclic(shape, rule, 12)) << ttn_in_words(shape) << " " << to_string(rule);
        EXPECT_FALSE(ttn_deadlock_free(shape, ring_ties::nowrap, rule));
      }
    for (const ttn_vc_rule rule : {ttn_vc_rule::paper, ttn_vc_rule::A, ttn_vc_rule::C})
      EXPECT_FALSE(acyclic({3, 0, one_way, sttn}, rule, few)) << to_string(rule);
  }
  for (const ttn_vc_rule rule : {ttn_vc_rule::D3, ttn_vc_rule::G})
    EXPECT_FALSE(acyclic({3, 0, false, sttn}, rule, few)) << to_string(rule);
}

TEST(ttn_deadlock_sampled, acyclic_rules) {
  for (const bool one_way : {true, false}) {
    EXPECT_TRUE(acyclic({3, 0, one_way}, ttn_vc_rule::K, few));
    EXPECT_TRUE(acyclic({3, 1, one_way}, ttn_vc_rule::E, few));
    EXPECT_TRUE(acyclic({4, 0, one_way}, ttn_vc_rule::F, 12));
    EXPECT_TRUE(acyclic({4, 0, one_way}, ttn_vc_rule::K, 12));
    EXPECT_TRUE(acyclic({3, 1, one_way, ttn_kind::tesh}, ttn_vc_rule::G, few));
    EXPECT_TRUE(acyclic({4, 0, one_way, ttn_kind::tesh}, ttn_vc_rule::K, 12));
    EXPECT_TRUE(acyclic({3, 0, one_way, ttn_kind::sttn}, ttn_vc_rule::S, few));
    EXPECT_TRUE(acyclic({4, 0, one_way, ttn_kind::sttn}, ttn_vc_rule::S, 12));
  }
}

class ttn_4096 : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(links, ttn_4096, testing::Bool());

// Every network of L = 3 under every rule that it takes: what the program says is what the graph says.
TEST_P(ttn_4096, ttn_deadlock_free_says_the_same) {
  unsigned judged = 0;
  for (const ttn_kind kind : {ttn_kind::ttn, ttn_kind::tesh, ttn_kind::sttn})
    for (unsigned q = 0; q < (kind == ttn_kind::sttn ? 1u : 2u); ++q)
      for (const ring_ties ties : {ring_ties::nowrap, ring_ties::positive})
        for (const ttn_vc_rule rule : ttn_vc_rules()) {
          const ttn_shape shape{3, q, GetParam(), kind};
          if (shape.mesh_modules() && ties != ring_ties::nowrap) continue;  // a mesh has no ties
          try {
            choose_ttn_vc_rule(shape, ties, to_string(rule), 6);
          } catch (const std::invalid_argument&) {
            continue;
          }
          EXPECT_EQ(acyclic(shape, rule, 0, ties), ttn_deadlock_free(shape, ties, rule))
              << ttn_in_words(shape) << " " << to_string(rule) << " " << to_string(ties);
          ++judged;
        }
  EXPECT_EQ(judged, 39u);
}

// The table as it was found by an independent search.
TEST_P(ttn_4096, table) {
  const auto free = [](const ttn_shape& shape, ttn_vc_rule rule, ring_ties ties = ring_ties::nowrap) {
    return ttn_deadlock_free(shape, ties, rule);
  };
  const bool one_way = GetParam();
  for (const ttn_kind kind : {ttn_kind::ttn, ttn_kind::tesh})
    for (const ttn_vc_rule rule :
         {ttn_vc_rule::A, ttn_vc_rule::C, ttn_vc_rule::D3, ttn_vc_rule::E, ttn_vc_rule::G, ttn_vc_rule::K})
      EXPECT_TRUE(free({3, 0, one_way, kind}, rule)) << to_string(rule);
  EXPECT_TRUE(free({3, 0, one_way}, ttn_vc_rule::C, ring_ties::positive));
  EXPECT_TRUE(free({3, 1, one_way}, ttn_vc_rule::E));
  EXPECT_TRUE(free({3, 1, one_way}, ttn_vc_rule::G));
  EXPECT_TRUE(free({3, 1, one_way, ttn_kind::tesh}, ttn_vc_rule::G));
  EXPECT_TRUE(free({3, 0, one_way, ttn_kind::sttn}, ttn_vc_rule::S));
  EXPECT_EQ(free({3, 1, one_way}, ttn_vc_rule::D3), one_way) << "one-way links only";
  EXPECT_FALSE(free({3, 1, one_way}, ttn_vc_rule::C, ring_ties::positive));
}

TEST_P(ttn_4096, sampled_above) {
  EXPECT_TRUE(acyclic({4, 0, GetParam()}, ttn_vc_rule::K, 256));
  EXPECT_TRUE(acyclic({4, 0, GetParam()}, ttn_vc_rule::F, 256));
  EXPECT_TRUE(acyclic({5, 0, GetParam()}, ttn_vc_rule::K, 8));
  EXPECT_TRUE(acyclic({4, 0, GetParam(), ttn_kind::tesh}, ttn_vc_rule::K, 256));
  EXPECT_TRUE(acyclic({4, 0, GetParam(), ttn_kind::sttn}, ttn_vc_rule::S, 256));
  EXPECT_TRUE(acyclic({5, 0, GetParam(), ttn_kind::sttn}, ttn_vc_rule::S, 4));
}

}  // namespace
}  // namespace toriscope
