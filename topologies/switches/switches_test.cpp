// SPDX-License-Identifier: Apache-2.0
// Networks of switches: counts of their papers, every route against breadth-first search, proofs, ports and terminals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/words.h"
#include "topologies/analysis/analysis.h"
#include "topologies/analysis/planar_layout.h"
#include "topologies/bfs_oracle.h"
#include "topologies/path.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

topology made(const std::string& spec, unsigned vcs = 2, const std::string& routing = "") {
  topology_options options;
  options.vcs = vcs;
  options.routing = routing;
  return make_topology(spec, options);
}

struct counts {
  std::string spec;
  node_id routers;
  terminal_id terminals;
  std::size_t links;  ///< directed
  unsigned diameter;  ///< links between two terminals, at most
};
void PrintTo(const counts& c, std::ostream* out) { *out << c.spec; }

class switches : public testing::TestWithParam<counts> {};

TEST_P(switches, have_the_routers_links_and_ways_of_their_definition) {
  const counts& c = GetParam();
  const topology t = made(c.spec);
  const netlist& net = *t.wiring;
  EXPECT_EQ(net.node_count(), c.routers);
  EXPECT_EQ(net.terminal_count(), c.terminals);
  EXPECT_EQ(net.links().size(), c.links);
  unsigned longest = 0;
  for (terminal_id from = 0; from < c.terminals; ++from) {
    const auto shortest = bfs_distances(net, net.terminal(from).node);
    for (terminal_id to = 0; to < c.terminals; ++to) {
      const unsigned hops = routed_distance(net, *t.routing, from, to, 2);
      // Over two global links it may be two hops: a dragonfly's minimal routes take one.
      if (begins_with(c.spec, "dragonfly"))
        ASSERT_LE(shortest[net.terminal(to).exit], hops) << from << " to " << to;
      else
        ASSERT_EQ(hops, shortest[net.terminal(to).exit]) << from << " to " << to;
      longest = std::max(longest, hops);
    }
  }
  EXPECT_EQ(longest, c.diameter);
  const auto found = find_channel_dependencies(net, *t.routing, 2);
  EXPECT_TRUE(found.acyclic()) << found.in_words(net);
}

INSTANTIATE_TEST_SUITE_P(
    all, switches,
    testing::Values(counts{"crossbar:16", 1, 16, 0, 0},
                    counts{"fattree:2,2", 4, 4, 8, 2},  // 2 levels of 2, each with each
                    counts{"fattree:4,3", 48, 64, 2 * 2 * 64, 4},
                    counts{"fattree:2,4", 32, 16, 2 * 3 * 16, 6}, counts{"butterfly:4,3", 48, 64, 2 * 64, 2},
                    counts{"butterfly:2,4", 32, 16, 3 * 16, 3}, counts{"flatfly:4,2,4", 16, 64, 16 * 6, 2},
                    counts{"flatfly:3,3,2", 27, 54, 27 * 6, 3},
                    counts{"dragonfly:4,2,2", 36, 72, 36 * 3 + 36 * 2, 3},
                    counts{"dragonfly:2,1,1", 6, 6, 6 + 6, 3}, counts{"cmesh:4x4,4", 16, 64, 48, 6},
                    counts{"ctorus:3x3,2", 9, 18, 36, 2}),
    [](const auto& c) {
      std::string name = c.param.spec;
      for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
      return name;
    });

TEST(fat_tree, adaptive_offers_every_port_up_and_stays_acyclic) {
  const topology t = made("fattree:4,3", 1, "adaptive");
  const netlist& net = *t.wiring;
  route_option options[routing_function::max_options];
  const netlist_terminal from = net.terminal(0);
  EXPECT_EQ(t.routing->route({from.node, from.port, 0, 63, 0}, options), 4u);
  EXPECT_EQ(t.routing->route({from.node, from.port, 0, 3, 0}, options), 1u) << "the same switch";
  const auto found = find_channel_dependencies(net, *t.routing, 1);
  EXPECT_TRUE(found.acyclic()) << found.in_words(net);
}

