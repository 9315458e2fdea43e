// SPDX-License-Identifier: Apache-2.0
#include "topologies/netlist.h"

#include <gmock/gmock.h>

#include "topologies/link_models/link_delay.h"

namespace toriscope {
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

}  // namespace
}  // namespace toriscope
