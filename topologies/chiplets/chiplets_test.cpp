// SPDX-License-Identifier: Apache-2.0
// Dies on an interposer: wiring by names, every route against breadth-first search and against sums of hops that are
// counted on the networks alone, proofs, messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "base/words.h"
#include "topologies/bfs_oracle.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/link_models/link_width.h"
#include "topologies/path.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

topology made(const std::string& spec, unsigned vcs = 4) {
  topology_options options;
  options.vcs = vcs;
  return make_topology(spec, options);
}

/// Hops between the terminals of a network that stands alone, by terminals.
std::vector<std::vector<unsigned>> hops_alone(const std::string& spec, unsigned vcs) {
  const topology t = made(spec, vcs);
  const terminal_id n = t.wiring->terminal_count();
  std::vector<std::vector<unsigned>> hops(n, std::vector<unsigned>(n));
  for (terminal_id from = 0; from < n; ++from)
    for (terminal_id to = 0; to < n; ++to)
      hops[from][to] = routed_distance(*t.wiring, *t.routing, from, to, vcs);
  return hops;
}

struct assembly {
  std::string interposer;
  std::string die;
  std::vector<terminal_id> gateways;  ///< terminals of the die
  std::string options;
  unsigned vcs;
  unsigned delay = 4;
  bool shortest = false;  ///< the die's routes are shortest paths
};
void PrintTo(const assembly& a, std::ostream* out) { *out << a.interposer << "+" << a.die << a.options; }

class chiplets : public testing::TestWithParam<assembly> {
 protected:
  const assembly& a_ = GetParam();
  const topology t_ = made("chiplets:" + a_.interposer + "+" + a_.die + a_.options, a_.vcs);
  const netlist& net_ = *t_.wiring;
  const std::vector<std::vector<unsigned>> die_ = hops_alone(a_.die, a_.vcs / 2);
  const std::vector<std::vector<unsigned>> interposer_ = hops_alone(a_.interposer, a_.vcs);

  std::size_t up(terminal_id from) const {
    std::size_t best = 0;
    for (std::size_t g = 1; g < a_.gateways.size(); ++g)
      if (die_[from][a_.gateways[g]] < die_[from][a_.gateways[best]]) best = g;
    return best;
  }
  std::size_t down(terminal_id to) const {
    std::size_t best = 0;
    for (std::size_t g = 1; g < a_.gateways.size(); ++g)
      if (die_[a_.gateways[g]][to] < die_[a_.gateways[best]][to]) best = g;
    return best;
  }
};

TEST_P(chiplets, take_the_hops_and_the_time_of_their_parts) {
  set_link_widths(*t_.wiring, 64, {});
  const auto each = static_cast<terminal_id>(die_.size());
  ASSERT_EQ(net_.terminal_count(), each * interposer_.size());
  for (terminal_id from = 0; from < net_.terminal_count(); ++from)
    for (terminal_id to = 0; to < net_.terminal_count(); ++to) {
      const terminal_id of_die = from % each, at_die = to % each;
      unsigned fast = die_[of_die][at_die], slow = 0;
      if (from / each != to / each) {
        fast = die_[of_die][a_.gateways[up(of_die)]] + die_[a_.gateways[down(at_die)]][at_die];
        slow = 2 + interposer_[from / each][to / each];
      }
      unsigned hops = 0, time = 0;
      for (const hop& h : walk(net_, *t_.routing, from, to, a_.vcs)) {
        const netlist_link& link = net_.link(h.link);
        ++hops;
        time += link.delay_cycles + link.flit_cycles - 1;
      }
      ASSERT_EQ(hops, fast + slow) << from << " to " << to;
      // A flit of 64 bits takes two cycles on a link of 32.
      ASSERT_EQ(time, fast + slow * (a_.delay + 1)) << from << " to " << to;
    }
}

