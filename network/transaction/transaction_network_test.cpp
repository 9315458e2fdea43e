// SPDX-License-Identifier: Apache-2.0
// The transaction level under the SystemC kernel: its cycles are those of a clock of 1 ns, for sinks and for processes.
#include "network/transaction/transaction_network.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "base/error_of_test.h"
#include "network/network.h"
#include "network/simulation_context.h"
#include "network/transaction/on_one_vc_test.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

struct looks_when_received : packet_sink {
  explicit looks_when_received(const packet_network& n) : net(n) {}
  void packet_received(packet_id, const packet_record& record, cycle_t received) override {
    EXPECT_EQ(net.cycles_done(), received);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(static_cast<double>(received), sc_core::SC_NS));
    created.push_back(record.created);
  }
  const packet_network& net;
  std::vector<cycle_t> created;
};

/// Sends a packet at each of these times.
class sender : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(sender);
  sender(sc_core::sc_module_name, packet_network& net, std::vector<double> ns)
      : net_(net), ns_(std::move(ns)) {
    SC_THREAD(send);
  }

 private:
  void send() {
    for (const double at : ns_) {
      wait(sc_core::sc_time(at, sc_core::SC_NS) - sc_core::sc_time_stamp());
      net_.send({0, 5, 3, 0});
    }
  }
  packet_network& net_;
  std::vector<double> ns_;
};

/// Notes at each of these times how many cycles are done.
class watcher : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(watcher);
  watcher(sc_core::sc_module_name, const packet_network& net, std::vector<double> ns) : net_(net), ns_(std::move(ns)) {
    SC_THREAD(look);
  }
  std::vector<cycle_t> seen;

 private:
  void look() {
    for (const double at : ns_) {
      wait(sc_core::sc_time(at, sc_core::SC_NS) - sc_core::sc_time_stamp());
      seen.push_back(net_.cycles_done());
    }
  }
  const packet_network& net_;
  std::vector<double> ns_;
};

/// Answers each packet of three flits to terminal 5 in the cycle in which it is received.
struct answers : packet_sink {
  explicit answers(packet_network& n) : net(n) {}
  void packet_received(packet_id, const packet_record& record, cycle_t received) override {
    EXPECT_EQ(net.cycles_done(), received);
    if (record.flits == 3) net.send({5, 0, 1, 0});
    ends.emplace_back(record.created, received);
  }
  packet_network& net;
  std::vector<std::pair<cycle_t, cycle_t>> ends;
};

TEST(transaction_network, without_a_kernel_creates_what_a_sink_sends_in_the_cycle_after) {
  const topology made = make_topology("torus:4x4");
  set_link_delays(*made.wiring, std::vector<std::string>{"9"});  // in most cycles nothing happens
  const simulation_context context;
  const simulation_context::entry here(context);
  transaction_network net("net", made.wiring, made.routing, {});
  net.leave_kernel();
  answers seen(net);
  net.add_sink(&seen);
  net.send({0, 5, 3, 0});
  net.run_without_kernel(300);
  EXPECT_EQ(net.cycles_done(), 300u);
  net.send({0, 5, 3, 0});
  net.run_without_kernel(600);
  ASSERT_EQ(seen.ends.size(), 4u);
  EXPECT_EQ(seen.ends[0].first, 0u);
  EXPECT_EQ(seen.ends[1].first, seen.ends[0].second + 1);
  EXPECT_EQ(seen.ends[2].first, 300u);
  EXPECT_EQ(seen.ends[3].first, seen.ends[2].second + 1);
}

TEST(transaction_network, creates_what_a_process_sends_at_the_next_edge) {
  const topology made = make_topology("torus:4x4");
  transaction_network net("net", made.wiring, made.routing, {});
  looks_when_received seen(net);
  net.add_sink(&seen);
  EXPECT_THROW(net.send({0, 16, 3, 0}), std::invalid_argument) << "there is no such terminal";
  EXPECT_THROW(net.send({0, 5, 0, 0}), std::invalid_argument) << "no flits";
  sender sends("sends", net, {5.5, 5.75, 7, 200.25});
  // Behind an edge its cycle is done, also where nothing happens in it.
  watcher looks("looks", net, {0.001, 0.999, 2, 2.001, 300.5});
  sc_core::sc_start(400, sc_core::SC_NS);
  EXPECT_EQ(looks.seen, (std::vector<cycle_t>{1, 1, 2, 3, 301}));
  EXPECT_EQ(seen.created, (std::vector<cycle_t>{6, 6, 8, 201}));
  EXPECT_TRUE(net.idle());
}

