// SPDX-License-Identifier: Apache-2.0
// The watchdog against known deadlocks: packets that freeze a TTN under the VC rule of Rahman et al. 2009,
// Theorem 1, found by search with another program (network/deadlock_witnesses.json), and the same packets
// under rules that hold. All networks run side by side in one simulation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <set>

#include "base/json.h"
#include "base/test_file.h"
#include "base/words.h"
#include "network/gated_pair_test.h"
#include "network/network.h"
#include "network/simulation_context.h"
#include "network/watchdog.h"
#include "topologies/registry.h"

namespace toriscope::watchdog_test {
namespace {

/// Creates given packets at given cycles.
class scripted_source : public traffic_source {
 public:
  std::multimap<cycle_t, packet_request> script;
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    const auto [first, last] = script.equal_range(now);
    for (auto p = first; p != last; ++p) out.push_back(p->second);
  }
};

node_id node_of(const netlist& wiring, const std::string& address) {
  std::vector<unsigned> digits;
  for (const char c : address)
    if (c != '.') digits.push_back(static_cast<unsigned>(c - '0'));
  return wiring.node_at(digits);
}

/// Remembers the cycle in which a flit last came into or left each input VC, by address, port and VC of the
/// channel that ends there.
class movements final : public cycle_listener {
 public:
  explicit movements(network& net) : net_(net) { net.clock_of_links().listen(*this); }
  cycle_t last(const std::string& channel) const { return last_.at(channel); }

  void cycle_done(cycle_t done) override {
    const netlist& wiring = net_.wiring();
    for (link_id l = 0; l < wiring.links().size(); ++l) {
      const netlist_link& wire = wiring.link(l);
      const router& core = *net_.at(wire.to).core();
      for (unsigned v = 0; v < core.vc_count(); ++v) {
        const auto now = std::make_pair(core.occupancy(wire.to_port, v), core.front(wire.to_port, v).bits);
        auto& before = seen_[{l, v}];
        if (now == before) continue;
        before = now;
        last_[wiring.address(wire.from) + " " + wiring.port_name(wire.from, wire.from_port) + " vc" +
              std::to_string(v)] = done;
      }
    }
  }

 private:
  network& net_;
  std::map<std::pair<link_id, unsigned>, std::pair<unsigned, std::uint64_t>> seen_;
  std::map<std::string, cycle_t> last_;
};

struct run {
  std::string name;
  nlohmann::json witness;
  bool safe;
  topology made;
  scripted_source source;
  std::unique_ptr<network> net;
  std::unique_ptr<movements> moved;  ///< null: not looked at
};

class watchdog_test : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    clock_ = new sc_core::sc_clock("clk", 1, sc_core::SC_NS);
    std::ifstream file(WITNESSES);
    const auto witnesses = nlohmann::json::parse(file)["witnesses"];
    for (std::size_t w = 0; w < witnesses.size(); ++w)
      for (const pipeline stages : {pipeline::single_cycle, pipeline::four_stage})
        for (const std::string rule : {"paper", "A", "C"}) {
          if (rule == "A" && witnesses[w]["ties"] == "positive") continue;  // A is made for nowrap ties
          add(w, witnesses[w], stages, rule);
        }
    for (const cycle_t patience : {20, 150, 2500})
      add(0, witnesses[0], pipeline::four_stage, "paper", patience);
    runs_.back()->moved = std::make_unique<movements>(*runs_.back()->net);
    sc_core::sc_start(5'000, sc_core::SC_NS);
  }

  static void add(std::size_t number, const nlohmann::json& witness, pipeline stages, const std::string& rule,
                  cycle_t patience = 500) {
    auto r = std::make_unique<run>();
    r->name = "w" + std::to_string(number) + "_" + to_string(stages) + "_" + rule + std::to_string(patience);
    r->witness = witness;
    r->safe = rule != "paper";
    topology_options options;
    options.links = witness["links"];
    options.ties = witness["ties"];
    options.vc_rule = rule;
    options.vcs = rule == "C" ? 4 : 2;
    r->made = make_topology(witness["topology"], options);

    network_config config;
    config.router.pipeline = stages;
    config.router.vcs = options.vcs;
    config.router.depth = witness["depth"];
    config.watchdog_cycles = patience;
    if (patience == 150) {  // of which packets use one
      config.message_classes = 2;
      config.shared_classes = true;
    }
    const cycle_t hop = pipeline_timing(config.router).router_cycles() + 1;
    for (const auto& p : witness["packets"])
      r->source.script.insert(
          {hop * p[2].get<cycle_t>(),
           {node_of(*r->made.wiring, p[0]), node_of(*r->made.wiring, p[1]), witness["flits"]}});
    r->net = std::make_unique<network>(r->name.c_str(), r->made.wiring, r->made.routing, config);
    r->net->clk(*clock_);
    r->net->set_source(&r->source);
    r->net->keep_simulating_after_failure();
    runs_.push_back(std::move(r));
  }

