// SPDX-License-Identifier: Apache-2.0
// file:PATH from the file to the routing: routes against breadth-first search, the proof of the VC rules,
// rejected files.
#include "topologies/custom/custom_network.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "base/error_of_test.h"
#include "base/test_file.h"
#include "topologies/bfs_oracle.h"
#include "topologies/custom/forwarding_table.h"
#include "topologies/message_class_routing.h"
#include "topologies/path.h"
#include "topologies/proof/channel_dependency.h"
#include "topologies/proof/packet_explorer.h"
#include "topologies/registry.h"
#include "topologies/vc_classes.h"

namespace toriscope {
namespace {

using testing::HasSubstr;

std::string written(const std::string& text) {
  const std::string path = test_file("custom_network_test.json");
  std::ofstream(path) << text;
  return path;
}

topology made(const std::string& path, unsigned vcs = 4, const std::string& rule = "safe") {
  topology_options options;
  options.vcs = vcs;
  options.vc_rule = rule;
  return make_topology("file:" + path, options);
}

std::string refusal(const std::string& text, unsigned vcs = 4, const std::string& rule = "safe") {
  try {
    made(written(text), vcs, rule);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// A ring of one-way or full-duplex links, 0 to 1 to 2 ...
std::string ring(unsigned nodes, bool duplex, const std::string& more = "") {
  std::string links;
  for (unsigned node = 0; node < nodes; ++node)
    links += (node == 0 ? "" : ",") + std::string(R"({"from": )") + std::to_string(node) + R"(, "to": )" +
             std::to_string((node + 1) % nodes) + R"(, "from_port": "up", "to_port": "down", "duplex": )" +
             (duplex ? "true}" : "false}");
  return R"({"nodes": )" + std::to_string(nodes) + R"(, "links": [)" + links + "]" + more + "}";
}

void expect_shortest_and_acyclic(const topology& t, unsigned vcs) {
  const netlist& net = *t.wiring;
  for (node_id source = 0; source < net.node_count(); ++source) {
    const auto shortest = bfs_distances(net, source);
    for (node_id destination = 0; destination < net.node_count(); ++destination) {
      ASSERT_EQ(routed_distance(net, *t.routing, source, destination, vcs), shortest[destination]);
      std::vector<unsigned> distance;
      distances_to(net, destination, distance);
      ASSERT_EQ(distance[source], shortest[destination]);
    }
  }
  const auto found = find_channel_dependencies(net, *t.routing, vcs);
  EXPECT_TRUE(found.acyclic()) << found.in_words(net);
}

TEST(custom_network, example) {
  const topology t = made(TORISCOPE_EXAMPLE, 2);
  EXPECT_EQ(t.choice.spec, std::string("file:") + TORISCOPE_EXAMPLE);
  EXPECT_EQ(t.choice.links, "U") << "one of them is one way";
  EXPECT_EQ(t.choice.vc_rule, "layers");
  expect_shortest_and_acyclic(t, 2);
}

// One way, the longest routes pass all nodes but two: half as many layers as nodes.
TEST(custom_network, rings) {
  for (const unsigned nodes : {3u, 5u, 8u})
    for (const bool duplex : {true, false})
      for (const unsigned more : {0u, 1u, 4u}) {
        const unsigned vcs = (duplex ? 2 : (nodes + 1) / 2) + more;
        expect_shortest_and_acyclic(made(written(ring(nodes, duplex)), vcs), vcs);
      }
}

/// p and its number, unless another port of the node is called so.
TEST(custom_network, ports_without_a_name_get_one_that_is_free) {
  const auto net = build_custom(
      parse_network(R"({"nodes": ["a", "b", "c"], "links": [{"from": "a", "to": "b", "from_port": "p1"},
          {"from": "a", "to": "c"}, {"from": "b", "to": "c"}]})", "file"));
  EXPECT_EQ(net->port_name(0, 0), "p1");
  EXPECT_EQ(net->port_name(0, 1), "p2");
  EXPECT_EQ(net->port_name(1, 0), "p0");
  EXPECT_EQ(net->port_name(1, 1), "p1");
}

TEST(custom_network, too_few_vcs) {
  EXPECT_THAT(refusal(ring(8, true), 1),
              HasSubstr("VC rule layers needs 2 VCs to part the routes into layers without cycles, not 1"));
  EXPECT_EQ(refusal(ring(3, true), 1), "") << "no route is longer than a link";
}

/// Packets from 0 to 3 to 6 to 0 end where others begin; those of all nine nodes would need two VCs.
TEST(custom_network, layers_are_for_packets_between_terminals_alone) {
  std::string text = ring(9, true), nodes;
  for (unsigned n = 0; n < 9; ++n) {
    const std::string name = std::to_string(n), terminals = n % 3 == 0 ? "1" : "0";
    nodes += (n == 0 ? "[" : ", ") + (R"({"name": ")" + name + R"(", "terminals": )" + terminals + "}");
  }
  text.replace(text.find("9"), 1, nodes + "]");
  EXPECT_EQ(refusal(text, 1), "");
}

TEST(custom_network, refuses_what_is_not_connected) {
  EXPECT_THAT(refusal(R"({"nodes": ["a", "b", "c"], "links": [{"from": "a", "to": "b"}]})"),
              HasSubstr("no way leads from 'c' to 'a'; every node must reach every other"));
  EXPECT_THAT(refusal(R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b", "duplex": false}]})"),
              HasSubstr("no way leads from 'b' to 'a'; every node must reach every other"));
}

TEST(custom_network, refuses_other_rules) {
  EXPECT_THAT(refusal(ring(4, true), 4, "dateline"), HasSubstr("it has: safe, layers, given"));
  EXPECT_THAT(refusal(ring(4, true), 4, "given"), HasSubstr("VC rule given needs 'routes' in the file"));
}

// Up all the way round, against what shortest paths would do: the table is followed, and layers make it safe.
TEST(custom_network, routes_of_the_file) {
  std::string routes;
  for (unsigned node = 0; node < 5; ++node)
    routes += (node == 0 ? "\"" : ",\"") + std::to_string(node) + R"(": {"*": "up"})";
  const topology t = made(written(ring(5, true, R"(, "routes": {)" + routes + "}")), 3);
  EXPECT_EQ(t.choice.vc_rule, "layers");
  for (node_id source = 0; source < 5; ++source)
    for (node_id destination = 0; destination < 5; ++destination)
      EXPECT_EQ(routed_distance(*t.wiring, *t.routing, source, destination, 3),
                (destination + 5 - source) % 5);
  EXPECT_TRUE(find_channel_dependencies(*t.wiring, *t.routing, 3).acyclic());
}

// What is named goes before "*", wherever it stands.
TEST(custom_network, star_stands_for_the_rest) {
  const std::string routes =
      R"(, "routes": {"0": {"*": "up", "3": "down"}, "1": {"*": "down", "2": "up"}, "2": {"3": "up", "*": {"port": "down", "vcs": [1]}},
                      "3": {"*": "down", "0": "up"}})";
  const topology t = made(written(ring(4, true, routes)), 4, "given");
  const auto first_port = [&](node_id source, node_id destination) {
    return t.wiring->port_name(source, walk(*t.wiring, *t.routing, source, destination, 4).at(0).out_port);
  };
  EXPECT_EQ(first_port(0, 3), "down");
  EXPECT_EQ(first_port(0, 1), "up");
  EXPECT_EQ(first_port(2, 3), "up");
  EXPECT_EQ(first_port(3, 0), "up");
  EXPECT_EQ(walk(*t.wiring, *t.routing, 2, 3, 4).at(0).vc, 0u);
  EXPECT_EQ(walk(*t.wiring, *t.routing, 2, 1, 4).at(0).vc, 1u);
}

