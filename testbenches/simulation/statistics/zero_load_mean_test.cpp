// SPDX-License-Identifier: Apache-2.0
// The exact mean against sums written out here, and against every pair sent as a lone packet through the engine.
#include "testbenches/simulation/statistics/zero_load_mean.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <systemc>

#include "network/network.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "topologies/path.h"
#include "topologies/registry.h"

namespace toriscope::zero_load_mean_test {
namespace {

struct mean_case {
  const char* topology;
  const char* traffic;
  pipeline stages = pipeline::four_stage;
  unsigned depth = 8;
  unsigned link_delay = 1;  ///< links have D = 1 .. this
  bool self = false;
  const char* routing = "";
};

struct made_case {
  topology network;
  network_config config;
  std::unique_ptr<traffic_pattern> pattern;
};

made_case make(const mean_case& c) {
  made_case made;
  topology_options options;
  options.vcs = 4;
  options.routing = c.routing;
  made.network = make_topology(c.topology, options);
  for (link_id l = 0; l < made.network.wiring->links().size(); ++l)
    made.network.wiring->link(l).delay_cycles = static_cast<std::uint16_t>(1 + l % c.link_delay);
  made.config.router.pipeline = c.stages;
  made.config.router.depth = c.depth;
  pattern_options how;
  how.include_self = c.self;
  made.pattern = make_pattern(c.traffic, made.network.wiring, how);
  return made;
}

zero_load_mean mean_of(const made_case& made, const length_shares& lengths) {
  const zero_load_model model(made.network.wiring, made.network.routing, made.config);
  return mean_zero_load(
      model, *made.network.wiring, *made.network.routing, made.config.router.vcs,
      [&](node_id source) { return made.pattern->weights(source); }, lengths);
}

/// Every pair in turn; the next packet is created when the one before has arrived and its credits are back.
class every_pair : public traffic_source, public packet_sink {
 public:
  every_pair(node_id nodes, std::uint32_t flits) : nodes_(nodes), flits_(flits), latencies(nodes * nodes) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (under_way_ || now < next_ || pair_ == latencies.size()) return;
    out.push_back({static_cast<node_id>(pair_ / nodes_), static_cast<node_id>(pair_ % nodes_), flits_});
    under_way_ = true;
  }
  void packet_received(packet_id, const packet_record& record, cycle_t received) override {
    latencies[pair_++] = received - record.created;
    under_way_ = false;
    next_ = received + 20;
  }
  bool done() const { return pair_ == latencies.size(); }

 private:
  node_id nodes_;
  std::uint32_t flits_;
  bool under_way_ = false;
  cycle_t next_ = 0;
  std::size_t pair_ = 0;