TEST(fat_tree, nca_spreads_destinations_over_all_switches_of_the_top) {
  const topology t = made("fattree:4,3");
  std::map<node_id, unsigned> tops;
  for (terminal_id to = 16; to < 64; ++to)
    for (const hop& h : walk(*t.wiring, *t.routing, 0, to, 2))
      if (h.node < 16) ++tops[h.node];
  EXPECT_EQ(tops.size(), 16u);
  for (const auto& [top, packets] : tops) EXPECT_EQ(packets, 3u) << top;
}

TEST(dragonfly, joins_every_pair_of_groups_by_one_global_link) {
  const topology t = made("dragonfly:4,2,2");
  std::map<std::pair<node_id, node_id>, unsigned> joined;
  for (const netlist_link& l : t.wiring->links())
    if (l.from / 4 != l.to / 4) ++joined[{l.from / 4, l.to / 4}];
  EXPECT_EQ(joined.size(), 9u * 8u);
  for (const auto& [groups, links] : joined) EXPECT_EQ(links, 1u);
}

TEST(dragonfly, takes_one_local_link_before_the_global_one_and_one_behind_it) {
  const topology t = made("dragonfly:4,2,2");
  for (terminal_id from = 0; from < 72; ++from)
    for (terminal_id to = 0; to < 72; ++to) {
      const std::vector<hop> way = walk(*t.wiring, *t.routing, from, to, 2);
      std::string kinds;
      for (const hop& h : way) kinds += t.wiring->link(h.link).level == 2 ? 'g' : 'l';
      const bool same_group = from / 8 == to / 8;
      if (same_group)
        ASSERT_EQ(kinds, from / 2 == to / 2 ? "" : "l") << from << " to " << to;
      else
        ASSERT_THAT(kinds, testing::AnyOf("g", "lg", "gl", "lgl")) << from << " to " << to;
    }
}

TEST(fat_tree, analysis_counts_terminals_and_the_hops_between_them) {
  const topology t = made("fattree:4,2");
  const network_analysis a = analyse(t, 2);
  EXPECT_EQ(a.nodes, 8u);
  EXPECT_EQ(a.terminals, 16u);
  EXPECT_THAT(a.notes, testing::Contains(testing::HasSubstr("routed ones between terminals")));
}

TEST(terminals, are_named_by_their_router) {
  const topology t = made("cmesh:2x2,3");
  EXPECT_EQ(t.wiring->terminal_address(5), "01.t2");
  EXPECT_EQ(t.wiring->terminal_path(5), "node_0_1.t2");
  EXPECT_EQ(t.wiring->port_name(1, t.wiring->terminal(5).port), "local2");
  EXPECT_EQ(made("cmesh:2x2,1").wiring->terminal_address(1), "01");
}