// The dateline rule of a one-way ring of three, written down: VC 1 where no wrap link lies ahead.
TEST(custom_network, vcs_of_the_file) {
  const std::string datelines =
      R"(, "routes": {"0": {"1": {"port": "up", "vcs": [1]}, "2": {"port": "up", "vcs": [1]}},
                      "1": {"2": {"port": "up", "vcs": [1]}, "0": {"port": "up", "vcs": [0]}},
                      "2": {"0": {"port": "up", "vcs": [0]}, "1": {"port": "up", "vcs": [0]}}})";
  const topology t = made(written(ring(3, false, datelines)), 2);
  EXPECT_EQ(t.choice.vc_rule, "given");
  expect_shortest_and_acyclic(t, 2);
  EXPECT_EQ(walk(*t.wiring, *t.routing, 2, 1, 2).at(0).vc, 0u);
  EXPECT_EQ(walk(*t.wiring, *t.routing, 2, 1, 2).at(1).vc, 1u);

  std::string all_one = datelines;
  for (std::size_t at = 0; (at = all_one.find("[0]", at)) != std::string::npos;) all_one[at + 1] = '1';
  EXPECT_THAT(
      refusal(ring(3, false, all_one), 2),
      HasSubstr("routes: with the VCs given they can deadlock, by a cycle of 3: 0 up vc1 -> 1 up vc1"));
  EXPECT_THAT(made(written(ring(3, false, all_one)), 2, "given").vc_rule_note, HasSubstr("cyclic"));
  EXPECT_EQ(made(written(ring(3, false, all_one)), 2, "layers").choice.vc_rule, "layers");
  EXPECT_THAT(refusal(ring(3, false, datelines), 1), HasSubstr(".vcs: a VC beyond the 1 of a port"));
}