TEST_P(chiplets, keep_packets_of_a_die_to_itself_on_it_and_in_the_first_half) {
  const netlist alone = *made(a_.die, a_.vcs / 2).wiring;
  const auto each = static_cast<terminal_id>(die_.size());
  for (const terminal_id first : {terminal_id{0}, each})
    for (terminal_id from = 0; from < each; ++from) {
      const std::vector<unsigned> least = bfs_distances(alone, alone.terminal(from).node);
      for (terminal_id to = 0; to < each; ++to) {
        const std::vector<hop> way = walk(net_, *t_.routing, first + from, first + to, a_.vcs);
        for (const hop& h : way) {
          ASSERT_EQ(h.node / alone.node_count(), first / each);
          ASSERT_LT(h.vc, a_.vcs / 2);
        }
        const unsigned shortest = least[alone.terminal(to).node];
        ASSERT_TRUE(a_.shortest ? way.size() == shortest : way.size() >= shortest) << from << " to " << to;
      }
    }
}

TEST_P(chiplets, change_to_the_second_half_behind_the_interposer) {
  const auto each = static_cast<terminal_id>(die_.size());
  for (terminal_id from = 0; from < each; ++from)
    for (terminal_id to = each; to < 2 * each; ++to) {
      std::string parts;
      for (const hop& h : walk(net_, *t_.routing, from, to, a_.vcs)) {
        const std::string start = net_.address(h.node), end = net_.address(net_.link(h.link).to);
        const bool slow = begins_with(start, "interposer.") || begins_with(end, "interposer.");
        const char part = slow ? 'i' : h.vc < a_.vcs / 2 ? 'a' : 'b';
        ASSERT_TRUE(slow || start.substr(0, 5) == (part == 'a' ? "die0." : "die1."));
        if (parts.empty() || parts.back() != part) parts += part;
      }
      ASSERT_THAT(parts, testing::AnyOf("i", "ai", "ib", "aib")) << from << " to " << to;
    }
}

TEST_P(chiplets, are_proven_free_of_deadlock) {
  const deadlock_proof proof = prove(net_, *t_.routing, a_.vcs);
  EXPECT_EQ(proof.outcome, proof_outcome::proven) << proof.reason;
}

