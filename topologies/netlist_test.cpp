// SPDX-License-Identifier: Apache-2.0
#include "topologies/netlist.h"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "topologies/link_models/link_delay.h"

namespace toriscope::netlist_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

netlist two_nodes() {
  netlist net("pair", {2}, {{"node", 1}});
  net.add_node({"a", "b"});
  net.add_node({"b"});
  return net;
}

TEST(netlist, numbers_nodes_by_their_digits) {
  const netlist net("n", {2, 3, 4}, {{"bm", 1}, {"node", 2}});
  EXPECT_EQ(net.node_count(), 24u);
  EXPECT_THAT(net.digits(0), ElementsAre(0, 0, 0));
  EXPECT_THAT(net.digits(23), ElementsAre(1, 2, 3));
  EXPECT_THAT(net.digits(17), ElementsAre(1, 1, 1));
  for (node_id node = 0; node < 24; ++node) EXPECT_EQ(net.node_at(net.digits(node)), node);
  EXPECT_THROW(net.node_at({1, 2}), std::out_of_range);
  EXPECT_THAT(
      [&] {
        net.node_at({1, 3, 0});
      },
      ThrowsMessage<std::out_of_range>("digit 2 of an address of n is 3, its radix is 3"));
}

TEST(netlist, paths_and_addresses) {
  const netlist net("n", {4, 4, 4, 4}, {{"bm", 2}, {"node", 2}});
  EXPECT_EQ(net.path(net.node_at({1, 2, 0, 3})), "bm_1_2.node_0_3");
  EXPECT_EQ(net.address(net.node_at({1, 2, 0, 3})), "12.03");
  const netlist wide("w", {12, 12}, {{"node", 2}});
  EXPECT_EQ(wide.path(143), "node_11_11");
  EXPECT_NE(wide.address(wide.node_at({1, 11})), wide.address(wide.node_at({11, 1})));
  EXPECT_EQ(wide.address(wide.node_at({1, 11})), "1_11");
  const netlist ten("t", {10, 10}, {{"node", 2}}), eleven("e", {11, 11}, {{"node", 2}});
  EXPECT_EQ(ten.address(99), "99") << "digits of one place";
  EXPECT_EQ(eleven.address(eleven.node_at({1, 10})), "1_10");
}

TEST(netlist, ports_by_name) {
  const netlist net = two_nodes();
  EXPECT_EQ(net.port_named(0, "a"), 0);
  EXPECT_EQ(net.port_named(0, "b"), 1);
  EXPECT_EQ(net.port_named(1, "b"), 0);
  EXPECT_EQ(net.port_name(0, 1), "b");
  EXPECT_EQ(net.local_port(0), 2);
  EXPECT_EQ(net.port_name(0, 2), "local");
  EXPECT_EQ(net.port_name(1, 1), "local");
  EXPECT_THAT([&] { net.port_named(1, "a"); }, ThrowsMessage<std::out_of_range>("node_1 has no port a"));
  EXPECT_THROW(net.port_name(1, 2), std::out_of_range);
}

TEST(netlist, names_that_are_alike_stay_apart) {
  // More names than the interning table has places.
  netlist net("many", {10}, {{"node", 1}});
  std::vector<std::string> names;
  for (int i = 0; i < 200; ++i) names.push_back("p" + std::to_string(i) + "+");
  for (int node = 0; node < 10; ++node) {
    std::vector<std::string_view> mine;
    for (int i = 0; i < 20; ++i) mine.push_back(names[static_cast<std::size_t>(node * 20 + i)]);
    net.add_node(mine);
  }
  for (node_id node = 0; node < 10; ++node)
    for (port_id p = 0; p < 20; ++p) EXPECT_EQ(net.port_name(node, p), names[node * 20 + p]);
}

