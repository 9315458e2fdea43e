// SPDX-License-Identifier: Apache-2.0
// The deadlock table of TTN, TESH and STTN for 4096 nodes and more: whole, and the cyclic entries by a sample
// of destinations (a cycle among some is a cycle).
#include <gtest/gtest.h>

#include <random>

#include "topologies/proof/channel_dependency.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/ttn/ttn.h"
#include "topologies/ttn/ttn_routing.h"

namespace toriscope::ttn_deadlock_large_test {
namespace {

/// As far as this number of destinations tells.
bool acyclic(const ttn_shape& shape, ttn_vc_rule rule, unsigned destinations) {
  const unsigned vcs = ttn_vc_classes(rule, shape);
  std::mt19937 random(5);
  std::vector<node_id> some;
  for (unsigned i = 0; i < destinations; ++i) some.push_back(random() % shape.nodes());
  return find_channel_dependencies(*build_ttn(shape), *make_ttn_routing(shape, ring_ties::nowrap, rule, vcs),
                                   vcs, some)
      .acyclic();
}

bool proven(const ttn_shape& shape, ttn_vc_rule rule, ring_ties ties = ring_ties::nowrap,
            proof_method method = proof_method::symmetric) {
  const unsigned vcs = ttn_vc_classes(rule, shape);
  proof_options options;
  options.method = method;
  options.with_certificate = false;
  const deadlock_proof found =
      prove(*build_ttn(shape), *make_ttn_routing(shape, ties, rule, vcs), vcs, options);
  EXPECT_NE(found.outcome, proof_outcome::unknown) << found.reason;
  return found.outcome == proof_outcome::proven;
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

/// Every rule that the networks with `levels` levels take: what the program says is what the proof says.
/// @returns how many that were
unsigned expect_same_verdicts(unsigned levels, bool one_way, proof_method method) {
  constexpr unsigned enough_vcs = 8;
  unsigned judged = 0;
  for (const ttn_kind kind : {ttn_kind::ttn, ttn_kind::tesh, ttn_kind::sttn})
    for (unsigned q = 0; q < (kind == ttn_kind::sttn || levels > 3 ? 1u : 2u); ++q)
      for (const ring_ties ties : {ring_ties::nowrap, ring_ties::positive})
        for (const ttn_vc_rule rule : ttn_vc_rules()) {
          const ttn_shape shape{levels, q, one_way, kind};
          if (shape.mesh_modules() && ties != ring_ties::nowrap) continue;  // a mesh has no ties
          try {
            choose_ttn_vc_rule(shape, ties, to_string(rule), enough_vcs);
          } catch (const std::invalid_argument&) {
            continue;
          }
          EXPECT_EQ(proven(shape, rule, ties, method), ttn_deadlock_free(shape, ties, rule))
              << ttn_in_words(shape) << " " << to_string(rule) << " " << to_string(ties);
          ++judged;
        }
  return judged;
}

class ttn_deadlock_whole : public testing::TestWithParam<bool> {};
class ttn_deadlock_long : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(links, ttn_deadlock_whole, testing::Bool());
INSTANTIATE_TEST_SUITE_P(links, ttn_deadlock_long, testing::Bool());

TEST_P(ttn_deadlock_whole, nodes_4096) {
  EXPECT_EQ(expect_same_verdicts(3, GetParam(), proof_method::symmetric), 39u);
}

// The table as it was found by an independent search.
TEST_P(ttn_deadlock_whole, table_of_4096_nodes) {
  const auto free = [](const ttn_shape& shape, ttn_vc_rule rule, ring_ties ties = ring_ties::nowrap) {
    return ttn_deadlock_free(shape, ties, rule);
  };
  const bool one_way = GetParam();
  for (const ttn_kind kind : {ttn_kind::ttn, ttn_kind::tesh})
    for (const ttn_vc_rule rule :
         {ttn_vc_rule::A, ttn_vc_rule::C, ttn_vc_rule::D3, ttn_vc_rule::E, ttn_vc_rule::G, ttn_vc_rule::K})
      EXPECT_EQ(free({3, 0, one_way, kind}, rule), true) << to_string(rule);
  EXPECT_TRUE(free({3, 0, one_way}, ttn_vc_rule::C, ring_ties::positive));
  EXPECT_TRUE(free({3, 1, one_way}, ttn_vc_rule::E));
  EXPECT_TRUE(free({3, 1, one_way}, ttn_vc_rule::G));
  EXPECT_TRUE(free({3, 1, one_way, ttn_kind::tesh}, ttn_vc_rule::G));
  EXPECT_TRUE(free({3, 0, one_way, ttn_kind::sttn}, ttn_vc_rule::S));
  EXPECT_EQ(free({3, 1, one_way}, ttn_vc_rule::D3), one_way) << "one-way links only";
  EXPECT_FALSE(free({3, 1, one_way}, ttn_vc_rule::C, ring_ties::positive));
}

TEST_P(ttn_deadlock_long, nodes_4096_destination_by_destination) {
  EXPECT_EQ(expect_same_verdicts(3, GetParam(), proof_method::exhaustive), 39u);
}

TEST_P(ttn_deadlock_long, nodes_65536) {
  EXPECT_EQ(expect_same_verdicts(4, GetParam(), proof_method::symmetric), 24u);
}

// The rules that are cyclic at L = 4 are so at L = 5, which has that network in it.
TEST_P(ttn_deadlock_long, nodes_1048576) {
  EXPECT_TRUE(proven({5, 0, GetParam()}, ttn_vc_rule::K));
  EXPECT_TRUE(proven({5, 0, GetParam(), ttn_kind::tesh}, ttn_vc_rule::K));
  EXPECT_TRUE(proven({5, 0, GetParam(), ttn_kind::sttn}, ttn_vc_rule::S));
}

}  // namespace
}  // namespace toriscope::ttn_deadlock_large_test