TEST(custom_network, needs_no_routes_to_routers_without_terminals) {
  const auto without_way_to_c = [](const char* terminals) {
    return std::string(R"({"nodes": ["a", "b", {"name": "c", "terminals": )") + terminals + R"(}], "links": [
               {"from": "a", "to": "b", "from_port": "x", "to_port": "x"},
               {"from": "b", "to": "c", "from_port": "y", "to_port": "y"}],
               "routes": {"a": {"b": "x"}, "b": {"a": "x"}, "c": {"*": "y"}}})";
  };
  EXPECT_EQ(refusal(without_way_to_c("0"), 4), "");
  EXPECT_THAT(refusal(without_way_to_c("1"), 4), HasSubstr("routes: at 'a' there is no route to 'c'"));
}

/// No packet comes to switch c.
TEST(custom_network, needs_no_routes_from_routers_without_terminals_that_no_packet_passes) {
  EXPECT_EQ(refusal(R"({"nodes": ["a", "b", {"name": "c", "terminals": 0}], "links": [
      {"from": "a", "to": "b", "from_port": "x", "to_port": "x"},
      {"from": "b", "to": "c", "from_port": "y", "to_port": "y"}],
      "routes": {"a": {"b": "x"}, "b": {"a": "x"}}})"),
            "");
}

TEST(custom_network, refuses_routes_that_do_not_arrive) {
  EXPECT_THAT(refusal(ring(3, true, R"(, "routes": {"0": {"*": "up"}, "1": {"*": "up"}})")),
              HasSubstr("routes: at '2' there is no route to '0'"));
  EXPECT_THAT(
      refusal(ring(3, true, R"(, "routes": {"0": {"*": "up"}, "1": {"*": "down"}, "2": {"*": "up"}})")),
      HasSubstr("routes: packets from '0' to '2' go round in a cycle"));
  EXPECT_THAT(refusal(ring(3, true, R"(, "routes": {"0": {"*": "left"}})")),
              HasSubstr("routes.0.*: no link leaves '0' by a port 'left'; it has: up, down"));
}

