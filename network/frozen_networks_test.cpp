// SPDX-License-Identifier: Apache-2.0
// Every network that stands still with packets under way has a deadlock that the watchdog reports, and none that
// empties has: rings without a rule for VCs, by pipeline, reallocation, depth, delay, packet length and load.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "base/hash.h"
#include "network/network.h"
#include "network/simulation_context.h"
#include "network/watchdog.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/registry.h"

namespace toriscope::frozen_networks_test {
namespace {

/// In a torus of 4x4 by rising digits, on any of these VCs: the first digit that differs, or any that does.
class without_rule final : public routing_function {
 public:
  without_rule(const netlist& wiring, bool adaptive, vc_mask vcs = 3)
      : wiring_(wiring), adaptive_(adaptive), vcs_(vcs) {}

  unsigned route(const route_request& r, route_option* options) const override {
    unsigned count = 0;
    const unsigned x = r.node / 4, y = r.node % 4;
    if (r.destination / 4 != x) options[count++] = {port_to(r.node, (x + 1) % 4 * 4 + y), vcs_, 0};
    if (r.destination % 4 != y && (count == 0 || adaptive_))
      options[count++] = {port_to(r.node, x * 4 + (y + 1) % 4), vcs_, 0};
    if (count == 0) options[count++] = {wiring_.local_port(r.node), vcs_, 0};
    return count;
  }
  unsigned state_bits() const override { return 0; }
  unsigned options_at_most() const override { return 2; }

 private:
  port_id port_to(node_id from, node_id to) const {
    for (port_id p = 0; p < 4; ++p)
      if (wiring_.link(wiring_.ports(from)[p].out).to == to) return p;
    ADD_FAILURE() << from << " has no link to " << to;
    return 0;
  }

  const netlist& wiring_;
  const bool adaptive_;
  const vc_mask vcs_;
};

class random_packets final : public traffic_source {
 public:
  random_packets(unsigned flits, unsigned one_in) : flits_(flits), one_in_(one_in) {}
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    for (node_id n = 0; now < 500 && n < 16; ++n)
      if (mix(now, n, 7) % one_in_ == 0)
        out.push_back({n, static_cast<node_id>(mix(now, n, 8) % 16),
                       1 + static_cast<unsigned>(mix(now, n, 9) % flits_)});
  }

