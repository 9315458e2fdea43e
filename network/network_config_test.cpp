// SPDX-License-Identifier: Apache-2.0
// What a network is made of: its configuration, routers of their own, links that die, and who steps it; and the whole
// message about each thing that does not fit.
#include "network/network_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error_of_test.h"
#include "network/gated_pair_test.h"
#include "network/network.h"
#include "network/packet_check.h"
#include "network/probed_node.h"
#include "network/router_kinds.h"
#include "network/simulation_context.h"
#include "network/some_packets_test.h"
#include "network/watchdog.h"
#include "topologies/registry.h"
#include "topologies/wire_place.h"

namespace toriscope::network_config_test {
namespace {

using lines = std::vector<std::string>;

TEST(network_config, has_the_defaults_of_the_manual) {
  const network_config config;
  EXPECT_EQ(config.injection_delay_cycles, 1u);
  EXPECT_EQ(config.ejection_delay_cycles, 1u);
  EXPECT_EQ(config.credit_delay_cycles, 0u);
  EXPECT_EQ(config.watchdog_cycles, 5000u);
  EXPECT_EQ(config.message_classes, 1u);
  EXPECT_EQ(config.threads, 1u);
  EXPECT_EQ(config.router.vcs, 4u);
  EXPECT_EQ(config.router.depth, 8u);
  EXPECT_EQ(config.router.islip_iterations, 1u);
  EXPECT_EQ(config.router.adaptive_delay_cycles, 0u);
  EXPECT_EQ(dead_link{}.link, 0u);
  EXPECT_EQ(network_failure{}.cycle, 0u);
  EXPECT_EQ(network_failure{}.since, 0u);
  EXPECT_EQ(config.on_failure, failure_action::report);
  EXPECT_FALSE(config.shared_classes || config.limited_reception || config.wire_hash);
#ifdef TORISCOPE_CHECKED
  EXPECT_EQ(config.checks, check_level::full);
#else
  EXPECT_EQ(config.checks, check_level::cheap);
#endif
}

TEST(network_config, says_in_full_what_is_out_of_range) {
  EXPECT_EQ(network_config{}.validate(), lines{});
  const auto delays = [](unsigned injection, unsigned ejection, unsigned credits) {
    network_config c;
    c.injection_delay_cycles = injection;
    c.ejection_delay_cycles = ejection;
    c.credit_delay_cycles = credits;
    return c.validate();
  };
  const std::string possible = " is out of range, 1..1000 cycles are possible";
  EXPECT_EQ(delays(1, 1, 0), lines{});
  EXPECT_EQ(delays(1000, 1000, 1000), lines{});
  EXPECT_EQ(delays(0, 1, 0), lines{"injection_delay_cycles: 0" + possible});
  EXPECT_EQ(delays(1001, 1, 0), lines{"injection_delay_cycles: 1001" + possible});
  EXPECT_EQ(delays(1, 0, 0), lines{"ejection_delay_cycles: 0" + possible});
  EXPECT_EQ(delays(1, 1001, 0), lines{"ejection_delay_cycles: 1001" + possible});
  EXPECT_EQ(delays(1, 1, 1001),
            lines{"credit_delay_cycles: 1001 is out of range, 0..1000 cycles are possible"});
  const auto classes = [](unsigned vcs, unsigned number, bool shared) {
    network_config c;
    c.router.vcs = vcs;
    c.message_classes = number;
    c.shared_classes = shared;
    return c.validate();
  };
  EXPECT_EQ(classes(6, 3, false), lines{});
  EXPECT_EQ(classes(16, 16, false), lines{});
  EXPECT_EQ(classes(1, 16, true), lines{});
  EXPECT_EQ(classes(4, 0, true), lines{"message-classes: 0 is out of range, 1..16 are possible"});
  EXPECT_EQ(classes(4, 17, true), lines{"message-classes: 17 is out of range, 1..16 are possible"});
  const std::string evenly = " message classes; the number of VCs must be a multiple of it, or the classes shared";
  EXPECT_EQ(classes(6, 4, false), lines{"message-classes: 6 VCs cannot be divided evenly among 4" + evenly});
  EXPECT_EQ(classes(1, 2, false), lines{"message-classes: 1 VC cannot be divided evenly among 2" + evenly});
  const auto threads = [](unsigned number) {
    network_config c;
    c.threads = number;
    return c.validate();
  };
  EXPECT_EQ(threads(256), lines{});
  EXPECT_EQ(threads(0), lines{"threads: 0 is out of range, 1..256 are possible"});
  EXPECT_EQ(threads(257), lines{"threads: 257 is out of range, 1..256 are possible"});
  network_config of_router;
  of_router.router.vcs = 17;
  EXPECT_EQ(of_router.validate(), of_router.router.validate());
}

TEST(packet_check, says_the_first_thing_that_is_wrong) {
  const auto said = [](const packet_request& packet, unsigned classes) {
    return error_of<std::invalid_argument>([&] { check_packet(packet, 5, classes); });
  };
  EXPECT_EQ(said({4, 0, 1, 0}, 1), "none");
  EXPECT_EQ(said({0, 4, 1, 2}, 3), "none");
  EXPECT_EQ(said({5, 0, 1, 0}, 1), "packet from node 5 to node 0: node 5 does not exist; nodes are 0..4");
  EXPECT_EQ(said({0, 5, 0, 9}, 1), "packet from node 0 to node 5: node 5 does not exist; nodes are 0..4");
  EXPECT_EQ(said({7, 6, 1, 0}, 1), "packet from node 7 to node 6: node 7 does not exist; nodes are 0..4");
  EXPECT_EQ(said({1, 2, 0, 9}, 1), "packet from node 1 to node 2: 0 flits; a packet has at least one");
  EXPECT_EQ(said({1, 2, 1, 1}, 1),
            "packet from node 1 to node 2: message class 1 does not exist; the network has 1 (class 0)");
  EXPECT_EQ(said({1, 2, 1, 3}, 3),
            "packet from node 1 to node 2: message class 3 does not exist; the network has 3 (0..2)");
}

TEST(router_kinds, are_alike_but_for_nodes_with_values_of_their_own) {
  const topology mesh = make_topology("mesh:4x1");
  network_config config;
  config.router.pipeline = pipeline::custom;
  config.router.custom_stages = {1, 1, 2, 3};
  EXPECT_EQ(router_kinds(*mesh.wiring, config).of(3).config.depth, 8u);
  EXPECT_EQ(router_kinds(*mesh.wiring, config).longest_ahead(), 2u + 3 - 1);
  std::vector<own_node_values> values(4);
  values[1] = {3, 0, ""};
  values[2] = {0, 5, "single_cycle"};
  values[3] = {0, 0, "four_stage"};
  mesh.wiring->set_node_values(values);
  const router_kinds kinds(*mesh.wiring, config);
  const unsigned vcs[] = {4, 3, 4, 4}, depths[] = {8, 8, 5, 8}, ahead[] = {4, 4, 0, 1};
  const pipeline pipelines[] = {pipeline::custom, pipeline::custom, pipeline::single_cycle, pipeline::four_stage};
  for (node_id n = 0; n < 4; ++n) {
    EXPECT_EQ(kinds.of(n).config.vcs, vcs[n]) << n;
    EXPECT_EQ(kinds.of(n).config.depth, depths[n]) << n;
    EXPECT_EQ(kinds.of(n).config.pipeline, pipelines[n]) << n;
    EXPECT_EQ(kinds.of(n).config.custom_stages.st, n < 2 ? 3u : 1u) << n;
    EXPECT_EQ(kinds.of(n).timing.send_ahead, ahead[n]) << n;
  }
  EXPECT_EQ(kinds.longest_ahead(), 4u);
  config.router.pipeline = pipeline::single_cycle;
  config.router.custom_stages = {};
  EXPECT_EQ(router_kinds(*mesh.wiring, config).longest_ahead(), 1u) << "of the node that has four stages";
}

/// A node whose router is not the model's.
class bare_node final : public node {
 public:
  using node::node;
  std::uint64_t flits_sent(port_id) const override { return 0; }
};

/// What a mesh of two nodes, of which the one with this number is not the model's, says of links that die.
std::string said_of(std::vector<dead_link> links, node_id other = 9) {
  const topology mesh = make_topology("mesh:2x1");
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  config.dead_links = std::move(links);
  return error_of<std::invalid_argument>([&] {
    network made("mesh", mesh.wiring, mesh.routing, config, [&](const char* name, const node_context& c) {
      return c.id == other ? std::make_unique<bare_node>(name, c) : nullptr;
    });
  });
}

TEST(dead_links, are_looked_at_in_the_order_in_which_they_die) {
  EXPECT_EQ(said_of({{0, 5}, {1, 0}}), "none");
  EXPECT_EQ(said_of({{2, 0}}), "dead link 2: mesh has the links 0..1");
  EXPECT_EQ(said_of({{2, 0}, {3, 0}, {4, 0}}), "dead link 2: mesh has the links 0..1") << "in the same cycle";
  EXPECT_EQ(said_of({{4, 9}, {3, 2}, {2, 5}}), "dead link 3: mesh has the links 0..1");
}

TEST(dead_links, leave_routers_of_the_model_alone) {
  const topology mesh = make_topology("mesh:2x1");
  for (const link_id l : {0u, 1u}) {
    const netlist_link& link = mesh.wiring->link(l);
    EXPECT_EQ(said_of({{l, 0}}, link.to), "none");
    EXPECT_EQ(said_of({{l, 0}}, link.from),
              "dead link out of port " + mesh.wiring->port_name(link.from, link.from_port) + " of " +
                  mesh.wiring->path(link.from) + ": the router there is not the model's, and knows no dead links");
  }
}

TEST(networks, with_a_router_of_others_have_no_state) {
  const topology mesh = make_topology("mesh:2x1");
  const simulation_context context;
  const simulation_context::entry here(context);
  network net("mesh", mesh.wiring, mesh.routing, {}, [](const char* name, const node_context& c) {
    return c.id == 1 ? std::make_unique<bare_node>(name, c) : nullptr;
  });
  net.leave_kernel({1, sc_core::SC_NS});
  net.step();
  state_archive a;
  EXPECT_EQ(error_of<std::invalid_argument>([&] { net.archive(a); }),
            "routers that are not the model's have no state to save");
}

// The flits of a long packet come to a stop one after the other.
TEST(front_flits, wait_since_the_cycle_in_which_they_came_to_the_front) {
  network_config config;
  config.router.vcs = 1;
  config.router.depth = 2;
  config.watchdog_cycles = 0;
  shut_gate gate;
  const gated_pair pair(config, gate);
  network& net = *pair.net;
  net.send({0, 1, 30});
  const std::vector<node*> nodes{nullptr, &net.at(0), &net.at(1)};
  std::map<std::pair<node_id, port_id>, std::pair<flit_word, cycle_t>> fronts;  // and since when
  cycle_t longest_seen = 0;
  while (net.cycles_done() < 40) {
    net.step();
    const cycle_t done = net.cycles_done() - 1;
    cycle_t longest = 0;
    bool any = false;
    for (node_id n = 0; n < 2; ++n)
      for (port_id p = 0; p < net.wiring().port_count(n); ++p) {
        const flit_word front = net.at(n).core()->front(p, 0);
        auto& [before, since] = fronts[{n, p}];
        if (front != before) before = front, since = done;
        if (!front.valid()) continue;
        any = true;
        longest = std::max(longest, done - since);
      }
    EXPECT_EQ(any_front_flit_waits(nodes, done, 0), any) << done;
    EXPECT_EQ(any_front_flit_waits(nodes, done, longest), any) << done;
    EXPECT_FALSE(any_front_flit_waits(nodes, done, longest + 1)) << done;
    longest_seen = longest;
  }
  EXPECT_GT(longest_seen, 10u);
}

/// Says whether it is told of shares, and whether all of its packets are asked for by one thread.
class shared_packets final : public traffic_source {
 public:
  void packets_at(cycle_t now, std::vector<packet_request>& out) override { packets_.packets_at(now, out); }
  void share_draws(unsigned shares) override { told.push_back(shares); }
  void draw_ahead(unsigned share) override { ++drawn.at(share); }
  std::vector<unsigned> told;
  std::vector<unsigned> drawn = std::vector<unsigned>(8);