/// Four leaves of four terminals, four spines: the terminals of a leaf are reached over one spine each.
TEST(custom_network, spreads_the_terminals_of_a_router_over_all_ways) {
  std::string nodes, links;
  for (char i = '0'; i < '4'; ++i) {
    nodes += std::string(R"({"name": "leaf)") + i + R"(", "terminals": 4}, {"name": "spine)" + i +
             R"(", "terminals": 0},)";
    for (char s = '0'; s < '4'; ++s)
      links += std::string(R"({"from": "leaf)") + i + R"(", "to": "spine)" + s + R"("},)";
  }
  nodes.pop_back();
  links.pop_back();
  const std::string path = written(R"({"nodes": [)" + nodes + R"(], "links": [)" + links + "]}");
  topology_options options;
  options.routing = "spread";
  const topology t = make_topology("file:" + path, options);
  ASSERT_EQ(t.wiring->terminal_count(), 16u);
  EXPECT_EQ(t.routing->injection_states(), 1u) << "nothing is drawn";
  const auto found = find_channel_dependencies(*t.wiring, *t.routing, 4);
  EXPECT_TRUE(found.acyclic()) << found.in_words(*t.wiring);
  std::vector<double> loads(t.wiring->links().size());
  for (terminal_id from = 0; from < 16; ++from)
    for (terminal_id to = 0; to < 16; ++to) {
      const std::vector<hop> way = walk(*t.wiring, *t.routing, from, to, 4);
      EXPECT_EQ(way.size(), from / 4 == to / 4 ? 0u : 2u);
      for (const hop& h : way) loads[h.link] += 1;
    }
  // 12 pairs of leaves, 16 pairs of terminals each, over 16 links up and 16 down.
  for (const double load : loads) EXPECT_EQ(load, 12);
}

/// Three links between a and b, whose terminals are 0..2 and 3..5; a has a link more. The terminal of a node chooses
/// the table, and a table the link: by the number of the node (a: 0, b: 1) and its own.
TEST(custom_network, spreads_terminals_by_their_place_at_their_router) {
  std::string links = R"({"from": "a", "to": "c", "from_port": "side", "to_port": "side"})";
  for (char i = '0'; i < '3'; ++i)
    links += std::string(R"(,{"from": "a", "to": "b", "from_port": "p)") + i + R"(", "to_port": "p)" + i + "\"}";
  const std::string path = written(
      R"({"nodes": [{"name": "a", "terminals": 3}, {"name": "b", "terminals": 3}, "c"], "links": [)" + links + "]}");
  topology_options options;
  options.routing = "spread";
  const topology t = make_topology("file:" + path, options);
  const auto port_to = [&](terminal_id from, terminal_id to) {
    const hop first = walk(*t.wiring, *t.routing, from, to, 4).front();
    return t.wiring->port_name(first.node, first.out_port);
  };
  for (terminal_id i = 0; i < 3; ++i) {
    EXPECT_EQ(port_to(3, i), "p" + std::to_string(i));
    EXPECT_EQ(port_to(0, 3 + i), "p" + std::to_string((1 + i) % 3));
    EXPECT_EQ(port_to(i, 6), "side");
  }
}

/// A one-way ring of five, whose routes need several layers of VCs.
TEST(custom_network, starts_in_the_layer_of_the_route_at_each_terminal) {
  std::string nodes;
  for (const char name : {'a', 'b', 'c', 'd', 'e'})
    nodes += std::string(nodes.empty() ? "[" : ",") + R"({"name": ")" + name + R"(", "terminals": 3})";
  std::string text = ring(5, false);
  text.replace(text.find("5"), 1, nodes + "]");
  const topology t = made(written(text));
  std::set<route_state> layers;
  for (terminal_id from = 0; from < 15; ++from)
    for (terminal_id to = 0; to < 15; ++to) {
      if (from / 3 == to / 3) continue;
      const hop first = walk(*t.wiring, *t.routing, from, to, 4).front();
      layers.insert(first.state);
      EXPECT_EQ(first.state, walk(*t.wiring, *t.routing, from - from % 3, to, 4).front().state) << from << " to " << to;
    }
  EXPECT_GT(layers.size(), 1u);
}