  static sc_core::sc_clock* clock_;
  static std::vector<std::unique_ptr<run>> runs_;
};
sc_core::sc_clock* watchdog_test::clock_;
std::vector<std::unique_ptr<run>> watchdog_test::runs_;

TEST_F(watchdog_test, names_the_channels_of_the_witness) {
  int seen = 0;
  for (const auto& r : runs_) {
    if (r->safe) continue;
    ++seen;
    ASSERT_NE(r->net->failure(), nullptr) << r->name;
    EXPECT_EQ(r->net->failure()->what, network_failure::kind::deadlock);
    EXPECT_THAT(r->net->failure()->message, testing::HasSubstr("channels wait for each other in a cycle; found in"))
        << "nothing of message classes";
    std::set<std::string> reported, expected;
    for (const std::string& line : r->net->failure()->detail)
      reported.insert(line.substr(0, line.find(" (")));
    for (const auto& channel : r->witness["cycle"]) expected.insert(channel);
    EXPECT_EQ(reported, expected) << r->name;
    const std::vector<node_id>& nodes = r->net->failure()->nodes;
    const std::set<node_id> in_order(nodes.begin(), nodes.end());
    EXPECT_EQ(nodes, std::vector<node_id>(in_order.begin(), in_order.end())) << r->name;
  }
  EXPECT_EQ(seen, 11);
}

TEST_F(watchdog_test, the_same_packets_arrive_under_rules_that_hold) {
  int seen = 0;
  for (const auto& r : runs_) {
    if (!r->safe) continue;
    ++seen;
    EXPECT_EQ(r->net->failure(), nullptr) << r->name << ": " << r->net->failure()->message;
    EXPECT_EQ(r->net->counters().packets_received, r->witness["packets"].size()) << r->name;
    EXPECT_TRUE(r->net->idle()) << r->name;
    EXPECT_EQ(r->net->check_conservation(), "") << r->name;
  }
  EXPECT_EQ(seen, 12);
}

// Whenever it is found: the cycle in which the last flit of its channels moved, and the same channels.
TEST_F(watchdog_test, a_deadlock_stands_since_its_last_flit_moved) {
  const run& last = *runs_.back();
  cycle_t moved = 0;
  for (const std::string& line : last.net->failure()->detail)
    moved = std::max(moved, last.moved->last(line.substr(0, line.find(" ("))));
  std::set<cycle_t> found;
  for (const auto& r : runs_) {
    if (!begins_with(r->name, "w0_four_stage_paper")) continue;
    const network_failure& failure = *r->net->failure();
    EXPECT_EQ(failure.since, moved) << r->name;
    EXPECT_EQ(failure.detail, last.net->failure()->detail);
    EXPECT_THAT(failure.message,
                testing::MatchesRegex("deadlock since cycle " + std::to_string(moved) +
                                      ": .*; found in cycle " + std::to_string(failure.cycle)));
    found.insert(failure.cycle);
  }
  EXPECT_EQ(found.size(), 4u);
}

TEST_F(watchdog_test, what_is_frozen_is_still_conserved) {
  for (const auto& r : runs_)
    if (!r->safe) {
      EXPECT_EQ(r->net->check_conservation(), "") << r->name;
    }
}

/// Takes a packet of class 0 once a packet of class 1 has been sent at its destination.
class answers_first final : public reception_gate {
 public:
  bool admit(packet_id, const packet_record& record, cycle_t) override {
    return record.message_class == 1 || answered_.count(record.destination) > 0;
  }
  void packet_sent(packet_id, const packet_record& record, cycle_t) override {
    if (record.message_class == 1) answered_.insert(record.source);
  }
  std::uint32_t waits_for_queues(packet_id, const packet_record&) const override { return 1u << 1; }

 private:
  std::set<node_id> answered_;
};

