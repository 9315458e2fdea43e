// SPDX-License-Identifier: Apache-2.0
// Networks as a bench sees them: names, packets sent by processes, the effect of observation, broken invariants.
#include "network/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "base/error_of_test.h"
#include "base/hash.h"
#include "network/simulation_context.h"
#include "topologies/registry.h"

namespace toriscope::network_test {
namespace {

using testing::HasSubstr;

/// Uniform traffic of short packets for the first 2000 cycles.
class test_source : public traffic_source {
 public:
  test_source(node_id nodes, unsigned one_in) : nodes_(nodes), one_in_(one_in) {}
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now >= 2000) return;
    for (node_id n = 0; n < nodes_; ++n)
      if (mix(now, n) % one_in_ == 0)
        out.push_back({n, static_cast<node_id>(mix(now, n, 1) % nodes_),
                       static_cast<std::uint32_t>(1 + mix(now, n, 2) % 6)});
  }

 private:
  node_id nodes_;
  unsigned one_in_;  ///< a node sends a packet in one of this number of cycles
};

/// Logs what it is told.
class test_sink : public packet_sink {
 public:
  std::vector<std::pair<packet_record, cycle_t>> received;
  void packet_received(packet_id, const packet_record& record, cycle_t when) override {
    received.emplace_back(record, when);
  }
};

struct bench {
  topology made;
  network net;
  test_source source;
  test_sink sink;

  bench(const char* name, const std::string& spec, const network_config& config, sc_core::sc_clock& clock)
      : made(make_topology(spec, options(config))),
        net(name, made.wiring, made.routing, config),
        source(made.wiring->node_count(), made.wiring->node_count() > 16 ? 128 : 16) {
    net.clk(clock);
    net.set_source(&source);
    net.add_sink(&sink);
    net.keep_simulating_after_failure();
  }
  static topology_options options(const network_config& config) {
    topology_options o;
    o.vcs = config.router.vcs;
    return o;
  }
};

/// Sends packets from a process: at rising edges (before or after the network, by order of construction) and
/// between.
class sender : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  network& net;
  int edges = 0;

  SC_HAS_PROCESS(sender);
  sender(sc_core::sc_module_name name, network& n) : sc_module(name), net(n) {
    SC_METHOD(at_edge);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(between);
    sensitive << clk.neg();
    dont_initialize();
    SC_METHOD(next_delta);
    sensitive << in_next_delta;
    dont_initialize();
  }
  void at_edge() {
    if (edges++ == 10) net.send({1, 2, 1});  // edge 10
  }
  void between() {
    if (edges == 21) net.send({3, 4, 1});  // after edge 20
    if (edges == 31) next_delta();
  }
  void next_delta() {
    net.send({5, deltas++, 1});
    if (deltas < 4) in_next_delta.notify(sc_core::SC_ZERO_TIME);
  }

  sc_core::sc_event in_next_delta;
  node_id deltas = 0;
};

network_config quick() {
  network_config c;
  c.checks = check_level::full;
  return c;
}