/// A ring of four whose routers have VCs of their own: 4 (as all), 2, 3, 4.
std::string own_vcs(const std::string& more = "", const std::string& of_b = "\"vcs\": 2") {
  return R"({"nodes": ["a", {"name": "b", )" + of_b + R"(}, {"name": "c", "vcs": 3}, "d"], "links": [
      {"from": "a", "to": "b", "from_port": "e", "to_port": "w"}, {"from": "b", "to": "c", "from_port": "e", "to_port": "w"},
      {"from": "c", "to": "d", "from_port": "e", "to_port": "w"}, {"from": "d", "to": "a", "from_port": "e", "to_port": "w"}])" +
         more + "}";
}

TEST(custom_network, routes_keep_to_the_vcs_of_the_router_that_they_lead_to) {
  for (const char* routing : {"table", "spread", "random", "in_turn", "updown", "adaptive"}) {
    topology_options options;
    options.spec = "file:" + written(own_vcs());
    options.routing = routing;
    const topology t = make_topology(options);
    // No VC that is not there; and every one that is, but where layers have no packets or up*/down* has no way.
    packet_explorer packets(*t.wiring, *t.routing, 4);
    for (terminal_id d = 0; d < 4; ++d) packets.follow_packets_to(d);
    for (link_id l = 0; l < t.wiring->links().size(); ++l) {
      const vc_mask used = packets.vcs_used()[l];
      const unsigned there = std::vector<unsigned>{4, 2, 3, 4}[t.wiring->link(l).to];
      EXPECT_EQ(used & ~all_vcs(there), 0) << routing << " " << l;
      if (used != 0 && routing != std::string("random") && routing != std::string("in_turn") &&
          routing != std::string("spread")) {
        EXPECT_EQ(used, all_vcs(there)) << routing << " " << l;
      }
    }
    for (node_id n = 0; n < 4; ++n) {
      route_option local[routing_function::max_options];
      ASSERT_EQ(t.routing->route({n, 0, 0, n, 0}, local), 1u);
      EXPECT_EQ(local[0].vcs, all_vcs(std::vector<unsigned>{4, 2, 3, 4}[n])) << routing;
    }
  }
}

TEST(custom_network, takes_turns_with_terminals_classes_and_routers_of_their_own) {
  topology_options options;
  options.routing = "in_turn";
  for (const char* text :
       {R"({"nodes": ["a", "b"], "links": [{"from": "a", "to": "b"}]})",
        R"({"nodes": [{"name": "a", "terminals": 3}, "b"], "links": [{"from": "a", "to": "b"}]})",
        R"({"nodes": [{"name": "a", "vcs": 2}, "b"], "links": [{"from": "a", "to": "b"}]})"}) {
    options.spec = "file:" + written(text);
    const topology t = make_topology(options);
    EXPECT_TRUE(t.routing->takes_states_in_turn()) << text;
    EXPECT_TRUE(message_class_routing(t.routing, 4).takes_states_in_turn()) << text;
  }
  options.routing = "random";
  EXPECT_FALSE(make_topology(options).routing->takes_states_in_turn());
}

TEST(custom_network, up_and_down_takes_a_router_with_one_vc_where_it_is_not_adaptive) {
  topology_options options;
  options.spec = "file:" + written(own_vcs("", "\"vcs\": 1"));
  options.routing = "updown";
  EXPECT_EQ(make_topology(options).wiring->vcs_of(1, options.vcs), 1u);
  options.routing = "adaptive";
  EXPECT_THAT(error_of([&] { make_topology(options); }),
              HasSubstr("node 'b': vcs: 1; VC rule duato needs at least 2"));
}

TEST(custom_network, says_why_up_and_down_is_free_of_deadlock) {
  topology_options options;
  options.spec = "file:" + written(ring(3, true));
  options.routing = "updown";
  EXPECT_EQ(make_topology(options).vc_rule_note, "acyclic: packets go up first, then down");
  options.routing = "adaptive";
  EXPECT_EQ(make_topology(options).vc_rule_note,
            "free of deadlock where VCs are granted again when drained: up*/down* on VC 0 is the escape "
            "(Duato 1993)");
}