// Two nodes send each other a long packet of class 0 and then, over the same VC, the packet of class 1 that makes them
// take the other one's.
TEST(protocol_deadlock, is_told_in_words_of_its_own) {
  network_config config;
  config.router.vcs = 1;
  config.message_classes = 2;
  config.shared_classes = true;
  config.ejection_delay_cycles = 30;  // so that a reception buffer is what fills up last
  config.watchdog_cycles = 100;
  answers_first gate;
  const gated_pair pair(config, gate);
  network& net = *pair.net;
  net.keep_simulating_after_failure();
  pair.send_both(100);
  pair.send_both(1, 1);
  unsigned received = 0;
  cycle_t last = 0;  // in which a flit came to an interface
  for (cycle_t cycle = 0; cycle < 1000 && !net.failure(); ++cycle) {
    net.step();
    const unsigned now = net.at(0).ni().reception()->occupancy(0) + net.at(1).ni().reception()->occupancy(0);
    if (now != received) last = cycle;
    received = now;
  }
  ASSERT_TRUE(net.failure());
  EXPECT_EQ(received, 2 * config.router.depth);
  EXPECT_EQ(net.failure()->since, last);
  EXPECT_THAT(
      net.failure()->message,
      testing::MatchesRegex(
          "protocol deadlock since cycle [0-9]+: [0-9]+ VCs, reception buffers and source queues will never move "
          "again; packets wait to be admitted until a source queue at their destination sends, and that queue waits "
          "for VCs that such packets hold .message classes with VCs of their own would not.; found in cycle [0-9]+"));
  EXPECT_EQ(net.failure()->nodes, (std::vector<node_id>{0, 1}));
  EXPECT_THAT(net.failure()->detail,
              testing::IsSupersetOf({"00 reception vc0 (mesh.node_0_0): packet 1, 10 -> 00, is not admitted",
                                     "00 source queue of class 1 (mesh.node_0_0): 1 packets cannot be sent",
                                     "00 source queue of class 0 (mesh.node_0_0): 1 packets cannot be sent",
                                     "00 local vc0 (mesh.node_0_0): held by packet 0, 00 -> 10"}));
}

/// Takes no packet of class 0, which waits for that class to send, and those of class 1 from cycle
/// 300 on.
class takes_one_class final : public reception_gate {
 public:
  bool admit(packet_id, const packet_record& record, cycle_t now) override {
    return record.message_class == 1 && now >= 300;
  }
  void packet_sent(packet_id, const packet_record&, cycle_t) override {}
  std::uint32_t waits_for_queues(packet_id, const packet_record& record) const override {
    return record.message_class == 0 ? 1u : 0u;
  }
};

// Class 0 freezes between two nodes: a reception buffer, a source queue, and a buffer of either router for the other
// one and for its interface. The reception buffer that holds a long packet of class 1 does not belong to it, whether
// that waits to be admitted or leaves.
TEST(protocol_deadlock, leaves_out_what_is_admitted) {
  network_config config;
  config.router.vcs = 2;
  config.message_classes = 2;
  takes_one_class gate;
  const gated_pair pair(config, gate);
  network& net = *pair.net;
  pair.send_both(100);
  net.send({0, 1, 200, 1});
  unsigned leaving = 0;
  while (net.cycles_done() < 450) {
    net.step();
    const cycle_t done = net.cycles_done() - 1;
    if (done < 200) continue;
    const reception_buffer& buffer = *net.at(1).ni().reception();
    leaving += buffer.admitted(1) && buffer.occupancy(1) > 0;
    const auto failure = find_deadlock(net.wiring(), pair.nodes, *pair.wires, *pair.state, done);
    ASSERT_TRUE(failure);
    EXPECT_THAT(failure->message, testing::HasSubstr(": 8 VCs, reception buffers and source queues will never move"))
        << done;
    EXPECT_THAT(failure->message, testing::Not(testing::HasSubstr("message classes"))) << "they have VCs of their own";
  }
  EXPECT_GT(leaving, 50u);
}

// Two nodes send each other a long packet of the only class there is, and have another one behind it.
TEST(protocol_deadlock, of_one_class_has_a_place_for_each_queue_and_buffer) {
  network_config config;
  config.router.vcs = 1;
  config.watchdog_cycles = 100;
  queue_gate gate;
  const gated_pair pair(config, gate);
  network& net = *pair.net;
  pair.send_both(100);
  pair.send_both(1);
  while (net.cycles_done() < 1000 && !net.failure()) net.step();
  ASSERT_TRUE(net.failure());
  // A VC from the interface and one from the other node, a reception buffer and a source queue, at both nodes.
  EXPECT_THAT(net.failure()->message,
              testing::MatchesRegex("protocol deadlock since cycle [0-9]+: 8 VCs, reception buffers and source queues "
                                    "will never move again; .* such packets hold; found in cycle [0-9]+"));
  EXPECT_THAT(net.failure()->detail,
              testing::ElementsAre("10 y- vc0 (mesh.node_1_0): held by packet 1, 10 -> 00",
                                   "00 reception vc0 (mesh.node_0_0): packet 1, 10 -> 00, is not admitted",
                                   "00 source queue of class 0 (mesh.node_0_0): 2 packets cannot be sent",
                                   "00 local vc0 (mesh.node_0_0): held by packet 0, 00 -> 10",
                                   "00 y+ vc0 (mesh.node_0_0): held by packet 0, 00 -> 10",
                                   "10 reception vc0 (mesh.node_1_0): packet 0, 00 -> 10, is not admitted",
                                   "10 source queue of class 0 (mesh.node_1_0): 2 packets cannot be sent",
                                   "10 local vc0 (mesh.node_1_0): held by packet 1, 10 -> 00"));
  EXPECT_EQ(net.failure()->nodes, (std::vector<node_id>{0, 1}));
}