INSTANTIATE_TEST_SUITE_P(
    all, chiplets,
    testing::Values(assembly{"mesh:2x2", "mesh:4x4", {0}, "", 2, 4, true},
                    assembly{"mesh:2x3", "mesh:3x3", {0, 8}, "+gateways=00,22+delay=9", 4, 9, true},
                    assembly{"torus:3x3", "torus:4x4", {5}, "+gateways=11", 4, 4, true},
                    assembly{"mesh:1x2", "torus:4x4", {15, 0, 6}, "+gateways=33,00,12", 6, 4, true},
                    assembly{"crossbar:3", "ttn:2,2,0", {0}, "", 4},
                    assembly{"mesh:1x2", "ttn:2,2,0", {37, 200}, "+gateways=02.11,30.20+delay=2", 8, 2},
                    assembly{"mesh:2x2", "htn:2,2,2,0", {0}, "", 8},
                    assembly{"cmesh:1x2,2", "htn:2,2,2,0", {22, 9}, "+gateways=10.110,01.001", 8},
                    assembly{"fattree:2,2", "cmesh:2x2,3", {0, 9}, "+gateways=00,11", 2, 4, true},
                    assembly{"flatfly:2,2,1", "crossbar:4", {0}, "", 2, 4, true}),
    [](const auto& a) {
      std::string name = std::to_string(a.index) + "_" + a.param.interposer + "_" + a.param.die;
      std::replace_if(
          name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
      return name;
    });

TEST(chiplets_wiring, joins_the_gateways_with_the_router_of_their_die) {
  const topology t = made("chiplets:mesh:2x2+mesh:3x3+gateways=00,22+delay=5+width=16");
  const netlist& net = *t.wiring;
  EXPECT_EQ(net.node_count(), 4u * 9u + 4u);
  EXPECT_EQ(net.terminal_count(), 36u);
  std::set<std::string> between;
  for (link_id l = 0; l < net.links().size(); ++l) {
    const netlist_link& link = net.link(l);
    const std::string from = net.address(link.from), to = net.address(link.to);
    if (from.substr(0, 5) == to.substr(0, 5) && from[0] == 'd') {
      EXPECT_EQ(link.delay_cycles, 1);
      EXPECT_EQ(link.level, 1);
      EXPECT_EQ(net.own_values(l).width_bits, 0);
      continue;
    }
    EXPECT_EQ(link.delay_cycles, 5);
    EXPECT_EQ(link.level, 2);
    EXPECT_EQ(net.own_values(l).width_bits, 16);
    between.insert(from + " " + net.port_name(link.from, link.from_port) + " > " + to);
  }
  std::set<std::string> expected;
  const std::string routers[] = {"00", "01", "10", "11"};
  for (unsigned d = 0; d < 4; ++d)
    for (unsigned g = 0; g < 2; ++g) {
      const std::string die = "die" + std::to_string(d), router = "interposer." + routers[d];
      const std::string gateway = die + (g == 0 ? ".00" : ".22");
      expected.insert(gateway + " interposer > " + router);
      expected.insert(router + " " + die + "_" + std::to_string(g) + " > " + gateway);
    }
  for (const char* pair : {"00 x+ > 01", "01 x- > 00", "10 x+ > 11", "11 x- > 10", "00 y+ > 10", "10 y- > 00",
                           "01 y+ > 11", "11 y- > 01"}) {
    const std::string text = pair;
    expected.insert("interposer." + text.substr(0, 8) + "interposer." + text.substr(8));
  }
  EXPECT_EQ(between, expected);
}

TEST(chiplets_wiring, numbers_the_ports_of_a_die_only_where_it_has_several) {
  const auto ports_of_router = [](const std::string& gateways) {
    const topology t = made("chiplets:mesh:1x2+mesh:2x2" + gateways);
    std::vector<std::string> names;
    for (port_id p = 0; p < t.wiring->ports(8).size(); ++p) names.push_back(t.wiring->port_name(8, p));
    return names;
  };
  EXPECT_THAT(ports_of_router("+gateways=11"), testing::IsSupersetOf({"die0"}));
  EXPECT_THAT(ports_of_router("+gateways=00,11"), testing::IsSupersetOf({"die0_0", "die0_1"}));
}

TEST(chiplets_wiring, keeps_what_links_of_a_file_have_of_their_own) {
  const std::string file = "file:" + test_file("part.json");
  std::ofstream(test_file("part.json")) << R"({"nodes": ["a-0", "b", "c"], "links": [
      {"from": "a-0", "to": "b", "delay": 7, "width": 16}, {"from": "b", "to": "c"}]})";
  for (const bool is_die : {true, false}) {
    const topology t = made("chiplets:" + (is_die ? "mesh:1x2+" + file : file + "+mesh:1x2") + "+delay=5+width=8");
    const netlist& net = *t.wiring;
    EXPECT_EQ(net.path(is_die ? 0 : 3 * 2), is_die ? "die0.a_0" : "interposer.a_0");
    unsigned own = 0;
    for (link_id l = 0; l < net.links().size(); ++l) {
      const std::string ends = net.address(net.link(l).from) + " " + net.address(net.link(l).to);
      const own_link_values values = net.own_values(l);
      const std::vector<unsigned> found{net.link(l).delay_cycles, values.delay_cycles, values.width_bits};
      std::vector<unsigned> expected{5, 5, 8};
      if (ends.find("interposer.") == std::string::npos) expected = {1, 0, 0};
      if (ends.find(".a-0") != std::string::npos && ends.find(".b") != std::string::npos) {
        expected = {7, 7, 16};
        ++own;
      }
      EXPECT_EQ(found, expected) << ends;
    }
    EXPECT_EQ(own, is_die ? 4u : 2u);
  }
}