 private:
  const unsigned flits_, one_in_;
};

struct outcome {
  bool idle = false, still = false, reported = false;
};

outcome run(const topology& torus, const network_config& config, bool adaptive, unsigned flits, unsigned one_in) {
  const simulation_context context;
  const simulation_context::entry here(context);
  network net("torus", torus.wiring, std::make_shared<without_rule>(*torus.wiring, adaptive), config);
  random_packets source(flits, one_in);
  net.set_source(&source);
  net.keep_simulating_after_failure();
  net.leave_kernel({1, sc_core::SC_NS});
  const auto moves = [&] {
    std::uint64_t sum = net.counters().flits_injected + net.counters().flits_ejected;
    for (wire_id w = 0; w < torus.wiring->links().size(); ++w) sum += net.flits_sent(w);
    return sum;
  };
  std::uint64_t before = 0;
  for (cycle_t now = 0; now < 2500; ++now) {
    if (now == 2100) before = moves();
    net.step();
  }
  return {net.idle(), moves() == before, net.failure() != nullptr};
}

TEST(frozen_networks, have_a_deadlock_that_is_found) {
  std::map<std::string, unsigned> frozen, emptied;
  for (const unsigned delay : {1u, 4u}) {
    topology_options options;
    options.vcs = 2;
    const topology torus = make_topology("torus:4x4", options);
    set_link_delays(*torus.wiring, {std::to_string(delay)});
    for (const auto stages : {pipeline::single_cycle, pipeline::four_stage, pipeline::paper2009, pipeline::custom})
      for (const auto reallocation : {vc_reallocation::non_atomic, vc_reallocation::atomic})
        for (const unsigned depth : {1u, 2u, 5u})
          for (const unsigned flits : {1u, 4u})
            for (const unsigned one_in : {3u, 12u, 100u})
              for (const bool adaptive : {false, true}) {
                if (stages == pipeline::paper2009 && depth > 1) continue;
                network_config config;
                config.router.pipeline = stages;
                if (stages == pipeline::custom) config.router.custom_stages = {2, 1, 0, 2};
                config.router.vc_reallocation = reallocation;
                config.router.vcs = 2;
                config.router.depth = depth;
                config.watchdog_cycles = 60;
                std::ostringstream name;
                name << to_string(stages) << ' ' << to_string(reallocation);
                const outcome o = run(torus, config, adaptive, flits, one_in);
                frozen[name.str()] += o.still && !o.idle;
                emptied[name.str()] += o.idle;
                name << ", depth " << depth << ", delay " << delay << ", " << flits << " flits, one in " << one_in
                     << (adaptive ? ", adaptive" : "");
                if (o.still && !o.idle) {
                  EXPECT_TRUE(o.reported) << name.str();
                }
                if (o.idle) {
                  EXPECT_FALSE(o.reported) << name.str();
                }
              }
  }
  ASSERT_EQ(frozen.size(), 8u);
  for (const auto& [name, count] : frozen) {
    EXPECT_GE(count, 8u) << name;
    EXPECT_GE(emptied[name], 8u) << name;
  }
}

// Each node of one ring sends a flit to its neighbour, and then a packet to the one behind it, of which the first flits
// fill the buffer: the others wait for the slot of the flit, whose credit is under way, and then for ever.
TEST(frozen_networks, are_not_dead_while_a_credit_is_under_way) {
  const topology torus = make_topology("torus:4x4");
  const auto routing = std::make_shared<without_rule>(*torus.wiring, false, 1);
  set_link_delays(*torus.wiring, {"20"});
  cycle_t last_left = 0;  // a flit, its buffer
  std::set<cycle_t> found;
  for (unsigned patience = 0; patience <= 60; ++patience) {  // 0: nothing is looked for
    const simulation_context context;
    const simulation_context::entry here(context);
    network_config config;
    config.router.vcs = 1;
    config.router.depth = 2;
    config.watchdog_cycles = patience;
    config.on_failure = failure_action::stop;
    network net("torus", torus.wiring, routing, config);
    net.leave_kernel({1, sc_core::SC_NS});
    for (node_id n = 0; n < 4; ++n) {
      net.send({n, (n + 1) % 4, 1});
      net.send({n, (n + 2) % 4, 10});
    }
    std::map<std::pair<node_id, port_id>, std::uint64_t> fronts;
    for (cycle_t cycle = 0; cycle < 500 && !net.failure(); ++cycle) {
      net.step();
      for (node_id n = 0; n < 4; ++n)
        for (port_id p = 0; p < net.wiring().port_count(n); ++p) {
          const std::uint64_t front = net.at(n).core()->front(p, 0).bits;
          const std::uint64_t before = std::exchange(fronts[{n, p}], front);
          if (patience == 0 && before != 0 && front != before) last_left = cycle;
        }
    }
    ASSERT_EQ(net.failure() != nullptr, patience > 0) << patience;
    if (patience == 0) continue;
    EXPECT_EQ(net.failure()->what, network_failure::kind::deadlock);
    EXPECT_GE(net.failure()->cycle, last_left) << patience;
    found.insert(net.failure()->cycle);
  }
  EXPECT_GT(last_left, 40u) << "a credit of 20 cycles, and a flit";
  EXPECT_GE(found.size(), 10u);
}

// A packet of 30 flits from the first to the last node of a row, of which the last link dies meanwhile.
TEST(frozen_networks, are_not_dead_while_a_packet_is_given_up) {
  const topology row = make_topology("mesh:4x1");
  const simulation_context context;
  const simulation_context::entry here(context);
  network_config config;
  for (link_id l = 0; l < row.wiring->links().size(); ++l)
    if (row.wiring->link(l).to == 3) config.dead_links = {{l, 5}};
  wire_table* wires = nullptr;
  network_state* state = nullptr;
  network net("row", row.wiring, row.routing, config, [&](const char*, const node_context& c) {
    wires = &c.wires;
    state = &c.network;
    return std::unique_ptr<node>();
  });
  net.leave_kernel({1, sc_core::SC_NS});
  std::vector<node*> nodes;
  for (node_id n = 0; n < 4; ++n) nodes.push_back(&net.at(n));
  net.send({0, 3, 30});
  unsigned given_up = 0;
  while (net.cycles_done() < 100) {
    net.step();
    const router& last = *net.at(2).core();
    for (port_id p = 0; p < last.port_count(); ++p)
      for (unsigned v = 0; v < last.vc_count(); ++v)
        given_up += last.occupancy(p, v) > 0 && last.is_discarding(p, v);
    EXPECT_FALSE(find_deadlock(*row.wiring, nodes, *wires, *state, net.cycles_done() - 1)) << net.cycles_done();
  }
  EXPECT_EQ(net.counters().flits_discarded, 30u);
  EXPECT_GT(given_up, 10u);
}

}  // namespace
}  // namespace toriscope::frozen_networks_test
