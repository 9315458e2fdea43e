// SPDX-License-Identifier: Apache-2.0
// Packets that the transaction level sends as the cycle level does, to the cycle.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "network/network.h"
#include "network/simulation_context.h"
#include "network/transaction/transaction_network.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using script = std::vector<std::pair<cycle_t, packet_request>>;
/// When the head of a packet was sent, and its tail received.
using ends = std::map<packet_id, std::pair<cycle_t, cycle_t>>;

/// Source, sink, and a gate that is open in three of 32 cycles.
class traffic final : public traffic_source, public packet_sink, public reception_gate {
 public:
  explicit traffic(script packets) : packets_(std::move(packets)) {}
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    for (const auto& [when, packet] : packets_)
      if (when == now) out.push_back(packet);
  }
  void packet_received(packet_id id, const packet_record& record, cycle_t received) override {
    seen[id] = {record.head_sent, received};
  }
  bool admit(packet_id, const packet_record& record, cycle_t now) override {
    return (now + 5 * record.destination) % 32 < 3;
  }
  ends seen;

 private:
  const script packets_;
};

void run_500_cycles(packet_network& net, traffic& packets, const std::function<void()>& run) {
  net.set_source(&packets);
  net.add_sink(&packets);
  if (net.config().limited_reception) net.set_gate(&packets);
  run();
  EXPECT_TRUE(net.idle());
  EXPECT_EQ(net.check_conservation(), "");
}

void expect_same_cycles(const topology& t, const network_config& config, const script& packets) {
  const simulation_context context;
  const simulation_context::entry here(context);
  network cycles("cycles", t.wiring, t.routing, config);
  cycles.leave_kernel({1, sc_core::SC_NS});
  traffic expected(packets);
  run_500_cycles(cycles, expected, [&] {
    while (cycles.cycles_done() < 500) cycles.step();
  });
  transaction_network transactions("transactions", t.wiring, t.routing, config);
  transactions.leave_kernel();
  traffic seen(packets);
  run_500_cycles(transactions, seen, [&] { transactions.run_without_kernel(500); });
  EXPECT_EQ(seen.seen, expected.seen);
}

topology made_with(unsigned vcs, const char* spec) {
  topology_options options;
  options.vcs = vcs;
  return make_topology(spec, options);
}

topology narrow_with(unsigned vcs, const char* spec, std::uint8_t flit_cycles) {
  topology made = made_with(vcs, spec);
  for (link_id l = 0; l < made.wiring->links().size(); ++l) made.wiring->link(l).flit_cycles = flit_cycles;
  return made;
}

network_config single_cycle(unsigned vcs, unsigned depth) {
  network_config config;
  config.router.vcs = vcs;
  config.router.depth = depth;
  config.router.pipeline = pipeline::single_cycle;
  return config;
}

TEST(same_cycles, of_packets_that_fill_a_buffer_before_a_narrow_link) {
  const topology mesh = narrow_with(4, "mesh:4x4", 2);
  expect_same_cycles(mesh, single_cycle(4, 2),
                     {{4, {1, 3, 2}},
                      {13, {1, 9, 2}},
                      {26, {1, 1, 2}},
                      {33, {13, 4, 2}},
                      {34, {12, 6, 2}},
                      {37, {9, 7, 2}},
                      {39, {1, 13, 2}},
                      {39, {9, 6, 2}},
                      {41, {13, 7, 2}},
                      {42, {1, 6, 2}}});
}

TEST(same_cycles, of_packets_that_meet) {
  const topology mesh = made_with(2, "mesh:3x3");
  network_config config = single_cycle(2, 4);
  expect_same_cycles(mesh, config, {{0, {5, 2, 7}}, {1, {8, 1, 5}}, {4, {5, 1, 6}}, {16, {0, 1, 3}}, {17, {2, 1, 5}}});
  expect_same_cycles(mesh, config, {{0, {7, 2, 8}}, {3, {4, 1, 8}}, {12, {4, 7, 5}}, {12, {7, 7, 3}}});
  expect_same_cycles(mesh, config, {{0, {7, 5, 7}}, {1, {4, 5, 8}}, {2, {7, 5, 7}}, {11, {4, 5, 6}}, {23, {7, 7, 7}}});
  expect_same_cycles(mesh, config, {{0, {0, 8, 5}}, {1, {3, 7, 7}}, {6, {3, 8, 5}}, {14, {3, 5, 7}}});
  config.credit_delay_cycles = 5;
  expect_same_cycles(mesh, config, {{0, {2, 7, 8}}, {3, {0, 3, 8}}, {8, {2, 1, 6}}, {9, {0, 1, 8}}});
}

TEST(same_cycles, of_packets_in_a_row) {
  network_config config;
  config.router.vcs = 8;
  config.router.depth = 16;
  expect_same_cycles(made_with(8, "mesh:3x3"), config, {{0, {5, 3, 26}}, {16, {4, 3, 5}}, {16, {8, 3, 13}}});
}