std::string refused(const std::string& spec, unsigned vcs = 2) {
  try {
    made(spec, vcs);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(switches, fat_trees_route_adaptively_over_as_many_ways_as_there_are_options) {
  topology_options options;
  options.routing = "adaptive";
  options.spec = "fattree:8,2";
  EXPECT_EQ(make_topology(options).routing->options_at_most(), 8u);
  options.spec = "fattree:9,2";
  EXPECT_THAT([&] { make_topology(options); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "topology 'fattree:9,2': routing adaptive takes k up to 8"));
}

TEST(switches, of_wrong_numbers_are_refused_in_one_line) {
  EXPECT_EQ(refused("crossbar:32"), "topology 'crossbar:32': routers of 32 ports; at most 31 are supported");
  // As many ports as there may be, and one more.
  for (const char* largest :
       {"crossbar:31", "fattree:15,2", "butterfly:15,2", "flatfly:16,1,16", "dragonfly:10,11,11"})
    EXPECT_EQ(refused(largest), "") << largest;
  for (const char* larger : {"fattree:16,2", "butterfly:16,2", "flatfly:16,1,17", "dragonfly:11,11,11"})
    EXPECT_THAT(refused(larger), testing::EndsWith("routers of 32 ports; at most 31 are supported"))
        << larger;
  EXPECT_EQ(refused("fattree:4,1"), "topology 'fattree:4,1': levels = 1; the least is 2");
  EXPECT_EQ(refused("fattree:4"), "topology 'fattree:4': expected 2 numbers: fattree:4,3");
  EXPECT_EQ(refused("butterfly:15,8"),
            "topology 'butterfly:15,8': more than 16777216 terminals or routers; that is the most that is "
            "supported");
  EXPECT_THAT(refused("flatfly:2,21,9"), testing::HasSubstr("more than 16777216 terminals or routers"))
      << "9 at each of 2^21";
  EXPECT_EQ(refused("dragonfly:4,2,2", 1),
            "topology 'dragonfly:4,2,2': VC rule groups needs at least 2 VCs, not 1");
  EXPECT_EQ(refused("cmesh:4x4"),
            "topology 'cmesh:4x4': expected sizes and the number of terminals at each router: cmesh:4x4,4");
  EXPECT_EQ(
      refused("cmesh:4x4,28"),
      "topology 'cmesh:4x4,28': 28 terminals at a router of 4 links; all ports together are at most 31");
}

TEST(switches, least_numbers) {
  for (const char* least : {"crossbar:2", "fattree:2,2", "butterfly:2,2", "flatfly:2,1,1", "dragonfly:1,1,1"})
    EXPECT_EQ(refused(least), "") << least;
  const auto less = [](const std::string& spec) {
    const std::string said = refused(spec), begin = "topology '" + spec + "': ";
    return said.substr(0, begin.size()) == begin ? said.substr(begin.size()) : said;
  };
  EXPECT_EQ(less("crossbar:1"), "terminals = 1; the least is 2");
  for (const char* tree : {"fattree:1,2", "butterfly:1,2", "flatfly:1,1,1"})
    EXPECT_EQ(less(tree), "k = 1; the least is 2") << tree;
  EXPECT_EQ(less("butterfly:2,1"), "stages = 1; the least is 2");
  EXPECT_EQ(less("flatfly:2,0,1"), "dimensions = 0; the least is 1");
  EXPECT_EQ(less("flatfly:2,1,0"), "terminals = 0; the least is 1");
  EXPECT_EQ(less("dragonfly:0,1,1"), "routers of a group = 0; the least is 1");
  EXPECT_EQ(less("dragonfly:1,0,1"), "terminals = 0; the least is 1");
  EXPECT_EQ(less("dragonfly:1,1,0"), "global links = 0; the least is 1");
  EXPECT_EQ(less("crossbar:4,4"), "expected 1 number: crossbar:16");
  EXPECT_EQ(less("dragonfly:4,2"), "expected 3 numbers: dragonfly:4,2,2");
}

TEST(switches, are_described_as_they_were_made) {
  const auto described = [](const std::string& spec) {
    const topology t = made(spec);
    return t.choice.spec + " " + t.choice.links + " " + t.choice.vc_rule + ": " + t.vc_rule_note;
  };
  EXPECT_EQ(described("crossbar:08"), "crossbar:8 B single: acyclic: there is no link");
  EXPECT_EQ(described("fattree:02,3"), "fattree:2,3 B single: acyclic: packets go up first, then down");
  EXPECT_EQ(described("butterfly:2,03"), "butterfly:2,3 U single: acyclic: packets go from stage to stage");
  EXPECT_EQ(described("flatfly:2,2,01"),
            "flatfly:2,2,1 B single: acyclic: dimensions are taken in order, each with one hop");
  EXPECT_EQ(described("dragonfly:2,1,1"),
            "dragonfly:2,1,1 B groups: acyclic: local links before the global one, and behind it, have VCs of "
            "their own");
}

/// Wires of the hypercube are those of a flattened butterfly of radix 2; a dragonfly's groups are rows.
TEST(flat_networks, have_the_wires_of_the_planar_layout) {
  const auto lengths = [](const char* spec) {
    std::vector<std::uint32_t> all;
    const topology t = make_topology(spec);
    for (const netlist_link& wire : t.wiring->links()) all.push_back(wire.length);
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_EQ(lengths("flatfly:2,5,1"), lengths("hypercube:5"));
  EXPECT_EQ(lengths("flatfly:2,5,1").back(), 4u);
  const topology groups = make_topology("dragonfly:4,2,2");
  const planar_layout dragonfly(*groups.wiring);
  EXPECT_EQ(dragonfly.width(), 4u);
  EXPECT_EQ(dragonfly.height(), 9u);
  EXPECT_EQ(lengths("dragonfly:4,2,2").front(), 1u);
  EXPECT_EQ(lengths("dragonfly:4,2,2").back(), 11u) << "router 3 of the first row, 0 of the last";
}

}  // namespace
}  // namespace toriscope