/// The same torus of flits and of packets, without a kernel.
struct both_levels {
  both_levels() {
    flits.leave_kernel({1, sc_core::SC_NS});
    packets.leave_kernel();
  }
  std::array<packet_network*, 2> networks() { return {&flits, &packets}; }
  void run_to(const packet_network* net, cycle_t end) {
    if (net == &packets) return packets.run_without_kernel(end);
    while (flits.cycles_done() < end) flits.step();
  }

  const topology made = make_topology("torus:4x4");
  const simulation_context context;
  const simulation_context::entry here{context};
  network flits{"flits", made.wiring, made.routing, {}};
  transaction_network packets{"packets", made.wiring, made.routing, {}};
};

/// Adds others when it is told of its first packet.
struct adds_sinks final : packet_sink {
  explicit adds_sinks(packet_network& n) : net(n) {}
  void packet_received(packet_id, const packet_record&, cycle_t) override {
    if (++received == 1)
      for (adds_sinks& s : late) net.add_sink(&s);
  }
  packet_network& net;
  unsigned received = 0;
  std::vector<adds_sinks> late;
};

TEST(transaction_network, a_sink_may_add_others) {
  both_levels both;
  for (packet_network* const net : both.networks()) {
    adds_sinks sink(*net);
    for (unsigned i = 0; i < 20; ++i) sink.late.emplace_back(*net);
    net->add_sink(&sink);
    for (unsigned i = 0; i < 2; ++i) net->send({0, 5, 3, 0});
    both.run_to(net, 100);
    EXPECT_EQ(sink.received, 2u);
    for (const adds_sinks& s : sink.late) EXPECT_EQ(s.received, 1u) << "of the second packet";
  }
}

/// Names two packets in cycle 3, and notes who sent the packet of each number.
struct numbered_packets final : traffic_source, packet_sink {
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now == 3) out.insert(out.end(), {{9, 2, 1, 0}, {1, 2, 1, 0}});
  }
  void packet_received(packet_id id, const packet_record& record, cycle_t) override {
    sources[id] = record.source;
  }
  std::map<packet_id, node_id> sources;
};

/// network/packet_network.h: "those of send() in the order of the calls, then those of the traffic source".
TEST(transaction_network, numbers_what_is_sent_before_what_the_source_names) {
  both_levels both;
  for (packet_network* const net : both.networks()) {
    numbered_packets seen;
    net->set_source(&seen);
    net->add_sink(&seen);
    both.run_to(net, 3);
    for (const node_id from : {12, 5}) net->send({from, 2, 1, 0});
    both.run_to(net, 100);
    EXPECT_EQ(seen.sources, (std::map<packet_id, node_id>{{0, 12}, {1, 5}, {2, 9}, {3, 1}}));
  }
}

TEST(transaction_network, refuses_what_it_cannot_do) {
  network_config config;
  EXPECT_THAT(transaction_config_errors(config), testing::IsEmpty());
  config.router.pipeline = pipeline::paper2009;
  config.dead_links = {{0, 0}};
  config.wire_hash = true;
  EXPECT_THAT(transaction_config_errors(config),
              testing::ElementsAre(
                  "pipeline: the transaction level knows stage counts, not paper2009; use --fidelity cycle",
                  "fail-link: links cannot fail at the transaction level; use --fidelity cycle",
                  "wire-hash: at the transaction level there are no words on wires; use --fidelity cycle"));
}

TEST(transaction_network, is_not_made_with_what_it_cannot_do) {
  const topology made = make_topology("torus:4x4");
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  config.wire_hash = true;
  const auto said = [&] {
    return error_of<std::invalid_argument>([&] { transaction_network("net", made.wiring, made.routing, config); });
  };
  const std::string no_words = "wire-hash: at the transaction level there are no words on wires; use --fidelity cycle";
  EXPECT_EQ(said(), no_words);
  config.injection_delay_cycles = 0;
  ASSERT_EQ(config.validate().size(), 1u);
  EXPECT_EQ(said(), config.validate().front() + "; " + no_words);
}

TEST(transaction_network, message_classes_that_share_vcs_need_no_routing_for_classes) {
  const topology made = make_topology("torus:4x4");
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  config.message_classes = 2;
  EXPECT_THROW(transaction_network("refused", made.wiring, made.routing, config), std::invalid_argument);
  config.shared_classes = true;
  transaction_network net("net", made.wiring, made.routing, config);
  net.leave_kernel();
  for (const std::uint8_t of_class : {0, 1}) net.send({0, 5, 3, of_class});
  net.run_without_kernel(300);
  EXPECT_EQ(net.counters().packets_received, 2u);
}

struct a_packet_each_cycle final : traffic_source {
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now > 1) out.push_back({0, 1, 1, 0});  // behind those of the ring
  }
};