TEST(netlist, links_have_two_ends) {
  netlist net = two_nodes();
  const link_id there = net.connect(0, 1, 1, 0, 2, 7);
  EXPECT_EQ(net.ports(0)[1].out, there);
  EXPECT_EQ(net.ports(0)[1].in, no_link);
  EXPECT_EQ(net.ports(1)[0].in, there);
  EXPECT_EQ(net.ports(1)[0].out, no_link);
  const netlist_link& wire = net.links().at(there);
  EXPECT_EQ(wire.from, 0u);
  EXPECT_EQ(wire.to, 1u);
  EXPECT_EQ(wire.from_port, 1);
  EXPECT_EQ(wire.to_port, 0);
  EXPECT_EQ(wire.level, 2);
  EXPECT_EQ(wire.length, 7);
  EXPECT_EQ(wire.delay_cycles, 1);
  EXPECT_THAT([&] { net.connect(0, 1, 1, 0, 1, 1); },
              ThrowsMessage<std::logic_error>("netlist pair: node_0 b already has an outgoing link"));
  EXPECT_THAT([&] { net.connect(0, 0, 1, 0, 1, 1); },
              ThrowsMessage<std::logic_error>("netlist pair: node_1 b already has an incoming link"));
  EXPECT_THROW(net.connect(0, 2, 1, 0, 1, 1), std::logic_error);
  EXPECT_THROW(net.connect(0, 0, 2, 0, 1, 1), std::logic_error);
  EXPECT_EQ(net.links().size(), 1u) << "a rejected link left something behind";
}

TEST(netlist, refuses) {
  EXPECT_THAT(
      [] {
        netlist("n", {4, 4}, {{"node", 1}});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("names 1 digits, the address has 2")));
  EXPECT_THROW(netlist("n", {4, 0}, {{"node", 2}}), std::invalid_argument);
  netlist net = two_nodes();
  EXPECT_THROW(net.add_node({"a"}), std::logic_error);
  netlist wide("w", {1}, {{"node", 1}});
  const std::vector<std::string_view> too_many(max_ports, "a");
  EXPECT_THROW(wide.add_node(too_many), std::invalid_argument);
}

TEST(netlist, has_room_for_the_local_ports_of_terminals) {
  netlist net = two_nodes();  // two ports, and one
  net.set_terminals(std::vector<node_id>(max_ports - 2, 0));
  EXPECT_EQ(net.port_count(0), max_ports);
  EXPECT_THAT([&] { net.set_terminals(std::vector<node_id>(max_ports - 1, 0)); },
              ThrowsMessage<std::invalid_argument>(
                  "netlist pair: node_0 has 32 ports, those of 30 terminals included; at most 31 are supported"));
}

TEST(link_delay, all_or_by_level) {
  netlist net = two_nodes();
  const link_id low = net.connect(0, 0, 1, 0, 1, 1);
  const link_id high = net.connect(1, 0, 0, 1, 2, 1);
  EXPECT_EQ(link_levels(net), 2u);
  set_link_delays(net, {"5"});
  EXPECT_EQ(net.link(low).delay_cycles, 5);
  EXPECT_EQ(net.link(high).delay_cycles, 5);
  set_link_delays(net, {"1", "1000"});
  EXPECT_EQ(net.link(low).delay_cycles, 1);
  EXPECT_EQ(net.link(high).delay_cycles, 1000);
}

TEST(link_delay, refuses) {
  netlist net = two_nodes();
  net.connect(0, 0, 1, 0, 1, 1);
  EXPECT_THAT([&] { set_link_delays(net, {"0"}); }, ThrowsMessage<std::invalid_argument>(HasSubstr("from 1 to 1000")));
  EXPECT_THAT([&] { set_link_delays(net, {"1001"}); }, ThrowsMessage<std::invalid_argument>(HasSubstr("1001")));
  EXPECT_THAT(
      [&] {
        set_link_delays(net, {"1", "2"});
      },
      ThrowsMessage<std::invalid_argument>(
          "2 link delays for the 1 level of links of pair; give one per level, the lowest first"));
  EXPECT_EQ(net.link(0).delay_cycles, 1);
}

TEST(netlist, counts_nodes_with_32_bits_and_ports_up_to_31) {
  EXPECT_EQ(netlist("n", {65535, 65537}, {{"node", 2}}).node_count(), 4294967295u);
  EXPECT_THAT(
      [] {
        netlist("n", {65536, 65536}, {{"node", 2}});
      },
      ThrowsMessage<std::invalid_argument>("netlist n: more nodes than 32 bits can number"));
  netlist net("w", {2}, {{"node", 1}});
  net.add_node(std::vector<std::string_view>(30, "a"));
  EXPECT_EQ(net.port_count(0), 31u);
  EXPECT_THAT([&] { net.add_node(std::vector<std::string_view>(31, "a")); },
              ThrowsMessage<std::invalid_argument>(
                  "netlist w: a node with 31 ports and the local one; at most 31 are supported"));
}