class network_test : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    clock_ = new sc_core::sc_clock("clk", 1, sc_core::SC_NS);
    network_config hashing = quick();
    hashing.wire_hash = true;
    silent_ = new bench("silent", "torus:4x4", quick(), *clock_);
    observed_ = new bench("observed", "torus:4x4", hashing, *clock_);
    for (link_id l = 0; l < observed_->made.wiring->links().size(); ++l) {
      observed_->net.link_at(l).read();
      observed_->net.credit_at(l).read();
    }
    hierarchical_ = new bench("ttn", "ttn:2,2,0", quick(), *clock_);
    broken_ = new bench("broken", "torus:4x4", quick(), *clock_);

    processes_ = new bench("processes", "mesh:3x3", quick(), *clock_);
    processes_->net.set_source(nullptr);
    static sender by_process("sender", processes_->net);
    by_process.clk(*clock_);

    steps_before_ = silent_->net.counters().router_steps;
    network_config wrong;
    wrong.router.vcs = 0;
    wrong.router.depth = 65;
    wrong.injection_delay_cycles = 0;
    try {
      network refused("refused", silent_->made.wiring, silent_->made.routing, wrong);
    } catch (const std::invalid_argument& e) {
      refusal_ = e.what();
    }

    topology_options eight;
    eight.vcs = 8;
    eight.message_classes = 2;
    network_config four = quick();
    misfits_.push_back(error_of(eight, four));
    four.message_classes = 2;
    misfits_.push_back(error_of(eight, four));
    misfits_.push_back(error_of({}, four));
    network_config all_eight = quick();
    all_eight.router.vcs = 8;
    misfits_.push_back(error_of({}, all_eight));
    all_eight.message_classes = 2;
    misfits_.push_back(error_of(eight, all_eight));

    sc_core::sc_start(1000, sc_core::SC_NS);
    const link_id some = broken_->made.wiring->ports(5)[0].in;
    broken_->net.credit_at(some).write({1});  // a credit that no flit has earned, held for ever
    sc_core::sc_start(4000, sc_core::SC_NS);
  }
  /// What the constructor says of a routing made for `options` in a network with `config`.
  static std::string error_of(const topology_options& options, const network_config& config) {
    const topology made = make_topology("torus:4x4", options);
    try {
      network made_in_vain(sc_core::sc_gen_unique_name("refused"), made.wiring, made.routing, config);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return {};
  }
  /// What send() says.
  static std::string error_of(network& net, const packet_request& packet) {
    try {
      net.send(packet);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return {};
  }

  static sc_core::sc_clock* clock_;
  static std::string refusal_;
  static std::uint64_t steps_before_;
  static std::vector<std::string> misfits_;
  static bench *silent_, *observed_, *hierarchical_, *broken_, *processes_;
};
sc_core::sc_clock* network_test::clock_;
std::string network_test::refusal_;
std::uint64_t network_test::steps_before_ = 1;
std::vector<std::string> network_test::misfits_;
bench *network_test::silent_, *network_test::observed_, *network_test::hierarchical_, *network_test::broken_,
    *network_test::processes_;

TEST_F(network_test, delivers_everything_and_keeps_its_invariants) {
  for (bench* b : {silent_, observed_, hierarchical_}) {
    EXPECT_EQ(b->net.failure(), nullptr) << b->net.failure()->message;
    EXPECT_GT(b->net.counters().packets_created, 1000u);
    EXPECT_EQ(b->net.counters().packets_received, b->net.counters().packets_created);
    EXPECT_EQ(b->net.counters().flits_ejected, b->net.counters().flits_created);
    EXPECT_TRUE(b->net.idle());
    EXPECT_EQ(b->sink.received.size(), b->net.counters().packets_received);
  }
}

TEST_F(network_test, counts_the_flits_of_each_wire) {
  const netlist& wiring = *silent_->made.wiring;
  const auto links = static_cast<wire_id>(wiring.links().size());
  std::vector<std::uint64_t> sent(wiring.terminal_count()), received(sent);
  std::uint64_t hops = 0, crossed = 0;
  for (const auto& [record, when] : silent_->sink.received) {
    sent[record.source] += record.flits;
    received[record.destination] += record.flits;
    hops += std::uint64_t{record.hops} * record.flits;
  }
  for (terminal_id t = 0; t < wiring.terminal_count(); ++t) {
    EXPECT_EQ(silent_->net.flits_sent(links + t), sent[t]);
    EXPECT_EQ(silent_->net.flits_sent(links + wiring.terminal_count() + t), received[t]);
  }
  for (wire_id w = 0; w < links; ++w) crossed += silent_->net.flits_sent(w);
  EXPECT_EQ(crossed, hops);
  EXPECT_EQ(steps_before_, 0u);
  EXPECT_GT(silent_->net.counters().router_steps, hops);
  EXPECT_EQ(dead_link{}.from_cycle, 0u) << "a link that fails does so from the start";
}

TEST_F(network_test, hash_is_that_of_the_packets_received) {
  std::uint64_t hash = 0;
  for (const auto& [record, when] : silent_->sink.received)
    hash += mix(record.source, record.destination, record.created, when);
  EXPECT_EQ(silent_->net.packet_hash(), hash);
  EXPECT_NE(hash, 0u);
}

TEST_F(network_test, looking_changes_nothing) {
  EXPECT_EQ(observed_->net.packet_hash(), silent_->net.packet_hash());
  EXPECT_NE(observed_->net.wire_hash(), 0u);
}

TEST_F(network_test, modules_carry_the_names_of_the_hierarchy) {
  EXPECT_NE(sc_core::sc_find_object("ttn.bm_1_2.node_0_3"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("silent.node_3_1"), nullptr);
  const netlist& wiring = hierarchical_->net.wiring();
  const node_id n = wiring.node_at({1, 2, 0, 3});
  const link_id l = wiring.ports(n)[wiring.port_named(n, "x+")].in;
  EXPECT_EQ(hierarchical_->net.link_at(l).name(), "ttn.bm_1_2.node_0_3.in_x+");
  EXPECT_EQ(&hierarchical_->net.link_at(l), &hierarchical_->net.link_at(l)) << "one channel for each link";
}

TEST_F(network_test, hops_are_links_crossed) {
  for (const auto& [record, when] : silent_->sink.received) {
    const auto from = silent_->made.wiring->digits(record.source),
               to = silent_->made.wiring->digits(record.destination);
    unsigned distance = 0;
    for (int d = 0; d < 2; ++d) {
      const unsigned offset = (to[d] + 4 - from[d]) % 4;
      distance += std::min(offset, 4 - offset);
    }
    ASSERT_EQ(record.hops, distance);
  }
}

TEST_F(network_test, a_process_sends_as_it_writes_a_register) {
  ASSERT_EQ(processes_->sink.received.size(), 6u);
  EXPECT_EQ(processes_->sink.received[0].first.created, 11u) << "sent at edge 10";
  EXPECT_EQ(processes_->sink.received[1].first.created, 21u) << "sent between edges 20 and 21";
  std::map<cycle_t, node_id> in_order;
  for (const auto& [record, when] : processes_->sink.received)
    if (record.source == 5) {
      EXPECT_EQ(record.created, 31u);
      in_order[record.head_sent] = record.destination;
    }
  const std::map<cycle_t, node_id> as_sent{{31, 0}, {32, 1}, {33, 2}, {34, 3}};
  EXPECT_EQ(in_order, as_sent) << "calls in four delta cycles";
}

TEST_F(network_test, a_broken_invariant_stops_the_network_and_says_where) {
  ASSERT_NE(broken_->net.failure(), nullptr);
  EXPECT_EQ(broken_->net.failure()->what, network_failure::kind::invariant);
  EXPECT_GE(broken_->net.failure()->cycle, 1000u);
  EXPECT_LE(broken_->net.failure()->cycle, 1100u);
  EXPECT_THAT(broken_->net.failure()->message, HasSubstr("credit"));
}

TEST_F(network_test, refuses_what_cannot_be_in_words) {
  EXPECT_THAT(refusal_, HasSubstr("vcs: 0 is out of range"));
  EXPECT_THAT(refusal_, HasSubstr("depth: 65 is out of range"));
  EXPECT_THAT(refusal_, HasSubstr("injection_delay_cycles: 0 is out of range"));
}

TEST_F(network_test, the_constructor_finds_a_routing_for_other_vcs_or_classes) {
  EXPECT_EQ(misfits_[0], "") << "4 VCs of one class, as the first of 2 classes on 8 VCs has them";
  EXPECT_THAT(misfits_[1], HasSubstr("made for 4 VCs in a message class, the network has 2 (4 VCs, 2 message "
                                     "classes with VCs of their own)"));
  EXPECT_THAT(misfits_[2],
              HasSubstr("made for 4 VCs in a message class, the network has 2 (4 VCs, 2 message"));
  EXPECT_THAT(misfits_[3],
              HasSubstr("made for 4 VCs in a message class, the network has 8 (8 VCs, 1 message"));
  EXPECT_EQ(misfits_[4], "");
}

/// What the constructor says of a mesh of two nodes, of which the first one has values of its own.
std::string refusal_of(const own_node_values& own, network_config config) {
  const topology mesh = make_topology("mesh:2x1");
  mesh.wiring->set_node_values({own, {}});
  const simulation_context context;
  const simulation_context::entry here(context);
  return error_of<std::invalid_argument>(
      [&] { network made_in_vain("mesh", mesh.wiring, mesh.routing, std::move(config)); });
}

TEST(networks, refuse_values_of_nodes_that_do_not_fit) {
  network_config config, paper, classes;
  EXPECT_EQ(refusal_of({4, 2, "single_cycle"}, config), "none");
  EXPECT_EQ(refusal_of({0, 0, "two_stage"}, config),
            "00: pipeline: 'two_stage'; expected single_cycle or four_stage");
  EXPECT_EQ(refusal_of({5, 0, ""}, config),
            "00: vcs: 5; a node may have fewer VCs than the 4 of the network, not more");
  paper.router.pipeline = pipeline::paper2009;
  paper.router.depth = 1;
  EXPECT_EQ(refusal_of({0, 0, "four_stage"}, paper),
            "00: pipeline: the routers of a network are all paper2009, or none is");
  classes.message_classes = 2;
  EXPECT_THAT(refusal_of({2, 0, ""}, classes),
              HasSubstr("vcs: those of a node cannot be divided among message classes; let these share VCs"));
  classes.shared_classes = true;
  EXPECT_EQ(refusal_of({4, 0, ""}, classes), "none");
}

TEST(networks, refuse_dead_links_that_do_not_exist) {
  network_config config;
  config.dead_links = {{1, 0}};
  EXPECT_EQ(refusal_of({}, config), "none");
  config.dead_links = {{2, 0}};
  EXPECT_EQ(refusal_of({}, config), "dead link 2: mesh has the links 0..1");
}

TEST(networks, have_credits_of_ejection_where_reception_is_limited) {
  const topology mesh = make_topology("mesh:2x1");
  for (const bool limited : {false, true}) {
    const simulation_context context;
    const simulation_context::entry here(context);
    network_config config;
    config.limited_reception = limited;
    config.ejection_delay_cycles = 2;
    config.credit_delay_cycles = 3;
    network net("mesh", mesh.wiring, mesh.routing, config);
    if (limited) {
      EXPECT_EQ(net.ejection_credit(1).name(), "mesh.node_1_0.credit_local");
      EXPECT_EQ(net.ejection_credit(1).delay_cycles(), 2u + 3u);
    } else {
      EXPECT_THROW(net.ejection_credit(1), std::logic_error);
    }
  }
}

TEST(networks, take_no_state_with_a_credit_that_is_none) {
  const topology mesh = make_topology("mesh:2x1");
  mesh.wiring->link(1).delay_cycles = 9;
  const simulation_context context;
  const simulation_context::entry here(context);
  unsigned number = 0;
  const auto make = [&] {
    auto net = std::make_unique<network>(("mesh" + std::to_string(number++)).c_str(), mesh.wiring, mesh.routing,
                                         network_config());
    net->leave_kernel({1, sc_core::SC_NS});
    return net;
  };
  const auto running = make();
  test_source source(2, 4);
  running->set_source(&source);
  for (unsigned cycle = 0; cycle < 20; ++cycle) running->step();
  state_archive saved;
  running->archive(saved);
  const std::string bytes = saved.bytes();
  std::set<std::string> said;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = 0;
    said.insert(error_of<damaged_state>([&] {
      state_archive read(changed);
      make()->archive(read);
    }));
  }
  EXPECT_THAT(said, testing::Contains("a credit is none"));
}

TEST(networks, have_a_module_for_each_name_that_names_of_nodes_begin_with) {
  const topology mesh = make_topology("mesh:5x1");
  const std::vector<std::string> paths{"a.x", "b.x", "a.y", "c", "b.d.x"};
  mesh.wiring->set_node_names({"0", "1", "2", "3", "4"}, paths);
  const simulation_context context;
  const simulation_context::entry here(context);
  network net("chip", mesh.wiring, mesh.routing, {});
  for (node_id n = 0; n < 5; ++n) EXPECT_EQ(net.at(n).name(), "chip." + paths[n]);
}

/// A packet of one flit, and a node that is watched from each cycle on.
void expect_watched_node(const std::string& spec) {
  const topology mesh = make_topology(spec);
  unsigned by_itself = 0;
  for (cycle_t from = 0; from < 20; ++from) {
    const simulation_context context;
    const simulation_context::entry here(context);
    network net("mesh", mesh.wiring, mesh.routing, {});
    net.leave_kernel({1, sc_core::SC_NS});
    net.send({0, 2, 1});
    while (net.cycles_done() < 20) {
      if (net.cycles_done() == from) net.watch_node(1);
      const bool changes = net.at(1).changes_by_itself();
      net.step();
      if (net.cycles_done() <= from || !changes) continue;
      EXPECT_EQ(net.stepped_watched_nodes(), std::vector<node_id>{1}) << from << ", " << net.cycles_done();
      ++by_itself;
    }
  }
  EXPECT_GT(by_itself, 5u) << spec;
}

// More than 256 nodes are stepped in another way.
TEST(networks, list_a_watched_node_whenever_it_changes) {
  for (const char* spec : {"mesh:3x1", "mesh:257x1"}) expect_watched_node(spec);
}

/// Beside networks that the kernel runs, and after it has run them. Zero-load latency of a flit over h links: 4 h + 5.
TEST_F(network_test, steps_without_a_kernel) {
  const topology mesh = make_topology("mesh:4x4");
  for (unsigned repeat = 0; repeat < 3; ++repeat) {
    const simulation_context context;
    const simulation_context::entry here(context);
    network net("mesh", mesh.wiring, mesh.routing, {});
    EXPECT_STREQ(net.name(), "mesh");
    net.leave_kernel({1, sc_core::SC_NS});
    test_sink sink;
    net.add_sink(&sink);
    for (node_id to = 1; to < 16; ++to) {
      const cycle_t sent = net.cycles_done();
      net.send({0, to, 1});
      while (net.cycles_done() == sent || !net.idle()) net.step();
      // The packet is created in the cycle `sent`, and received in the last one.
      EXPECT_EQ(net.cycles_done() - 1 - sent, 4 * (to / 4 + to % 4) + 5);
    }
    EXPECT_EQ(net.counters().packets_received, 15u);
    EXPECT_EQ(net.check_conservation(), "");
  }
}

/// A node whose router is not the model's, and whose account can be made wrong.
class accounted_node final : public node {
 public:
  accounted_node(const char* name, const node_context& context)
      : node(name, context), books(context.wiring.port_count(context.id), context.network) {}
  const node_account* account() const override { return &books; }
  std::uint64_t flits_sent(port_id) const override { return 0; }

  node_account books;
};

TEST_F(network_test, a_credit_too_many_at_a_node_of_other_makers_is_found) {
  const topology mesh = make_topology("mesh:4x4");
  const simulation_context context;
  const simulation_context::entry here(context);
  accounted_node* other = nullptr;
  network net("mesh", mesh.wiring, mesh.routing, {}, [&](const char* name, const node_context& c) {
    std::unique_ptr<accounted_node> made;
    if (c.id == 5) other = (made = std::make_unique<accounted_node>(name, c)).get();
    return made;
  });
  net.leave_kernel({1, sc_core::SC_NS});
  net.step();
  EXPECT_EQ(net.check_conservation(), "");
  other->books.credits_in(mesh.wiring->links()[mesh.wiring->ports(5)[1].out].from_port, {2});
  EXPECT_THAT(net.check_conservation(),
              testing::MatchesRegex("credits of .*\\.vc1: 9 slots are accounted for, the buffer has 8"));
}

TEST_F(network_test, a_packet_that_cannot_be_is_refused_where_it_is_sent) {
  EXPECT_EQ(error_of(silent_->net, {0, 99, 4}),
            "packet from node 0 to node 99: node 99 does not exist; nodes are 0..15");
  EXPECT_EQ(error_of(silent_->net, {16, 0, 4}),
            "packet from node 16 to node 0: node 16 does not exist; nodes are 0..15");
  EXPECT_EQ(error_of(silent_->net, {0, 1, 0}),
            "packet from node 0 to node 1: 0 flits; a packet has at least one");
  EXPECT_EQ(error_of(silent_->net, {0, 1, 4, 1}),
            "packet from node 0 to node 1: message class 1 does not exist; the network has 1 (class 0)");
}

}  // namespace
}  // namespace toriscope::network_test