TEST(transaction_network, does_the_cycles_before_the_end_that_it_is_given) {
  const topology made = make_topology("torus:4x4");
  const simulation_context context;
  const simulation_context::entry here(context);
  transaction_network net("net", made.wiring, made.routing, {});
  a_packet_each_cycle source;
  net.set_source(&source);
  net.leave_kernel();
  EXPECT_EQ(net.cycles_done(), 0u);
  for (const cycle_t end : {20, 21, 50}) {
    net.run_without_kernel(end);
    EXPECT_EQ(net.cycles_done(), end);
    EXPECT_EQ(net.counters().packets_created, end - 2) << "one in each cycle from 2 on";
  }
}

struct stops_the_network final : packet_sink {
  explicit stops_the_network(transaction_network& n) : net(n) {}
  void packet_received(packet_id, const packet_record&, cycle_t now) override {
    if (last == 0) net.stop_running_ahead();
    last = std::max(last, now);
  }
  transaction_network& net;
  cycle_t last = 0;
};

TEST(transaction_network, stops_behind_the_cycle_in_which_a_sink_says_so) {
  const topology made = make_topology("torus:4x4");
  const simulation_context context;
  const simulation_context::entry here(context);
  transaction_network net("net", made.wiring, made.routing, {});
  a_packet_each_cycle source;
  stops_the_network sink(net);
  net.set_source(&source);
  net.add_sink(&sink);
  net.leave_kernel();
  net.run_without_kernel(300);
  EXPECT_GT(sink.last, 2u);
  EXPECT_LT(sink.last, 50u);
  EXPECT_EQ(net.cycles_done(), sink.last + 1);
  EXPECT_EQ(net.counters().packets_created, sink.last - 1) << "in cycles 2 to the last one";
  net.run_without_kernel(300);
  EXPECT_EQ(net.cycles_done(), 300u);
}

/// A ring of N nodes in one direction. Each one sends a packet to the one before it.
struct ring_of {
  explicit ring_of(unsigned nodes, const network_config& config)
      : made(made_ring(nodes)), net("net", made.wiring, std::make_shared<on_one_vc>(*made.routing), config) {
    for (node_id n = 0; n < nodes; ++n) net.send({n, (n + nodes - 1) % nodes, 16, 0});
  }
  static topology made_ring(unsigned nodes) {
    topology_options options;
    options.vcs = 2;
    return make_topology("ucube:" + std::to_string(nodes) + ",1", options);
  }
  topology made;
  transaction_network net;
};

network_config with_two_vcs() {
  network_config config;
  config.router.vcs = 2;
  config.router.depth = 2;
  return config;
}

// By hand: a head is sent in 0 and shown to the router in 1; RC, VA, SA, and it is sent; the next router has it from 5
// on, in 6 it gets no VC, and nothing ever happens afterwards.
TEST(transaction_network, tells_a_deadlock) {
  for (const unsigned nodes : {4u, 9u}) {
    const simulation_context context;
    const simulation_context::entry here(context);
    ring_of r(nodes, with_two_vcs());
    r.net.leave_kernel();
    r.net.run_without_kernel(10000);
    const network_failure* const failure = r.net.failure();
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->what, network_failure::kind::deadlock);
    EXPECT_EQ(failure->since, 5u);
    EXPECT_EQ(failure->cycle, 6u);
    EXPECT_EQ(r.net.cycles_done(), 7u) << "none follows";
    EXPECT_EQ(failure->message, "deadlock since cycle 5: " + std::to_string(nodes) +
                                    " heads wait for packets whose heads wait likewise (at the transaction level; "
                                    "--fidelity cycle names the wait-for cycle); found in cycle 6");
    EXPECT_EQ(std::set<node_id>(failure->nodes.begin(), failure->nodes.end()).size(), nodes);
    EXPECT_EQ(failure->detail.size(), std::min(nodes, 8u));
    for (const std::string& line : failure->detail)
      EXPECT_THAT(line, testing::MatchesRegex("packet . from . to . waits for a VC at ."));
  }
}

// It looks after as many cycles as the watchdog's, and then after each quarter of them and one: by then the heads must
// have waited, since cycle 5, for all of them.
TEST(transaction_network, looks_for_a_deadlock_while_packets_are_created) {
  for (const auto& [watchdog, found] : {std::pair<cycle_t, cycle_t>{3, 8}, {7, 13}, {20, 26}, {40, 51}}) {
    network_config config = with_two_vcs();
    config.watchdog_cycles = watchdog;
    const simulation_context context;
    const simulation_context::entry here(context);
    ring_of r(4, config);
    a_packet_each_cycle source;
    r.net.set_source(&source);
    r.net.leave_kernel();
    r.net.run_without_kernel(1000);
    ASSERT_TRUE(r.net.failure());
    EXPECT_EQ(r.net.failure()->cycle, found) << watchdog;
    EXPECT_EQ(r.net.failure()->since, 5u);
  }
}

