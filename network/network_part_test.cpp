// SPDX-License-Identifier: Apache-2.0
// Parts of a network that threads step: how many there are, and words that cross their borders. Interfaces beside the
// first one of a node, wires where there are no links, and the turns of packets.
#include "network/network_part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "network/network.h"
#include "network/simulation_context.h"
#include "network/wire_hasher.h"
#include "topologies/link_between_test.h"
#include "topologies/registry.h"

namespace toriscope::network_part_test {
namespace {

TEST(parts, have_256_nodes_at_least) {
  EXPECT_EQ(parts_for(4, 1), 1u);
  EXPECT_EQ(parts_for(4, 511), 1u);
  EXPECT_EQ(parts_for(4, 512), 2u);
  EXPECT_EQ(parts_for(4, 1023), 3u);
  EXPECT_EQ(parts_for(4, 1024), 4u);
  EXPECT_EQ(parts_for(4, 100000), 4u);
  EXPECT_EQ(parts_for(1, 100000), 1u);
}

TEST(parts, have_other_numbers_of_nodes_where_tests_say_so) {
  EXPECT_EQ(nodes_worth_a_meeting(), 128u);
  setenv("TORISCOPE_SHARED_NODES", "25", 1);
  EXPECT_EQ(nodes_worth_a_meeting(), 25u);
  EXPECT_EQ(parts_for(4, 99), 1u);
  EXPECT_EQ(parts_for(4, 100), 2u);
  EXPECT_EQ(parts_for(4, 199), 3u);
  setenv("TORISCOPE_SHARED_NODES", "0", 1);
  for (std::size_t nodes = 1; nodes < 7; ++nodes) EXPECT_EQ(parts_for(4, nodes), std::min<std::size_t>(nodes, 4));
  unsetenv("TORISCOPE_SHARED_NODES");
}

/// A process may write a link again after the edge.
TEST(wire_hasher, takes_the_last_word_that_is_sent_in_a_cycle) {
  arena memory(4096);
  credit_wire& again = credit_wire::make(memory, 2);
  credit_wire& once = credit_wire::make(memory, 2);
  std::uint64_t of_again = 0, of_once = 0;
  const wire_hasher<credit_word> first(of_again, again, 7), second(of_once, once, 7);
  for (const std::uint16_t word : {1, 2, 3}) again.send(4, {word});
  once.send(4, {3});
  EXPECT_EQ(of_again, of_once);
  again.send(5, {1});
  again.send(5, {});
  EXPECT_EQ(of_again, of_once);
  again.send(6, {3});
  EXPECT_NE(of_again, of_once);
}

/// Notes in which cycles its wires show something.
class watching_node final : public node {
 public:
  using node::node;
  std::uint64_t flits_sent(port_id) const override { return 0; }
  bool step(cycle_t now) override {
    if (arrivals(now)) seen.emplace_back(now, arrivals(now));
    return false;
  }
  std::vector<std::pair<cycle_t, arrival_mask>> seen;
};

// A process writes a word before edge 4, and another one before edge 5: what the wires show in 4 alone.
TEST(parts, see_what_a_process_writes_until_it_writes_something_else) {
  setenv("TORISCOPE_SHARED_NODES", "0", 1);  // small networks, too, have parts
  for (const unsigned threads : {1u, 2u}) {
    const topology mesh = make_topology("mesh:2x1");
    const simulation_context context;
    const simulation_context::entry here(context);
    network_config config;
    config.threads = threads;
    std::vector<watching_node*> nodes;
    network net("mesh", mesh.wiring, mesh.routing, config, [&](const char* name, const node_context& c) {
      auto made = std::make_unique<watching_node>(name, c);
      nodes.push_back(made.get());
      return made;
    });
    net.leave_kernel({1, sc_core::SC_NS});
    for (unsigned edge = 0; edge < 10; ++edge) {
      if (edge == 4) net.link_at(0).write(net.layout().head(1, 0, 0, true));
      if (edge == 4) net.credit_at(0).write({1});
      if (edge == 5) net.link_at(0).write({});
      if (edge == 5) net.credit_at(0).write({});
      net.step();
    }
    const netlist_link& link = mesh.wiring->link(0);
    using shown = std::vector<std::pair<cycle_t, arrival_mask>>;
    EXPECT_EQ(nodes[link.to]->seen, (shown{{4, arrival_mask{1} << flit_arrival(link.to_port)}})) << threads;
    EXPECT_EQ(nodes[link.from]->seen, (shown{{4, arrival_mask{1} << credit_arrival(link.from_port)}})) << threads;
  }
  unsetenv("TORISCOPE_SHARED_NODES");
}

TEST(parts, do_a_work_for_each_node_once) {
  for (const unsigned threads : {1u, 2u, 3u})
    for (const std::size_t count : {0u, 1u, 2u, 7u}) {
      const topology mesh = make_topology("mesh:4x4");
      const simulation_context context;
      const simulation_context::entry here(context);
      network_config config;
      config.threads = threads;
      network net("mesh", mesh.wiring, mesh.routing, config);
      net.leave_kernel({1, sc_core::SC_NS});
      std::vector<node_id> of;
      for (node_id n = 0; n < count; ++n) of.push_back(2 * n);
      std::vector<unsigned> done(16), expected(16);
      for (const node_id n : of) expected[n] = 1;
      net.share_work(of, [&done](node_id n) { ++done[n]; });
      EXPECT_EQ(done, expected) << threads << " threads";
    }
}

// By hand (docs/model.md): 3 cycles into the router, 1 over a link, 1 out, and a flit a cycle behind the head.
TEST(terminals_of_a_node, send_a_flit_in_each_cycle) {
  const topology mesh = make_topology("cmesh:2x1,3");
  network_config config;
  config.router.pipeline = pipeline::single_cycle;
  config.injection_delay_cycles = 3;
  for (terminal_id from = 0; from < 3; ++from) {
    const simulation_context context;
    const simulation_context::entry here(context);
    network net("mesh", mesh.wiring, mesh.routing, config);
    net.leave_kernel({1, sc_core::SC_NS});
    net.send({from, 5, 6});
    while (net.cycles_done() == 0 || !net.idle()) net.step();
    EXPECT_EQ(net.cycles_done() - 1, 3 + 1 + 1 + 5) << from;
  }
}

// 520 terminals and 38 links, with as many and as deep VCs as there can be.
TEST(terminals_of_a_node, may_be_many_more_than_links) {
  topology_options options;
  options.vcs = 16;
  const topology mesh = make_topology("cmesh:20x1,26", options);
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  config.router.vcs = 16;
  config.router.depth = 64;
  network net("mesh", mesh.wiring, mesh.routing, config);
  net.leave_kernel({1, sc_core::SC_NS});
  ASSERT_GT(net.wiring().terminal_count(), 10 * net.wiring().links().size());
  for (terminal_id t = 0; t < 520; ++t) net.send({t, 519 - t, 2});
  while (net.cycles_done() < 3000 && (net.cycles_done() == 0 || !net.idle())) net.step();
  EXPECT_EQ(net.counters().packets_received, 520u);
  EXPECT_EQ(net.check_conservation(), "");
}

// By hand: the cycles into the router and out of it, and a flit a cycle behind the head.
TEST(wires, of_a_router_without_links_take_their_cycles) {
  const topology crossbar = make_topology("crossbar:3");
  for (const unsigned in : {1u, 2u, 3u})
    for (const unsigned out : {1u, 2u, 3u})
      for (const unsigned credits : {0u, 1u, 2u}) {
        const simulation_context context;
        const simulation_context::entry here(context);
        network_config config;
        config.router.pipeline = pipeline::single_cycle;
        config.injection_delay_cycles = in;
        config.ejection_delay_cycles = out;
        config.credit_delay_cycles = credits;
        network net("crossbar", crossbar.wiring, crossbar.routing, config);
        net.leave_kernel({1, sc_core::SC_NS});
        net.send({0, 1, 5});
        while (net.cycles_done() == 0 || !net.idle()) net.step();
        EXPECT_EQ(net.cycles_done() - 1, in + out + 4) << in << out << credits;
      }
}

/// Packets have three states in turn, which lead the same way.
struct in_turn final : routing_function {
  explicit in_turn(const routing_function& r) : mesh(r) {}
  unsigned route(const route_request& r, route_option* options) const override {
    return mesh.route({r.node, r.in_port, r.in_vc, r.destination, 0}, options);
  }
  unsigned state_bits() const override { return 2; }
  route_state injection_states() const override { return 3; }
  bool takes_states_in_turn() const override { return true; }
  const routing_function& mesh;
};

struct turns_taken final : packet_sink {
  void packet_received(packet_id id, const packet_record& record, cycle_t) override { of[id] = record.turn; }
  std::map<packet_id, unsigned> of;
};

TEST(packets, of_a_pair_take_turns_from_the_state_that_is_drawn_for_it) {
  const topology mesh = make_topology("mesh:2x2");
  const simulation_context context;
  const simulation_context::entry here(context);
  network net("mesh", mesh.wiring, std::make_shared<in_turn>(*mesh.routing), {});
  net.leave_kernel({1, sc_core::SC_NS});
  turns_taken taken;
  net.add_sink(&taken);
  std::map<packet_id, unsigned> expected;
  for (packet_id id = 0; id < 12; ++id) {
    const node_id from = id % 2 ? 3 : 0;
    net.send({from, 2, 1});
    expected[id] = (drawn_state(from * 4 + 2, 3) + id / 2) % 3;
  }
  while (net.cycles_done() == 0 || !net.idle()) net.step();
  EXPECT_EQ(taken.of, expected);
}

/// From node 0 to node 3 of a mesh of 2x2 by node 1 and by node 2 in turn.
struct ways_in_turn final : routing_function {
  explicit ways_in_turn(const routing_function& r) : mesh(r) {}
  unsigned route(const route_request& r, route_option* options) const override {
    const bool turns = r.node == 0 && r.destination == 3;
    return mesh.route({r.node, r.in_port, r.in_vc, turns ? 1 + r.state : r.destination, 0}, options);
  }
  unsigned state_bits() const override { return 1; }
  route_state injection_states() const override { return 2; }
  bool takes_states_in_turn() const override { return true; }
  const routing_function& mesh;
};

struct refused_packets final : packet_sink {
  void packet_received(packet_id, const packet_record&, cycle_t) override {}
  void packet_refused(packet_id id, const packet_record&) override { all.push_back(id); }
  std::vector<packet_id> all;
};

// docs/model.md, "Drawn routes": "k from 0 on and refused packets counted".
TEST(packets, that_are_refused_take_their_turn) {
  const topology mesh = make_topology("mesh:2x2");
  for (const node_id cut_off : {1u, 2u}) {
    const simulation_context context;
    const simulation_context::entry here(context);
    network_config config;
    config.dead_links = {{link_between(*mesh.wiring, 0, cut_off), 0}};
    network net("mesh", mesh.wiring, std::make_shared<ways_in_turn>(*mesh.routing), config);
    net.leave_kernel({1, sc_core::SC_NS});
    refused_packets refused;
    net.add_sink(&refused);
    std::vector<packet_id> expected;
    for (packet_id id = 0; id < 6; ++id) {
      net.send({0, 3, 1});
      if ((drawn_state(0 * 4 + 3, 2) + id) % 2 == cut_off - 1) expected.push_back(id);
    }
    while (net.cycles_done() == 0 || !net.idle()) net.step();
    EXPECT_EQ(refused.all, expected);
    EXPECT_EQ(net.counters().packets_received, 3u);
  }
}

TEST(wires, have_the_vcs_of_the_router_that_they_lead_to) {
  const topology row = make_topology("mesh:3x1");
  std::vector<own_node_values> values(3);
  values[0].vcs = 1;
  values[2].vcs = 3;
  row.wiring->set_node_values(values);
  const network_config config;
  const router_kinds kinds(*row.wiring, config);
  const node_ranges all(*row.wiring, 1);
  const wire_table wires(*row.wiring, config, kinds, all);
  const unsigned vcs[] = {1, 4, 3};
  for (link_id l = 0; l < row.wiring->links().size(); ++l)
    EXPECT_EQ(wires.vcs(l), vcs[row.wiring->link(l).to]);
  for (terminal_id t = 0; t < 3; ++t) {
    EXPECT_EQ(wires.vcs(wires.injection(t)), vcs[t]);
    EXPECT_EQ(wires.vcs(wires.ejection(t)), vcs[t]);
  }
}

/// All packets go round a ring, past their destination.
struct in_circles final : routing_function {
  unsigned route(const route_request&, route_option* options) const override {
    options[0] = {0, 15, 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }
};

// A hop is a cycle, the first one into the router: 64 links more than there are nodes are too many by one in cycle 71.
// Of two packets the one at the first node is named.
TEST(packets, may_not_cross_many_more_links_than_there_are_nodes) {
  const topology ring = make_topology("ring:5");
  setenv("TORISCOPE_SHARED_NODES", "0", 1);  // small networks, too, have parts
  for (const unsigned threads : {1u, 2u}) {
    const simulation_context context;
    const simulation_context::entry here(context);
    network_config config;
    config.router.pipeline = pipeline::single_cycle;
    config.threads = threads;
    network net("ring", ring.wiring, std::make_shared<in_circles>(), config);
    net.leave_kernel({1, sc_core::SC_NS});
    net.send({0, 2, 1});
    net.send({1, 4, 1});
    while (net.cycles_done() < 200 && !net.failure()) net.step();
    ASSERT_TRUE(net.failure());
    EXPECT_EQ(net.failure()->message, "broken invariant in cycle 71: ring." + ring.wiring->path(0) +
                                          ": a packet from node 0 to node 2 has crossed 70 links: the routing goes "
                                          "round in circles");
    EXPECT_EQ(net.failure()->nodes, std::vector<node_id>{0});
  }
  unsetenv("TORISCOPE_SHARED_NODES");
}

}  // namespace
}  // namespace toriscope::network_part_test
