// SPDX-License-Identifier: Apache-2.0
// Proofs of networks of thousands of nodes and more: both ways to follow packets at 4096 nodes, and by
// classes TTN(2,5,0) with its 1,048,576 nodes, links one way and both.
#include <gtest/gtest.h>

#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"

namespace toriscope::large_proof_test {
namespace {

deadlock_proof proof_of(const char* spec, const char* links, proof_method method) {
  topology_options options;
  options.links = links;
  const topology made = make_topology(spec, options);
  proof_options how;
  how.method = method;
  how.with_certificate = false;
  return prove(*made.wiring, *made.routing, options.vcs, how);
}

TEST(large_proof, both_ways_agree) {
  for (const char* links : {"U", "B"}) {
    const deadlock_proof all = proof_of("ttn:2,3,1", links, proof_method::exhaustive);
    const deadlock_proof by_classes = proof_of("ttn:2,3,1", links, proof_method::symmetric);
    EXPECT_EQ(all.outcome, proof_outcome::proven);
    EXPECT_EQ(by_classes.outcome, proof_outcome::proven);
    EXPECT_EQ(all.dependencies, by_classes.dependencies);
  }
}

TEST(large_proof, wide_route_states) {
  const deadlock_proof rdt = proof_of("rdt:alpha,64", "U", proof_method::automatic);
  EXPECT_EQ(rdt.outcome, proof_outcome::proven);
  EXPECT_EQ(rdt.method, proof_method::exhaustive);
  EXPECT_EQ(proof_of("htn:4,4,2,1", "B", proof_method::automatic).outcome, proof_outcome::proven);
}

TEST(large_proof, a_million_nodes) {
  for (const char* links : {"U", "B"}) {
    const deadlock_proof found = proof_of("ttn:2,5,0", links, proof_method::automatic);
    EXPECT_EQ(found.outcome, proof_outcome::proven) << links;
    EXPECT_EQ(found.method, proof_method::symmetric);
    EXPECT_GT(found.dependencies, 8'000'000u);
  }
}

}  // namespace
}  // namespace toriscope::large_proof_test