TEST(custom_network, layers_are_laid_over_the_vcs_of_each_router) {
  // One way round: two layers, as in a ring with a dateline.
  const auto links = [](const char* of_2) {
    return std::string(R"({"nodes": [{"name": "a"}, {"name": "b"}, {"name": "c", )") + of_2 +
           R"(}, {"name": "d"}], "links": [{"from": "a", "to": "b", "duplex": false}, {"from": "b", "to": "c", "duplex": false},
               {"from": "c", "to": "d", "duplex": false}, {"from": "d", "to": "a", "duplex": false}]})";
  };
  const topology t = made(written(links(R"("vcs": 3)")));
  EXPECT_TRUE(find_channel_dependencies(*t.wiring, *t.routing, 4).acyclic());
  std::set<unsigned> into_c, into_d;  // the first VCs of their classes
  for (node_id from = 0; from < 4; ++from)
    for (node_id to = 0; to < 4; ++to)
      if (from != to)
        for (const hop& h : walk(*t.wiring, *t.routing, from, to, 4, 0)) {
          if (h.node == 1) into_c.insert(h.vc);
          if (h.node == 2) into_d.insert(h.vc);
        }
  EXPECT_EQ(into_c, (std::set<unsigned>{0, 2}));  // of 3 VCs: 0 1 | 2
  EXPECT_EQ(into_d, (std::set<unsigned>{0, 3}));  // of 4: 0 1 2 | 3
  EXPECT_THAT(refusal(links(R"("vcs": 1)")), HasSubstr("node 'c': vcs: 1; VC rule layers needs at least 2"));
}

TEST(custom_network, refuses_values_of_nodes) {
  EXPECT_THAT(refusal(own_vcs(), 2),
              HasSubstr("node 'c': vcs: 3; a node may have fewer VCs than the 2 that others have, not more"));
  EXPECT_THAT(refusal(own_vcs("", "\"vcs\": 17")),
              HasSubstr("nodes[1].vcs: expected a whole number from 1 to 16, not 17"));
  EXPECT_THAT(refusal(own_vcs("", "\"depth\": 0")),
              HasSubstr("nodes[1].depth: expected a whole number from 1 to 64, not 0"));
  EXPECT_THAT(refusal(own_vcs("", "\"pipeline\": \"paper2009\"")),
              HasSubstr("nodes[1].pipeline: expected single_cycle or four_stage, not \"paper2009\""));
  const auto routes = [](const std::string& vcs) {
    return R"(, "routes": {"a": {"b": {"port": "e", "vcs": )" + vcs +
           R"(}, "*": "w"}, "b": {"c": "e", "*": "w"}, "c": {"d": "e", "*": "w"}, "d": {"a": "e", "*": "w"}})";
  };
  EXPECT_THAT(refusal(own_vcs(routes("[0]")), 2, "given"), HasSubstr("vcs: 3; a node may have fewer VCs"));
  EXPECT_THAT(refusal(own_vcs(routes("[2, 3]")), 4, "given"),
              HasSubstr("routes.a.b.vcs: node 'b' has none of these VCs; it has 2"));
  const topology t = made(written(own_vcs(routes("[1, 2]"))), 4, "given");
  route_option option[routing_function::max_options];
  t.routing->route({0, t.wiring->local_port(0), 0, 1, 0}, option);
  EXPECT_EQ(option[0].vcs, 2);
  topology_options classes;
  classes.spec = "file:" + written(own_vcs());
  classes.message_classes = 2;
  classes.vcs = 8;
  EXPECT_THAT(error_of([&] { make_topology(classes); }),
              HasSubstr("b has VCs of its own, which cannot be divided; let the classes share VCs"));
}

TEST(custom_network, says_what_its_rule_rests_on) {
  EXPECT_EQ(made(written(ring(8, true))).vc_rule_note,
            "acyclic: the routes of each of 2 layers of VCs have an acyclic channel-dependency graph");
  EXPECT_EQ(made(written(ring(8, true))).choice.links, "B");
  EXPECT_EQ(made(written(ring(8, false))).choice.links, "U");
  const std::string routes =
      R"(, "routes": {"0": {"*": "up"}, "1": {"2": "up", "0": "down"}, "2": {"*": "up", "1": "down"}})";
  EXPECT_EQ(made(written(ring(3, true, routes)), 4, "given").vc_rule_note,
            "acyclic: free of deadlock by its channel-dependency graph");
}