TEST(chiplets_wiring, keeps_what_nodes_of_a_file_have_of_their_own) {
  const std::string file = "file:" + test_file("own.json");
  const auto write = [](const std::string& vcs) {
    std::ofstream(test_file("own.json"))
        << R"({"comment": "all", "nodes": [{"name": "a", "depth": 7, "comment": "first")" << vcs
        << R"(}, {"name": "b", "pipeline": "single_cycle"}, "c"],
               "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c", "comment": "second"}]})";
  };
  write("");
  for (const bool is_die : {true, false}) {
    const netlist net = *made("chiplets:" + (is_die ? "mesh:1x2+" + file : file + "+mesh:1x2")).wiring;
    EXPECT_EQ(net.comment(), "all");
    ASSERT_TRUE(net.has_node_values());
    for (node_id n = 0; n < net.node_count(); ++n) {
      const std::string name = net.address(n);
      const char last = name.back();
      EXPECT_EQ(net.node_values(n).depth, last == 'a' ? 7u : 0u) << name;
      EXPECT_EQ(net.node_values(n).pipeline, last == 'b' ? "single_cycle" : "") << name;
      EXPECT_EQ(net.node_comment(n), last == 'a' ? "first" : "") << name;
    }
    for (link_id l = 0; l < net.links().size(); ++l) {
      const std::string from = net.address(net.link(l).from), to = net.address(net.link(l).to);
      const std::string ends{from.back(), to.back()};
      EXPECT_EQ(net.link_comment(l), ends == "bc" || ends == "cb" ? "second" : "") << from << " to " << to;
    }
  }
  write(", \"vcs\": 2");
  const topology t = made("chiplets:" + file + "+mesh:2x2", 4);
  const node_id narrow = 3 * 4;
  EXPECT_EQ(t.wiring->vcs_of(narrow, 4), 2u);
  route_option options[routing_function::max_options];
  ASSERT_EQ(t.routing->route({0, t.wiring->local_port(0), 0, 4, 0}, options), 1u);
  EXPECT_EQ(t.wiring->link(t.wiring->ports(0)[options[0].out_port].out).to, narrow);
  EXPECT_EQ(options[0].vcs, 3u) << "up";
  EXPECT_EQ(prove(*t.wiring, *t.routing, 4).outcome, proof_outcome::proven);
  EXPECT_EQ(error_of([&] { made("chiplets:mesh:1x2+" + file, 4); }),
            "topology '" + file + "': node 'a' has VCs of its own; expected nodes with all VCs on a die, where packets "
            "take one half before the interposer, the other after it (a die has 2 of the 4 VCs before the interposer, "
            "and as many after it)");
}

/// Nodes a and b, with these values, and a link between them. @param end  of the link, and what follows it
std::string pair_file(const std::string& of_a, const std::string& of_b, const std::string& end = "}]") {
  static unsigned files = 0;
  const std::string path = test_file("pair" + std::to_string(files++) + ".json");
  std::ofstream(path) << R"({"nodes": [{"name": "a", )" + of_a + R"(}, {"name": "b", )" + of_b + "}], "
                      << R"("links": [{"from": "a", "to": "b")" << end << "}";
  return "file:" + path;
}

TEST(chiplets_wiring, keeps_the_comments_of_both_parts) {
  const std::string plain = R"("level": 1)", die = "chiplets:mesh:1x2+";
  const std::string up = pair_file(plain, plain, R"(}], "comment": "up")");
  const std::string down = pair_file(plain, plain, R"(}], "comment": "down")");
  EXPECT_EQ(made("chiplets:" + up + "+" + down).wiring->comment(), "up; down");
  EXPECT_EQ(made(die + pair_file(plain, R"("comment": "macro")")).wiring->node_comment(1), "macro");
  EXPECT_EQ(made(die + pair_file(plain, plain, R"(, "comment": "long"}])")).wiring->link_comment(0), "long");
}

/// Node b of a die is 70,000 pitches off; the two routers of the interposer are in one place.
TEST(chiplets_wiring, has_links_of_one_pitch_at_least) {
  const auto length = [](const std::string& parts, node_id from, const char* port) {
    const auto net = made("chiplets:" + parts).wiring;
    return net->link(net->ports(from)[net->port_named(from, port)].out).length;
  };
  const std::string here = R"("position": [0, 0])", far = R"("position": [70000, 0])";
  EXPECT_EQ(length("mesh:1x2+" + pair_file(here, far) + "+gateways=b", 1, "interposer"), 70003u);
  EXPECT_EQ(length(pair_file(here, here) + "+mesh:1x2", 4, "p0"), 1);
}

/// Of three gateways two bits of state may name a fourth: a packet goes to the last.
TEST(chiplets_routing, takes_the_last_gateway_in_a_state_that_no_packet_has) {
  const topology t = made("chiplets:mesh:1x2+mesh:3x3+gateways=00,02,22", 2);
  const port_id from = t.wiring->port_named(4, "x+");  // node 4 is in the middle
  route_option last[routing_function::max_options], beyond[routing_function::max_options];
  ASSERT_EQ(t.routing->route({4, from, 0, 9, 2}, last) + t.routing->route({4, from, 0, 9, 3}, beyond), 2u);
  EXPECT_EQ(beyond[0].state, last[0].state);
}