// As the first one. Routers have one VC, and the network three: interfaces wait for a slot of that one alone.
TEST(protocol_deadlock, is_found_where_routers_have_fewer_vcs_than_the_network) {
  network_config config;
  config.router.vcs = 3;
  config.message_classes = 2;
  config.shared_classes = true;
  config.watchdog_cycles = 100;
  const std::string file = test_file("one_vc.json");
  std::ofstream(file) << R"({"nodes": [{"name": "a", "vcs": 1}, {"name": "b", "vcs": 1}],
                             "links": [{"from": "a", "to": "b"}]})";
  answers_first gate;
  const gated_pair pair(config, gate, "file:" + file);
  network& net = *pair.net;
  pair.send_both(100);
  pair.send_both(1, 1);
  while (net.cycles_done() < 1000 && !net.failure()) net.step();
  EXPECT_FALSE(net.idle());
  ASSERT_TRUE(net.failure());
  EXPECT_THAT(net.failure()->message, testing::StartsWith("protocol deadlock since cycle "));
}

/// Two nodes that freeze as above.
struct frozen_pair {
  explicit frozen_pair(cycle_t patience) : pair(config(patience), gate) { pair.send_both(100); }
  static network_config config(cycle_t patience) {
    network_config c;
    c.router.vcs = 1;
    c.watchdog_cycles = patience;
    return c;
  }
  queue_gate gate;
  gated_pair pair;
};

// Every P/4 + 1 cycles, from the last of the first of them on, it looks for a front flit that has waited for P cycles;
// then for a deadlock.
TEST(watchdog, looks_in_every_fourth_of_its_patience) {
  constexpr cycle_t end = 200;
  const frozen_pair frozen(0);
  const gated_pair& watched = frozen.pair;
  std::vector<cycle_t> longest(end);  // that a front flit has waited, by cycle
  std::vector<bool> dead(end);
  for (cycle_t cycle = 0; cycle < end; ++cycle) {
    watched.net->step();
    while (any_front_flit_waits(watched.nodes, cycle, longest[cycle] + 1)) ++longest[cycle];
    dead[cycle] = find_deadlock(*watched.mesh.wiring, watched.nodes, *watched.wires, *watched.state, cycle).has_value();
  }
  ASSERT_FALSE(watched.net->failure()) << "it never looks";
  ASSERT_TRUE(dead.back());
  ASSERT_FALSE(dead[20]);
  for (const cycle_t patience : {1, 2, 3, 4, 5, 7, 8, 11, 12, 20, 33, 50, 99}) {
    cycle_t found = 0;
    while (found % (patience / 4 + 1) != patience / 4 || longest[found] < patience || !dead[found]) ++found;
    const frozen_pair looked_at(patience);
    network& net = *looked_at.pair.net;
    while (net.cycles_done() < end && !net.failure()) net.step();
    ASSERT_TRUE(net.failure()) << patience;
    EXPECT_EQ(net.failure()->cycle, found) << patience;
  }
}

/// Leads packets to other nodes nowhere: to the first port, on no VC.
class offers_no_vc final : public routing_function {
 public:
  unsigned route(const route_request& r, route_option* options) const override {
    options[0] = {0, static_cast<vc_mask>(r.node == r.destination ? 15 : 0), 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }
};

TEST(watchdog, finds_a_head_that_waits_for_nothing) {
  const topology mesh = make_topology("mesh:2x1");
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  config.watchdog_cycles = 20;
  network net("mesh", mesh.wiring, std::make_shared<offers_no_vc>(), config);
  net.leave_kernel({1, sc_core::SC_NS});
  net.send({0, 1, 1});
  while (net.cycles_done() < 100 && !net.failure()) net.step();
  ASSERT_TRUE(net.failure());
  // Sent in cycle 0, it is in the router from cycle 1 on; a look every 6 cycles, in 23 the first after 20.
  EXPECT_EQ(net.failure()->message, "deadlock since cycle 1: 1 VCs will never move again; 1 channels wait for each "
                                    "other in a cycle; found in cycle 23");
  EXPECT_EQ(net.failure()->detail,
            std::vector<std::string>{"00 local vc0 (mesh.node_0_0): held by packet 0, 00 -> 10"});
}

}  // namespace
}  // namespace toriscope::watchdog_test