 private:
  some_packets packets_{16};
};

class open_gate final : public reception_gate {
 public:
  explicit open_gate(bool at_once) : at_once_(at_once) {}
  bool takes_calls_at_once() const override { return at_once_; }
  bool admit(packet_id, const packet_record&, cycle_t) override {
    if (!at_once_ && std::this_thread::get_id() != own_) ++by_others;
    return true;
  }
  unsigned by_others = 0;

 private:
  const bool at_once_;
  const std::thread::id own_ = std::this_thread::get_id();
};

class single_gate final : public reception_gate {
 public:
  bool admit(packet_id, const packet_record&, cycle_t) override { return true; }
};

struct stepped_network {
  /// @param cycles  a network with a node that does nothing cannot go on
  stepped_network(unsigned threads, reception_gate* gate, const network::node_factory& others = {},
                  unsigned cycles = 60) {
    const topology torus = make_topology("torus:4x4");
    const simulation_context context;
    const simulation_context::entry here(context);
    network_config config;
    config.threads = threads;
    config.limited_reception = gate != nullptr;
    network net("torus", torus.wiring, torus.routing, config, others);
    net.set_source(&source);
    net.set_gate(gate);
    net.leave_kernel({1, sc_core::SC_NS});
    while (net.cycles_done() < cycles) net.step();
  }
  shared_packets source;
};

/// Looks at all routers.
struct idle_probe final : router_probe {
  void connected(const probed_node&) override {}
  void before_step(const probed_node&, cycle_t) override {}
  bool after_step(const probed_node&, cycle_t) override { return false; }
};

TEST(threads, share_a_network_of_which_nothing_is_made_for_one_thread_alone) {
  setenv("TORISCOPE_SHARED_NODES", "0", 1);  // small networks, too, have parts
  using numbers = std::vector<unsigned>;
  for (const unsigned threads : {1u, 2u, 3u}) {
    const numbers shares = threads == 1 ? numbers{} : numbers{threads}, none;
    numbers drawn(8);
    if (threads > 1) std::fill_n(drawn.begin(), threads, 60);  // each share in each cycle
    const stepped_network plain(threads, nullptr);
    EXPECT_EQ(plain.source.told, shares) << threads;
    EXPECT_EQ(plain.source.drawn, drawn) << threads;
    open_gate at_once(true), one_by_one(false);
    EXPECT_EQ(stepped_network(threads, &at_once).source.told, shares) << threads;
    EXPECT_EQ(stepped_network(threads, &one_by_one).source.told, none) << threads;
    EXPECT_EQ(one_by_one.by_others, 0u) << threads;
    single_gate unless_it_says_so;
    EXPECT_EQ(stepped_network(threads, &unless_it_says_so).source.told, none) << threads;
    const auto last_one = [](const char* name, const node_context& c) {
      return c.id == 15 ? std::make_unique<bare_node>(name, c) : nullptr;
    };
    const stepped_network with_other_node(threads, nullptr, last_one, 1);
    EXPECT_EQ(with_other_node.source.told, none) << threads;
    idle_probe probe;
    EXPECT_EQ(stepped_network(threads, nullptr, probe_all(probe)).source.told, none) << threads;
  }
  unsetenv("TORISCOPE_SHARED_NODES");
}

/// All channels of a network, each once.
void expect_channels(const std::string& spec, bool several) {
  const topology made = make_topology(spec);
  made.wiring->link(1).delay_cycles = 7;
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  config.injection_delay_cycles = 3;
  config.ejection_delay_cycles = 4;
  config.credit_delay_cycles = 2;
  config.limited_reception = several;
  wire_table* wires = nullptr;
  network net("net", made.wiring, made.routing, config, [&](const char*, const node_context& c) {
    wires = &c.wires;
    return std::unique_ptr<node>();
  });
  const netlist& wiring = *made.wiring;
  ASSERT_EQ(wires->size(), wire_count(wiring));
  for (wire_id w = 0; w < wires->size(); ++w) {
    EXPECT_EQ(wires->has_credits(w), several || w < ejection_wire(wiring, 0)) << w;
    EXPECT_EQ(wires->credit(w) != nullptr, wires->has_credits(w)) << w;
    EXPECT_TRUE(wires->has_flit(w));
  }
  for (link_id l = 0; l < wiring.links().size(); ++l) {
    const netlist_link& link = wiring.link(l);
    EXPECT_EQ(net.link_at(l).name(),
              "net." + wiring.path(link.to) + ".in_" + wiring.port_name(link.to, link.to_port));
    EXPECT_EQ(net.credit_at(l).name(),
              "net." + wiring.path(link.from) + ".credit_" + wiring.port_name(link.from, link.from_port));
    EXPECT_EQ(net.link_at(l).delay_cycles(), l == 1 ? 7u : 1u);
    EXPECT_EQ(net.credit_at(l).delay_cycles(), l == 1 ? 9u : 3u);
    EXPECT_EQ(&net.link_at(l).plain(), &net.flits_on(l));
    EXPECT_EQ(&net.credit_at(l), &net.credit_at(l));
  }
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t) {
    const std::string number = several ? std::to_string(t % 2) : "";
    const std::string node = "net." + wiring.path(several ? t / 2 : t);
    EXPECT_EQ(net.injection_link(t).name(), node + ".in_local" + number);
    EXPECT_EQ(net.ejection_link(t).name(), node + ".out_local" + number);
    EXPECT_EQ(net.injection_credit(t).name(), node + ".credit_ni" + number);
    EXPECT_EQ(net.injection_link(t).delay_cycles(), 3u);
    EXPECT_EQ(net.ejection_link(t).delay_cycles(), 4u);
    EXPECT_EQ(net.injection_link(t).plain().reach_cycles(), 3u);
    EXPECT_EQ(net.ejection_link(t).plain().reach_cycles(), 4u + 1u) << "in the output register";
    EXPECT_EQ(net.injection_credit(t).delay_cycles(), 3u + 2u);
    EXPECT_EQ(&net.injection_link(t).plain(), &net.flits_on(injection_wire(wiring, t)));
    EXPECT_EQ(&net.ejection_link(t).plain(), &net.flits_on(ejection_wire(wiring, t)));
    EXPECT_EQ(&net.injection_credit(t).plain(), net.credits_of(injection_wire(wiring, t)));
    EXPECT_EQ(net.credits_of(ejection_wire(wiring, t)) != nullptr, several);
    if (!several) continue;
    EXPECT_EQ(net.ejection_credit(t).name(), node + ".credit_local" + number);
    EXPECT_EQ(net.ejection_credit(t).delay_cycles(), 4u + 2u);
  }
}

TEST(channels, are_named_after_the_ports_that_they_lead_to) {
  expect_channels("mesh:2x2", false);
  expect_channels("cmesh:2x2,2", true);
}

TEST(wires, are_near_where_none_looks_further_ahead_than_three_cycles) {
  struct near_case {
    unsigned delay, injection, ejection, credits, sa, st, flit_cycles;
    bool limited, near;
    unsigned reach;
  };
  for (const near_case& c : {near_case{1, 1, 1, 0, 1, 1, 1, false, true, 2},
                             {1, 1, 1, 0, 0, 1, 1, true, true, 1},
                             {1, 1, 1, 0, 1, 2, 1, false, true, 3},
                             {1, 1, 1, 0, 2, 2, 1, false, false, 4},
                             {2, 1, 1, 0, 0, 1, 1, false, false, 2},
                             {1, 2, 1, 0, 0, 1, 1, false, false, 2},
                             {1, 1, 2, 0, 0, 1, 1, false, false, 2},
                             {1, 1, 1, 1, 0, 1, 1, false, false, 2},
                             {1, 1, 1, 0, 0, 1, 2, false, false, 2},
                             {1, 1, 4, 3, 0, 1, 1, false, false, 4},
                             {1, 1, 4, 3, 0, 1, 1, true, false, 7},
                             {1, 5, 1, 3, 2, 2, 1, false, false, 8},
                             {6, 1, 1, 3, 2, 2, 1, false, false, 9}}) {
    const topology mesh = make_topology("mesh:2x1");
    mesh.wiring->link(1).delay_cycles = static_cast<std::uint16_t>(c.delay);
    mesh.wiring->link(0).flit_cycles = static_cast<std::uint8_t>(c.flit_cycles);
    network_config config;
    config.injection_delay_cycles = c.injection;
    config.ejection_delay_cycles = c.ejection;
    config.credit_delay_cycles = c.credits;
    config.limited_reception = c.limited;
    config.router.pipeline = pipeline::custom;
    config.router.custom_stages = {1, 1, c.sa, c.st};
    const router_kinds kinds(*mesh.wiring, config);
    const node_ranges all(*mesh.wiring, 1);
    const wire_table wires(*mesh.wiring, config, kinds, all);
    EXPECT_EQ(wires.all_near(), c.near) << c.delay << c.injection << c.ejection << c.credits << c.sa << c.st;
    EXPECT_EQ(wires.longest_reach(), c.reach) << c.delay << c.injection << c.ejection << c.credits << c.sa << c.st;
  }
}

// Of each wire the words that were sent in the cycle, by the cycle that shows them (docs/model.md, "Hashes").
TEST(wire_hash, has_after_each_cycle_what_was_sent_by_then) {
  const topology mesh = make_topology("cmesh:2x1,2");
  mesh.wiring->link(1).delay_cycles = 3;
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  config.limited_reception = true;
  config.wire_hash = true;
  config.credit_delay_cycles = 1;
  config.router.pipeline = pipeline::custom;
  config.router.custom_stages = {1, 1, 2, 3};
  network net("mesh", mesh.wiring, mesh.routing, config);
  some_packets source(4);
  net.set_source(&source);
  net.leave_kernel({1, sc_core::SC_NS});
  std::uint64_t expected = 0;
  for (cycle_t now = 0; now < 150; ++now) {
    net.step();
    for (wire_id w = 0; w < wire_count(*mesh.wiring); ++w) {
      const cycle_t shown = now + net.flits_on(w).delay_cycles(), back = now + net.credits_of(w)->delay_cycles();
      if (const flit_word f = net.flits_on(w).shown(shown); f.valid()) expected += mix(shown, w, f.bits);
      if (const credit_word c = net.credits_of(w)->shown(back); c.valid())
        expected += mix(back, w + (std::uint64_t{1} << 32), c.vcs);
    }
    ASSERT_EQ(net.wire_hash(), expected) << now;
  }
  EXPECT_GT(net.counters().packets_received, 30u);
}

TEST(networks, stand_still_after_the_first_thing_that_is_wrong) {
  const topology mesh = make_topology("mesh:2x2");
  const simulation_context context;
  const simulation_context::entry here(context);
  network net("mesh", mesh.wiring, mesh.routing, {});
  net.leave_kernel({1, sc_core::SC_NS});
  for (unsigned cycle = 0; cycle < 5; ++cycle) net.step();
  EXPECT_EQ(net.wire_hash(), 0u) << "none is kept";
  net.fail(2, "it is wet");
  net.fail(3, "it burns");
  ASSERT_TRUE(net.failure());
  EXPECT_EQ(net.failure()->what, network_failure::kind::invariant);
  EXPECT_EQ(net.failure()->message, "broken invariant in cycle 5: mesh." + mesh.wiring->path(2) + ": it is wet");
  EXPECT_EQ(net.failure()->cycle, 5u);
  EXPECT_EQ(net.failure()->since, 5u);
  EXPECT_EQ(net.failure()->nodes, std::vector<node_id>{2});
  EXPECT_TRUE(net.failure()->detail.empty());
  net.step();
  EXPECT_EQ(net.cycles_done(), 5u);
}

TEST(networks, count_the_pairs_that_dead_links_cut) {
  const topology row = make_topology("mesh:4x1");
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  for (link_id l = 0; l < row.wiring->links().size(); ++l)
    if (row.wiring->link(l).to == 1 && row.wiring->link(l).from == 0) config.dead_links.push_back({l, 3});
  network net("row", row.wiring, row.routing, config);
  net.leave_kernel({1, sc_core::SC_NS});
  for (cycle_t cycle = 0; cycle < 6; ++cycle) {
    EXPECT_EQ(net.count_cut_pairs(), cycle <= 3 ? 0u : 3u) << "from the first node to all others, behind cycle 3";
    net.step();
  }
}

}  // namespace
}  // namespace toriscope::network_config_test