/// A dragonfly of three groups of two has 6 local links of level 1, 6 global ones of level 2, and 6 terminals.
TEST(chiplets_wiring, has_the_levels_of_the_interposer_above_those_of_the_die) {
  const auto links_by_level = [](const std::string& parts) {
    const topology t = made("chiplets:" + parts, 8);
    std::map<unsigned, unsigned> count;
    for (const netlist_link& l : t.wiring->links()) ++count[l.level];
    EXPECT_EQ(link_levels(*t.wiring), 3u);
    return count;
  };
  EXPECT_EQ(links_by_level("dragonfly:2,1,1+mesh:1x2"),
            (std::map<unsigned, unsigned>{{1, 6 * 2}, {2, 6 * 2 + 6}, {3, 6}}));
  EXPECT_EQ(links_by_level("mesh:1x2+dragonfly:2,1,1"),
            (std::map<unsigned, unsigned>{{1, 2 * 6}, {2, 2 * 6}, {3, 2 * 2 + 2}}));
}

TEST(chiplets_routing, gives_both_halves_where_no_packet_comes_from_above) {
  const topology t = made("chiplets:mesh:2x2+mesh:4x4");
  const netlist& net = *t.wiring;
  const auto vcs_of = [&](node_id node, port_id in_port, terminal_id to) {
    route_option options[routing_function::max_options];
    EXPECT_EQ(t.routing->route({node, in_port, 0, to, 0}, options), 1u);
    return options[0].vcs;
  };
  // From the gateway, node 0, packets go down column 0, then along a row.
  EXPECT_EQ(vcs_of(0, net.local_port(0), 15), 0b0011);
  EXPECT_EQ(vcs_of(0, net.port_named(0, "interposer"), 15), 0b1100);
  EXPECT_EQ(vcs_of(15, net.local_port(15), 0), 0b1111) << "up column 3";
  EXPECT_EQ(vcs_of(15, net.local_port(15), 12), 0b1111) << "back along a row";
  EXPECT_EQ(vcs_of(12, net.local_port(12), 15), 0b0011) << "along a row";
  EXPECT_EQ(vcs_of(0, net.local_port(0), 16), 0b1111) << "to the interposer";
}

/// In either half a ring of 8 has its classes of VCs, as alone.
TEST(chiplets_routing, asks_the_die_for_the_vc_within_its_half) {
  const topology t = made("chiplets:mesh:1x2+torus:8x1", 4);
  const topology die = made("torus:8x1", 2);
  for (node_id node = 0; node < 8; ++node)
    for (node_id to = 0; to < 8; ++to)
      for (port_id in = 0; in < die.wiring->local_port(node); ++in)
        for (const unsigned vc : {0u, 1u, 2u, 3u}) {
          if (node == to) continue;
          route_option alone[routing_function::max_options], found[routing_function::max_options];
          ASSERT_EQ(die.routing->route({node, in, static_cast<std::uint8_t>(vc % 2), to, 1}, alone), 1u);
          ASSERT_EQ(t.routing->route({node, in, static_cast<std::uint8_t>(vc), to, 1}, found), 1u);
          EXPECT_EQ((found[0].vcs | found[0].vcs >> 2) & 3, alone[0].vcs) << node << " to " << to << ", VC " << vc;
        }
}

TEST(chiplets_wiring, leaves_room_between_dies) {
  const topology t = made("chiplets:cmesh:1x2,2+mesh:2x2");
  const auto& at = t.wiring->positions();
  ASSERT_EQ(at.size(), t.wiring->node_count());
  std::set<std::pair<double, double>> places;
  for (const node_position& p : at) EXPECT_TRUE(places.insert({p.x, p.y}).second) << p.x << " " << p.y;
  for (unsigned die = 0; die + 1 < 4; ++die)
    EXPECT_GE(at[4 * die + 4].x - at[4 * die + 1].x, 2) << "columns of one die and the next";
  // By hand: the dies begin at the left, one step apart, two for each router; the router is at the corner of the first.
  EXPECT_EQ(at[0].x, 0);
  for (unsigned die = 1; die < 4; ++die) EXPECT_EQ(at[4 * die].x, die * at[4].x);
  for (unsigned router = 0; router < 2; ++router) {
    const double left_by = at[8 * router].x - at[16 + router].x;
    EXPECT_GT(left_by, 0);
    EXPECT_LT(left_by, at[4].x - at[1].x) << "between this die and the one before";
  }
}