TEST(transaction_network, looks_for_no_deadlock_when_the_watchdog_is_off) {
  network_config config = with_two_vcs();
  for (const unsigned cycles : {0, 1}) {
    config.watchdog_cycles = cycles;
    const simulation_context context;
    const simulation_context::entry here(context);
    ring_of r(4, config);
    r.net.leave_kernel();
    r.net.run_without_kernel(10000);
    EXPECT_EQ(r.net.failure() != nullptr, cycles == 1);
    EXPECT_FALSE(r.net.idle());
  }
}

/// In a process of its own, as the kernel stops at given times. A packet is created in each cycle from 2 on.
TEST(transaction_network_DeathTest, does_ahead_what_it_may_and_then_each_cycle_at_its_time) {
  const auto outcome = [] {
    const topology made = make_topology("torus:4x4");
    transaction_network net("net", made.wiring, made.routing, {});
    a_packet_each_cycle source;
    net.set_source(&source);
    net.run_ahead_until(20);
    sc_core::sc_start(5.5, sc_core::SC_NS);
    if (net.counters().packets_created != 18) std::_Exit(11);  // of cycles 2 to 19
    if (net.cycles_done() != 20) std::_Exit(12);
    sc_core::sc_start(17, sc_core::SC_NS);
    if (net.counters().packets_created != 21) std::_Exit(13);  // the last one at 22 ns
    std::_Exit(net.cycles_done() == 23 ? 10 : 14);
  };
  EXPECT_EXIT(outcome(), testing::ExitedWithCode(10), "");
}

/// In a process of its own, as it starts a kernel: a network of flits counts the same cycles.
TEST(transaction_network_DeathTest, has_the_cycles_of_a_network_of_flits) {
  const auto outcome = [](double period_ns) {
    const sc_core::sc_time period(period_ns, sc_core::SC_NS);
    const topology made = make_topology("torus:4x4");
    sc_core::sc_clock clock("clock", period);
    network flits("flits", made.wiring, made.routing, {});
    flits.clk(clock);
    transaction_network packets("packets", made.wiring, made.routing, {}, period);
    a_packet_each_cycle source;
    const auto differ = [&] {
      return flits.cycles_done() != packets.cycles_done() ||
             flits.counters().packets_created != packets.counters().packets_created;
    };
    flits.send({0, 5, 3, 0});
    packets.send({0, 5, 3, 0});
    if (differ()) std::_Exit(11);
    for (const double cycles : {0.25, 0.75, 14.0, 300.0, 0.5, 0.5}) {
      sc_core::sc_start(cycles * period);
      if (differ()) std::_Exit(12);  // nothing happens from about cycle 20 on
    }
    for (const double cycles : {0.0, 0.25, 0.75}) {
      if (cycles > 0) sc_core::sc_start(cycles * period);
      flits.send({0, 5, 3, 0});
      packets.send({0, 5, 3, 0});
      sc_core::sc_start(100 * period);
      if (differ()) std::_Exit(13);
    }
    if (flits.counters().packets_received != 4 || flits.packet_hash() != packets.packet_hash()) std::_Exit(16);
    for (const double cycles : {0.0, 0.25, 0.75}) {
      if (cycles > 0) sc_core::sc_start(cycles * period);
      flits.set_source(&source);
      packets.set_source(&source);
      sc_core::sc_start(20 * period);
      if (differ() || flits.counters().packets_created < 20) std::_Exit(14);
      flits.set_source(nullptr);
      packets.set_source(nullptr);
      sc_core::sc_start(100 * period);
      if (differ() || !flits.idle() || !packets.idle()) std::_Exit(15);
    }
    std::_Exit(10);
  };
  for (const double period_ns : {1.0, 2.5}) EXPECT_EXIT(outcome(period_ns), testing::ExitedWithCode(10), "");
}

/// In a process of its own: it has a kernel that has failed.
TEST(transaction_network_DeathTest, a_deadlock_is_thrown_out_of_sc_start) {
  const auto outcome = [](failure_action action) {
    network_config config = with_two_vcs();
    config.on_failure = action;
    ring_of r(4, config);
    try {
      sc_core::sc_start(10, sc_core::SC_US);
    } catch (const sc_core::sc_report& report) {
      std::_Exit(report.get_msg_type() == std::string("/toriscope/network/deadlock") ? 10 : 11);
    }
    std::_Exit(r.net.failure() && sc_core::sc_get_status() == sc_core::SC_STOPPED ? 12 : 13);
  };
  EXPECT_EXIT(outcome(failure_action::report), testing::ExitedWithCode(10), "");
  EXPECT_EXIT(outcome(failure_action::stop), testing::ExitedWithCode(12), "");
}

}  // namespace
}  // namespace toriscope