TEST(netlist, links_have_values_of_their_own_only_where_some_were_given) {
  netlist net = two_nodes();
  const link_id first = net.connect(0, 1, 1, 0, 1, 1);
  EXPECT_FALSE(net.has_own_values());
  EXPECT_EQ(net.own_values(first).delay_cycles, 0);
  EXPECT_EQ(net.own_values(first).width_bits, 0);
  net.set_own_values(first, {5, 16});
  const link_id second = net.connect(1, 0, 0, 1, 1, 1);
  EXPECT_TRUE(net.has_own_values());
  EXPECT_EQ(net.own_values(first).delay_cycles, 5);
  EXPECT_EQ(net.own_values(first).width_bits, 16);
  EXPECT_EQ(net.own_values(second).delay_cycles, 0);
  EXPECT_EQ(net.own_values(second).width_bits, 0);
}

TEST(netlist, routers_have_what_all_have_where_they_have_nothing_of_their_own) {
  EXPECT_TRUE(own_node_values{}.is_empty());
  for (const own_node_values& own :
       std::vector<own_node_values>{{1, 0, ""}, {0, 1, ""}, {2, 2, ""}, {0, 0, "four_stage"}})
    EXPECT_FALSE(own.is_empty()) << own.vcs << " " << own.depth << " " << own.pipeline;
  netlist net = two_nodes();
  EXPECT_FALSE(net.has_node_values());
  EXPECT_EQ(net.vcs_of(1, 4), 4u);
  EXPECT_EQ(net.depth_of(1, 8), 8u);
  net.set_node_values({{2, 0, ""}, {0, 3, ""}});
  EXPECT_TRUE(net.has_node_values());
  EXPECT_EQ(net.vcs_of(0, 4), 2u);
  EXPECT_EQ(net.depth_of(0, 8), 8u);
  EXPECT_EQ(net.vcs_of(1, 4), 4u);
  EXPECT_EQ(net.depth_of(1, 8), 3u);
}

std::vector<std::pair<node_id, port_id>> entries_of(const netlist& net) {
  std::vector<std::pair<node_id, port_id>> found;
  net.for_each_entry([&](node_id node, port_id port) { found.emplace_back(node, port); });
  return found;
}

/// Node 0 has two ports, node 1 one; the local ports follow.
TEST(netlist, packets_enter_by_the_first_local_port_that_is_not_an_exit_alone) {
  netlist net = two_nodes();
  using entries = std::vector<std::pair<node_id, port_id>>;
  EXPECT_EQ(entries_of(net), (entries{{0, 2}, {1, 1}}));
  EXPECT_EQ(net.entering(1, 1), 1u);
  EXPECT_EQ(net.leaving(1, 1), 1u);
  // Terminal 0 sends into node 1 and receives from node 0; terminal 1 is at node 0, terminal 2 at node 1.
  net.set_terminals({1, 0, 1}, {0, 0, 1});
  EXPECT_EQ(entries_of(net), (entries{{0, 3}, {1, 1}}));
  EXPECT_EQ(net.local_ports(0), 2u);
  EXPECT_EQ(net.port_count(1), 3u);
  EXPECT_EQ(net.entering(0, 2), no_terminal);
  EXPECT_EQ(net.leaving(0, 2), 0u);
  EXPECT_EQ(net.entering(0, 3), 1u);
  EXPECT_EQ(net.leaving(0, 3), 1u);
  EXPECT_EQ(net.entering(1, 1), 0u);
  EXPECT_EQ(net.leaving(1, 1), no_terminal);
  EXPECT_EQ(net.entering(1, 2), 2u);
  EXPECT_EQ(net.terminal(0).port, 1);
  EXPECT_EQ(net.terminal(0).exit_port, 2);
  EXPECT_EQ(net.terminal(2).exit_port, 2);
  EXPECT_EQ(net.port_name(0, 3), "local1");
  EXPECT_EQ(net.terminal_address(2), "1.t1");
  EXPECT_EQ(net.terminal_path(1), "node_0.t1");
  // Of one terminal alone the address is that of its node.
  net.set_terminals({1, 0}, {});
  EXPECT_EQ(entries_of(net), (entries{{0, 2}, {1, 1}}));
  EXPECT_EQ(net.terminal_address(0), "1");
}

}  // namespace
}  // namespace toriscope::netlist_test