TEST(chiplets_spec, is_resolved_to_its_normal_form) {
  EXPECT_EQ(made("chiplets:mesh:2x02+mesh:4x4+width=32+gateways=00+delay=4").choice.spec,
            "chiplets:mesh:2x2+mesh:4x4");
  const std::string all = "chiplets:mesh:2x2+torus:4x4+gateways=33,00+delay=7+width=8";
  const topology t = made("chiplets:mesh:2x2+torus:4x4+width=8+delay=7+gateways=33,00");
  EXPECT_EQ(t.choice.spec, all);
  EXPECT_EQ(t.choice.vc_rule, "balanced");
  EXPECT_EQ(t.choice.ties, "balanced");
  for (const char* const limits : {"+delay=1+width=1", "+delay=1000+width=65535"})
    EXPECT_EQ(made(std::string("chiplets:mesh:2x2+mesh:4x4") + limits).choice.spec,
              std::string("chiplets:mesh:2x2+mesh:4x4") + limits);
}

TEST(chiplets_spec, passes_choices_on_to_the_die_and_back) {
  topology_options options;
  options.links = "B";
  options.ties = "positive";
  options.vc_rule = "C";
  options.vcs = 8;
  const topology t = make_topology("chiplets:mesh:1x2+ttn:2,2,0", options);
  const topology die = make_topology("ttn:2,2,0", options);
  EXPECT_EQ(t.wiring->links().size(), 2 * die.wiring->links().size() + 6);
  topology_options again;
  static_cast<network_choice&>(again) = t.choice;
  again.vcs = 8;
  const topology same = make_topology(again);
  EXPECT_EQ(same.choice.spec, "chiplets:mesh:1x2+ttn:2,2,0");
  EXPECT_EQ(same.choice.links, "B");
  EXPECT_EQ(same.choice.ties, "positive");
  EXPECT_EQ(same.choice.vc_rule, "C");
  EXPECT_EQ(same.wiring->links().size(), t.wiring->links().size());
}

TEST(chiplets_spec, takes_message_classes_with_an_even_share_of_the_vcs) {
  topology_options options;
  options.vcs = 8;
  options.message_classes = 2;
  const topology t = make_topology("chiplets:mesh:2x2+torus:4x4", options);
  EXPECT_EQ(prove(*t.wiring, *t.routing, 8).outcome, proof_outcome::proven);
  options.vcs = 6;
  EXPECT_THROW(make_topology("chiplets:mesh:2x2+torus:4x4", options), std::invalid_argument);
}

