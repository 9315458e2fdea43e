// SPDX-License-Identifier: Apache-2.0
// The deadlock table of the TTN for 4096 nodes, whole, and for 65536 and 1048576 nodes by a sample of
// destinations (a cycle among some is a cycle; the absence of one among some is a smoke test, no proof).
#include <gtest/gtest.h>

#include <random>

#include "topologies/proof/channel_dependency.h"
#include "topologies/ttn/ttn.h"
#include "topologies/ttn/ttn_routing.h"

namespace toriscope {
namespace {

bool acyclic(const ttn_shape& shape, ttn_vc_rule rule, unsigned destinations = 0,
             ring_ties ties = ring_ties::nowrap) {
  const unsigned vcs = ttn_vc_classes(rule);
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

TEST(ttn_deadlock_sampled, acyclic_rules) {
  for (const bool one_way : {true, false}) {
    EXPECT_TRUE(acyclic({3, 0, one_way}, ttn_vc_rule::K, few));
    EXPECT_TRUE(acyclic({3, 1, one_way}, ttn_vc_rule::E, few));
    EXPECT_TRUE(acyclic({4, 0, one_way}, ttn_vc_rule::F, 12));
    EXPECT_TRUE(acyclic({4, 0, one_way}, ttn_vc_rule::K, 12));
  }
}

class ttn_4096 : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(links, ttn_4096, testing::Bool());

TEST_P(ttn_4096, table_q0) {
  const ttn_shape shape{3, 0, GetParam()};
  EXPECT_FALSE(acyclic(shape, ttn_vc_rule::paper, few));
  for (const ttn_vc_rule rule :
       {ttn_vc_rule::A, ttn_vc_rule::C, ttn_vc_rule::D3, ttn_vc_rule::E, ttn_vc_rule::K}) {
    EXPECT_TRUE(acyclic(shape, rule)) << to_string(rule);
    EXPECT_TRUE(ttn_deadlock_free(shape, ring_ties::nowrap, rule));
  }
  EXPECT_TRUE(acyclic(shape, ttn_vc_rule::C, 0, ring_ties::positive));
  EXPECT_TRUE(ttn_deadlock_free(shape, ring_ties::positive, ttn_vc_rule::C));
}

TEST_P(ttn_4096, table_q1) {
  const ttn_shape shape{3, 1, GetParam()};
  EXPECT_TRUE(acyclic(shape, ttn_vc_rule::E));
  EXPECT_EQ(acyclic(shape, ttn_vc_rule::D3), GetParam()) << "one-way links only";
  EXPECT_EQ(ttn_deadlock_free(shape, ring_ties::nowrap, ttn_vc_rule::D3), GetParam());
  EXPECT_FALSE(acyclic(shape, ttn_vc_rule::C, few, ring_ties::positive));
  EXPECT_FALSE(ttn_deadlock_free(shape, ring_ties::positive, ttn_vc_rule::C));
}

TEST_P(ttn_4096, sampled_above) {
  EXPECT_TRUE(acyclic({4, 0, GetParam()}, ttn_vc_rule::K, 256));
  EXPECT_TRUE(acyclic({4, 0, GetParam()}, ttn_vc_rule::F, 256));
  EXPECT_TRUE(acyclic({5, 0, GetParam()}, ttn_vc_rule::K, 8));
}

}  // namespace
}  // namespace toriscope