TEST(same_cycles, of_a_packet_that_waits_for_a_narrow_link) {
  const topology mesh = narrow_with(4, "mesh:3x1", 4);
  expect_same_cycles(mesh, {}, {{0, {0, 2, 13}}, {7, {1, 2, 7}}});
}

/// Bodies follow a head that gets its VC in the cycle in which it comes, into buffers shorter than the way of a credit.
TEST(same_cycles, of_packets_alone_over_slow_links) {
  for (const std::uint8_t delay : {5, 8}) {
    const topology mesh = made_with(4, "mesh:4x1");
    for (link_id l = 0; l < mesh.wiring->links().size(); ++l) mesh.wiring->link(l).delay_cycles = delay;
    const script alone = {{0, {0, 2, 2}}, {150, {0, 2, 4}}, {300, {0, 3, 2}}};
    expect_same_cycles(mesh, single_cycle(4, 8), alone);
    network_config config;
    config.router.lookahead = config.router.speculative = true;
    expect_same_cycles(mesh, config, alone);
  }
}

/// Buffers are shorter than the way of a credit.
network_config late_credits() {
  network_config config;
  config.router.vcs = 2;
  config.router.depth = 4;
  config.router.vc_reallocation = vc_reallocation::atomic;
  config.credit_delay_cycles = 5;
  return config;
}

/// The first credits would be those of flits sent before cycle 0.
TEST(same_cycles, of_packets_that_are_sent_at_once) {
  const topology torus = made_with(2, "torus:4x4");
  for (const cycle_t created : {0, 1, 2, 100}) expect_same_cycles(torus, late_credits(), {{created, {8, 8, 6}}});
}

TEST(same_cycles, of_packets_that_wait_for_credits) {
  expect_same_cycles(made_with(2, "torus:4x4"), late_credits(),
                     {{121, {3, 1, 6}},
                      {122, {0, 15, 7}},
                      {124, {3, 0, 4}},
                      {127, {0, 0, 4}},
                      {130, {0, 0, 1}},
                      {144, {0, 0, 8}}});
}

TEST(same_cycles, of_packets_of_two_classes_from_one_interface) {
  network_config config = single_cycle(2, 4);
  config.message_classes = 2;
  config.shared_classes = true;
  for (const cycle_t begin : {0, 10})
    expect_same_cycles(made_with(2, "mesh:3x3"), config, {{begin, {2, 6, 2, 0}}, {begin + 1, {2, 5, 2, 1}}});
}

TEST(same_cycles, of_packets_before_a_gate) {
  network_config config = single_cycle(2, 4);
  config.limited_reception = true;
  expect_same_cycles(made_with(2, "mesh:3x3"), config, {{100, {8, 4, 8}}, {109, {4, 4, 5}}});
  network_config four_stages;
  four_stages.router.vcs = 2;
  four_stages.limited_reception = true;
  expect_same_cycles(made_with(2, "mesh:3x1"), four_stages, {{67, {2, 1, 11}}, {81, {0, 1, 7}}});
  config.router.vcs = 1;
  expect_same_cycles(made_with(1, "mesh:3x1"), config,
                     {{112, {2, 0, 3}}, {122, {0, 0, 3}}, {127, {0, 2, 3}}, {132, {2, 2, 3}}});
}

/// Packets go alone for a while, and then meet others: what was on its way then, flits and credits, counts.
TEST(same_cycles, of_packets_that_meet_while_they_are_under_way) {
  network_config config;
  config.router.depth = 2;
  config.credit_delay_cycles = 1;
  expect_same_cycles(made_with(4, "mesh:4x1"), config, {{0, {3, 1, 10}}, {1, {0, 1, 4}}});
  const topology row = made_with(4, "mesh:3x1");
  expect_same_cycles(row, single_cycle(4, 2), {{1, {0, 0, 20}}, {3, {0, 0, 23}}, {4, {2, 0, 20}}});
  config = single_cycle(4, 4);
  config.limited_reception = true;
  expect_same_cycles(made_with(4, "mesh:3x3"), config, {{7, {2, 8, 17}}, {7, {5, 6, 22}}, {13, {3, 6, 3}}});
}

TEST(same_cycles, of_packets_that_meet_behind_narrow_links) {
  network_config config = late_credits();
  config.router.depth = 2;
  config.router.vcs = 4;
  config.credit_delay_cycles = 2;
  expect_same_cycles(narrow_with(4, "mesh:3x1", 2), config, {{1, {1, 2, 20}}, {2, {1, 1, 12}}, {4, {2, 1, 24}}});
  config = single_cycle(4, 16);
  config.router.vc_reallocation = vc_reallocation::atomic;
  config.limited_reception = true;
  expect_same_cycles(narrow_with(4, "mesh:4x1", 4), config, {{5, {3, 2, 16}}, {6, {3, 0, 17}}});
  expect_same_cycles(narrow_with(2, "mesh:3x1", 2), single_cycle(2, 4),
                     {{2, {0, 2, 23}}, {2, {2, 0, 20}}, {3, {0, 1, 10}}, {3, {2, 2, 20}}});
}

}  // namespace
}  // namespace toriscope