std::string refused(const std::string& spec, unsigned vcs = 4) {
  try {
    made("chiplets:" + spec, vcs);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(chiplets_spec, is_rejected_with_one_line) {
  EXPECT_EQ(refused("mesh:2x2"),
            "topology 'chiplets:mesh:2x2': expected the interposer's network and the die's, with + between: "
            "chiplets:mesh:2x2+mesh:4x4");
  EXPECT_EQ(refused("mesh:2x2+mesh:4x4", 3),
            "topology 'chiplets:mesh:2x2+mesh:4x4': 3 VCs; the dies need an even number: half before the "
            "interposer, half after it");
  EXPECT_EQ(refused("mesh:2x2+torus:4x4", 2),
            "topology 'torus:4x4': VC rule balanced needs at least 2 VCs, not 1 (a die has 1 of the 2 VCs "
            "before the interposer, and as many after it)");
  EXPECT_EQ(refused("mehs:2x2+mesh:4x4"), "unknown topology 'mehs'; did you mean 'mesh'?");
  EXPECT_THAT(refused("mesh:2x2+star:4"),
              HasSubstr("topology 'star:4' has no routing algorithm for chiplets"));
  EXPECT_THAT(refused("mesh:2x2+butterfly:2,2"), HasSubstr("packets enter and leave at different routers"));
  EXPECT_THAT(refused("mesh:2x2+chiplets:mesh:2x2"), HasSubstr("expected another network"));
  EXPECT_EQ(refused("mesh:2x2+mesh:4x4+gateways=44"),
            "topology 'chiplets:mesh:2x2+mesh:4x4+gateways=44': gateway '44' is not a node of the die; its "
            "addresses are 00 to 33");
  EXPECT_THAT(refused("mesh:2x2+mesh:4x4+gateways=00,00"), HasSubstr("gateway '00' given twice"));
  EXPECT_THAT(refused("mesh:2x2+mesh:4x4+delay=2+delay=3"), HasSubstr("option delay given twice"));
  EXPECT_THAT(refused("mesh:2x2+fattree:2,2+gateways=0.0"),
              HasSubstr("gateway '0.0' has no terminal; expected a node that has one, such as 1.0"));
  EXPECT_THAT(refused("mesh:2x2+mesh:4x4+delay=0"), HasSubstr("'delay=0'; expected a number from 1 to 1000"));
  EXPECT_THAT(refused("mesh:2x2+mesh:4x4+width=70000"), HasSubstr("expected a number from 1 to 65535"));
  EXPECT_THAT(refused("mesh:2x2+mesh:4x4+delay"), HasSubstr("'delay'; expected a number from 1 to 1000"));
  EXPECT_THAT(refused("mesh:2x2+mesh:4x4+gateways=0"), HasSubstr("gateway '0' is not a node of the die"));
  EXPECT_THAT(refused("mesh:2x2+mesh:4x4+speed=3"), HasSubstr("'speed=3' is not an option of chiplets"));
  EXPECT_THAT(refused("mesh:2x2+mesh:4x4+"), HasSubstr("'' is not an option of chiplets"));
  EXPECT_THAT(refused("crossbar:31+mesh:4x4"), HasSubstr("at most 31 are supported"));
  EXPECT_THAT(refused("mesh:1000x1000+mesh:8x8"), HasSubstr("65000000 nodes; at most 16777216"));
}

/// By hand: a die of 2 rows of 3 takes 5 pitches from left to right with the gap of 3, and 4 from top to bottom. A
/// router has two dies side by side, and is 1.5 left of the first and above it.
/// Wherever the die's own positions begin.
TEST(chiplets_wiring, stands_as_far_apart_as_its_dies_are_wide) {
  const auto with_die = [](const std::string& a, const std::string& b) {
    const std::string at = R"("position": [)";
    return made("chiplets:mesh:1x2+" + pair_file(at + a + ", 4]", at + b + ", 0]"));
  };
  const topology t = with_die("-10", "-3"), other = with_die("0", "7");
  for (node_id n = 0; n < t.wiring->node_count(); ++n) {
    EXPECT_EQ(t.wiring->positions()[n].x, other.wiring->positions()[n].x);
    EXPECT_EQ(t.wiring->positions()[n].y, other.wiring->positions()[n].y);
  }
  EXPECT_EQ(t.wiring->positions()[2].x, 10) << "the first node of the second die";
}

TEST(chiplets_wiring, stands_in_rows_and_columns_of_its_interposer) {
  const topology t = made("chiplets:cmesh:2x2,2+mesh:2x3");
  const netlist& net = *t.wiring;
  ASSERT_EQ(net.node_count(), 8u * 6 + 4);
  std::vector<node_position> expected;
  for (unsigned die = 0; die < 8; ++die)
    for (unsigned node = 0; node < 6; ++node)
      expected.push_back({5. * (2 * (die / 2 % 2) + die % 2) + node % 3, 4. * (die / 4) + node / 3});
  for (unsigned router = 0; router < 4; ++router)
    expected.push_back({10. * (router % 2) - 1.5, 4. * (router / 2) - 1.5});
  for (node_id n = 0; n < net.node_count(); ++n) {
    EXPECT_EQ(net.positions()[n].x, expected[n].x) << net.address(n);
    EXPECT_EQ(net.positions()[n].y, expected[n].y) << net.address(n);
  }
  for (const netlist_link& l : net.links()) {
    const node_position &a = expected[l.from], &b = expected[l.to];
    EXPECT_EQ(l.length, std::abs(a.x - b.x) + std::abs(a.y - b.y)) << net.address(l.from) << " to " << l.to;
    EXPECT_EQ(l.delay_cycles, l.level == 1 ? 1 : 4);
  }
}

}  // namespace
}  // namespace toriscope
