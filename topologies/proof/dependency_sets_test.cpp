// SPDX-License-Identifier: Apache-2.0
// Dependencies of many ports and VCs, in sets that go across words, beside a set of pairs.
#include "topologies/proof/dependency_sets.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

#include "topologies/registry.h"

namespace toriscope::dependency_sets_test {
namespace {

TEST(dependency_sets, are_those_that_were_added) {
  // 12 ports and the local one; 6 of 11 VCs have two bits more than a word.
  const topology wide = make_topology("torus:3x3x3x3x3x3", {}), narrow = make_topology("torus:3x3x3", {});
  const auto channel = [&](link_id link, unsigned vc, unsigned vcs) { return link * vcs + vc; };
  for (const auto& [torus, vcs] : {std::pair(&wide, 1u), std::pair(&wide, 3u), std::pair(&wide, 5u),
                                   std::pair(&wide, 7u), std::pair(&wide, 11u), std::pair(&narrow, 11u)}) {
    const netlist& net = *torus->wiring;
    const auto ports = static_cast<unsigned>(net.ports(0).size());
    dependency_sets sets(net, vcs);
    std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
    std::mt19937 draws(vcs);
    for (int i = 0; i < 400; ++i) {
      const link_id link = draws() % 40;
      const unsigned vc = draws() % vcs;
      const port_id port = static_cast<port_id>(draws() % ports);
      const vc_mask mask = static_cast<vc_mask>(draws() % (1u << vcs));
      sets.add(link, vc, port, mask);
      for (unsigned to = 0; to < vcs; ++to)
        if (mask >> to & 1)
          expected.insert({channel(link, vc, vcs), channel(net.ports(net.link(link).to)[port].out, to, vcs)});
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    for (std::uint32_t from = 0; from < sets.channels(); ++from)
      sets.for_each(from, [&](std::uint32_t to) { found.insert({from, to}); });
    EXPECT_EQ(found, expected) << vcs << " VCs";
    EXPECT_EQ(sets.dependencies(), expected.size());
    EXPECT_EQ(num_edges(sets.graph()), expected.size());
  }
}

/// Sets of one word each, in as many channels as have no room left behind them.
TEST(dependency_sets, of_a_ring_of_three_channels) {
  const topology ring = make_topology("ucube:3,1", {});
  dependency_sets sets(*ring.wiring, 1);
  for (link_id l = 0; l < 3; ++l) sets.add(l, 0, 0, 1);
  EXPECT_EQ(sets.channels(), 3u);
  EXPECT_EQ(num_vertices(sets.graph()), 3u);
  EXPECT_EQ(num_edges(sets.graph()), 3u);
}

}  // namespace
}  // namespace toriscope::dependency_sets_test