 public:
  std::vector<std::uint64_t> latencies;
};

double share_of(const destination_weights& row, node_id source, node_id destination) {
  double share = source == destination ? row.own : row.every_other;
  for (const auto& [node, weight] : row.points)
    if (node == destination) share += weight;
  return share;
}

double simulated_mean(const made_case& made, std::uint32_t flits) {
  // SystemC objects live as long as the process: names are taken once.
  static int runs = 0;
  const std::string name = "n" + std::to_string(runs++);
  const node_id nodes = made.network.wiring->node_count();
  auto* clock = new sc_core::sc_clock((name + "_clk").c_str(), sc_core::sc_time(1, sc_core::SC_NS));
  auto* engine = new network(name.c_str(), made.network.wiring, made.network.routing, made.config);
  auto* pairs = new every_pair(nodes, flits);
  engine->clk(*clock);
  engine->set_source(pairs);
  engine->add_sink(pairs);
  for (int looks = 0; looks < 1000 && !pairs->done(); ++looks)
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  EXPECT_TRUE(pairs->done());
  double sum = 0;
  for (node_id source = 0; source < nodes; ++source)
    for (node_id destination = 0; destination < nodes; ++destination)
      sum += share_of(made.pattern->weights(source), source, destination) *
             static_cast<double>(pairs->latencies[source * nodes + destination]);
  return sum / nodes;
}

TEST(zero_load_mean, is_the_mean_of_all_pairs_sent_one_by_one) {
  // Elaboration ends with the first cycle: all networks are made in processes of their own.
  const mean_case cases[] = {{"torus:3x3", "uniform"},
                             {"torus:3x3", "uniform", pipeline::four_stage, 8, 3},
                             {"torus:4x3", "uniform", pipeline::four_stage, 2, 1, true},
                             {"mesh:3x3", "transpose", pipeline::paper2009, 1},
                             {"hypercube:3", "complement", pipeline::single_cycle, 4, 3},
                             {"mesh:2x5", "hotspot", pipeline::four_stage, 8, 4}};
  for (const mean_case& c : cases)
    EXPECT_EXIT(
        {
          const made_case made = make(c);
          const double exact = mean_of(made, {{7, 1}}).latency;
          const double simulated = simulated_mean(made, 7);
          if (std::abs(exact - simulated) > 1e-9) std::fprintf(stderr, "%.9f %.9f", exact, simulated);
          std::_Exit(std::abs(exact - simulated) > 1e-9 ? 1 : 0);
        },
        testing::ExitedWithCode(0), "")
        << c.topology << ' ' << c.traffic;
}

TEST(zero_load_mean, by_hand) {
  // A ring of 4, others only: distances 1, 2, 1. four_stage, 16 flits: 4 h + 20.
  const made_case ring = make({"torus:4", "uniform"});
  EXPECT_DOUBLE_EQ(mean_of(ring, {{16, 1}}).hops, 4.0 / 3);
  EXPECT_DOUBLE_EQ(mean_of(ring, {{16, 1}}).latency, 4 * 4.0 / 3 + 20);
  EXPECT_DOUBLE_EQ(mean_of(ring, {{16, .25}, {4, .75}}).latency, 4 * 4.0 / 3 + 5 + .25 * 15 + .75 * 3);
  // Itself as well: distances 0, 1, 2, 1.
  EXPECT_DOUBLE_EQ(mean_of(make({"torus:4", "uniform", pipeline::four_stage, 8, 1, true}), {{16, 1}}).hops,
                   1);
}

/// Four stages: 3 cycles in each router, D on each link, 2 at the ports and one for each flit behind the head.
TEST(zero_load_mean, of_drawn_ways_is_that_of_all_walked_one_by_one) {
  for (const char* const traffic : {"uniform", "complement"})
    for (const unsigned most_delay : {1u, 3u}) {
      const made_case ring = make({"torus:4", traffic, pipeline::four_stage, 16, most_delay, false, "valiant"});
      const netlist& net = *ring.network.wiring;
      double hops = 0, latency = 0;
      for (node_id source = 0; source < 4; ++source)
        for (node_id destination = 0; destination < 4; ++destination)
          for (route_state drawn = 0; drawn < 4; ++drawn) {
            const std::vector<hop> way = walk(net, *ring.network.routing, source, destination, 4, drawn);
            const double share = share_of(ring.pattern->weights(source), source, destination) / (4 * 4);
            double cycles = 3 * (static_cast<double>(way.size()) + 1) + 2 + 15;
            for (const hop& h : way) cycles += net.link(h.link).delay_cycles;
            hops += share * static_cast<double>(way.size());
            latency += share * cycles;
          }
      EXPECT_NEAR(mean_of(ring, {{16, 1}}).hops, hops, 1e-12) << traffic << most_delay;
      EXPECT_NEAR(mean_of(ring, {{16, 1}}).latency, latency, 1e-12) << traffic << most_delay;
    }
}

TEST(zero_load_mean, of_nodes_that_send_to_themselves_alone_is_that_of_no_link) {
  const made_case ring = make({"torus:4", "uniform"});
  const zero_load_model model(ring.network.wiring, ring.network.routing, ring.config);
  const zero_load_mean mean = mean_zero_load(
      model, *ring.network.wiring, *ring.network.routing, ring.config.router.vcs,
      [](node_id) { return destination_weights{0, 1, {}}; }, {{16, 1}});
  EXPECT_EQ(mean.hops, 0);
  EXPECT_EQ(mean.latency, 20) << "4 h + 20";
}

TEST(zero_load_mean, of_a_hierarchical_network_is_that_of_its_distances) {
  // docs/analysis.md: TTN(2,2,0), routed, 7.4375 links over all pairs; paper2009: 2 h + 33.
  const made_case ttn = make({"ttn:2,2,0", "uniform", pipeline::paper2009, 1});
  const zero_load_mean mean = mean_of(ttn, {{16, 1}});
  EXPECT_NEAR(mean.hops, 7.4375 * 256 / 255, 1e-12);
  EXPECT_NEAR(mean.latency, 2 * 7.4375 * 256 / 255 + 33, 1e-12);
}

TEST(zero_load_mean, of_two_nodes_that_send_to_each_other_is_that_of_one_link) {
  const made_case pair = make({"mesh:1x2", "uniform"});
  EXPECT_EQ(mean_of(pair, {{16, 1}}).hops, 1);
  EXPECT_EQ(mean_of(pair, {{16, 1}}).latency, 24) << "4 h + 20";
}

}  // namespace
}  // namespace toriscope::zero_load_mean_test