TEST(custom_network, takes_a_node_with_as_many_vcs_as_the_others) {
  EXPECT_EQ(refusal(own_vcs("", "\"vcs\": 4")), "");
}

TEST(custom_network, refuses_routings_that_do_not_go_with_the_file) {
  const std::string plain = written(ring(3, true));
  const auto why_not = [](const std::string& path, const std::string& routing, const std::string& rule, unsigned vcs) {
    topology_options options;
    options.spec = "file:" + path;
    options.routing = routing;
    options.vc_rule = rule;
    options.vcs = vcs;
    return error_of([&] { make_topology(options); });
  };
  EXPECT_EQ(why_not(plain, "updown", "single", 1), "none");
  EXPECT_EQ(why_not(plain, "adaptive", "duato", 2), "none");
  const std::string topology = "topology 'file:" + plain + "': ";
  EXPECT_EQ(why_not(plain, "updown", "layers", 4),
            topology + "VC rule 'layers' is not made for routing updown; it has: safe, single");
  EXPECT_EQ(why_not(plain, "adaptive", "single", 4),
            topology + "VC rule 'single' is not made for routing adaptive; it has: safe, duato");
  EXPECT_EQ(why_not(plain, "adaptive", "safe", 1), topology + "VC rule duato needs at least 2 VCs, not 1");
  const std::string routed =
      written(ring(3, true, R"(, "routes": {"0": {"*": "up"}, "1": {"*": "up"}, "2": {"*": "up"}})"));
  for (const std::string routing : {"updown", "adaptive"})
    EXPECT_EQ(why_not(routed, routing, "safe", 4),
              "network file " + routed + ": the file gives 'routes', which routing " + routing +
                  " does not take; use routing table");
  for (const std::string routing : {"spread", "random", "in_turn"})
    EXPECT_EQ(why_not(routed, routing, "safe", 4),
              "network file " + routed + ": routing " + routing +
                  " takes shortest paths, and the file gives 'routes'; use routing table");
  EXPECT_EQ(why_not(routed, "table", "safe", 4), "none");
}

/// From 0 up to 1, down to 0, up to 1: as many hops as nodes.
TEST(custom_network, says_where_routes_that_go_round_were_followed_to) {
  EXPECT_THAT(refusal(ring(3, true, R"(, "routes": {"0": {"*": "up"}, "1": {"*": "down"}, "2": {"*": "up"}})")),
              testing::EndsWith(": routes: packets from '0' to '2' go round in a cycle by '1'"));
}

TEST(custom_network, follows_the_routes_of_a_long_ring) {
  std::string routes;
  for (unsigned node = 0; node < 40; ++node)
    routes += (node == 0 ? "\"" : ",\"") + std::to_string(node) + R"(": {"*": "up"})";
  const topology t = made(written(ring(40, true, R"(, "routes": {)" + routes + "}")), 4, "given");
  EXPECT_EQ(t.vc_rule_note, "cyclic: its channel-dependency graph has cycles, the network can deadlock");
  for (node_id from = 0; from < 40; ++from)
    for (node_id to = 0; to < 40; ++to)
      ASSERT_EQ(routed_distance(*t.wiring, *t.routing, from, to, 4), (to + 40 - from) % 40);
}

TEST(custom_network, divides_no_vcs_of_the_first_node) {
  topology_options options;
  options.spec = "file:" + written(R"({"nodes": [{"name": "a", "vcs": 2}, "b"], "links": [{"from": "a", "to": "b"}]})");
  options.message_classes = 2;
  EXPECT_THAT(error_of([&] { make_topology(options); }), HasSubstr("a has VCs of its own, which cannot be divided"));
}

}  // namespace
}  // namespace toriscope
