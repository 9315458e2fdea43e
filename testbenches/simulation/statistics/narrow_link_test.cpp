// SPDX-License-Identifier: Apache-2.0
// Narrow links (docs/model.md, "Narrow links") and distant interfaces: the engine against the zero-load model, all
// pairs, one packet at a time; and under load, what a narrow link lets through.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/hash.h"
#include "network/network.h"
#include "testbenches/simulation/statistics/zero_load_model.h"
#include "topologies/registry.h"

namespace toriscope::narrow_link_test {
namespace {

struct narrow_case {
  const char* topology;
  pipeline stages;
  unsigned vcs, depth;
  std::uint32_t flits;
  unsigned longest_delay;  ///< links have D = 1 .. this
  unsigned slowest_link;   ///< and F = 1 .. this
  unsigned credit_delay = 0;
  unsigned injection_delay = 1, ejection_delay = 1;
  bool limited_reception = false;
};

constexpr pipeline one = pipeline::single_cycle, four = pipeline::four_stage, papers = pipeline::paper2009;
const narrow_case cases[] = {
    {"mesh:4x4", one, 2, 8, 16, 1, 4},     {"mesh:4x4", four, 2, 8, 16, 1, 4},
    {"mesh:4x4", papers, 2, 1, 16, 1, 4},  {"torus:4x4", one, 4, 2, 9, 3, 7},
    {"torus:4x4", four, 4, 3, 9, 3, 7},    {"torus:4x4", papers, 4, 1, 9, 3, 7},
    {"torus:4x4", four, 4, 1, 5, 5, 2, 3}, {"torus:4x4", papers, 2, 1, 5, 5, 2, 3},
    {"mesh:1x3", four, 1, 64, 5, 4, 255}, {"mesh:1x3", one, 1, 5, 3, 2, 255},
    // Interfaces that are farther away than routers, and links as wide as a flit.
    {"mesh:3x3", four, 2, 3, 9, 4, 1, 1, 3, 5, true},   {"mesh:3x3", one, 2, 2, 9, 4, 1, 0, 2, 6, true},
    {"torus:3x3", papers, 2, 1, 9, 4, 1, 1, 2, 5, true}, {"torus:3x3", four, 4, 2, 7, 3, 3, 0, 4, 6, true},
    {"torus:3x3", papers, 2, 1, 6, 2, 3, 0, 3, 7, true}, {"mesh:3x3", four, 2, 9, 9, 2, 1, 0, 6, 4},
};

topology make_narrow(const narrow_case& c) {
  topology_options options;
  options.vcs = c.vcs;
  topology made = make_topology(c.topology, options);
  for (link_id l = 0; l < made.wiring->links().size(); ++l) {
    made.wiring->link(l).delay_cycles = static_cast<std::uint16_t>(1 + mix(1, l) % c.longest_delay);
    made.wiring->link(l).flit_cycles = static_cast<std::uint8_t>(1 + mix(2, l) % c.slowest_link);
  }
  return made;
}

network_config config_of(const narrow_case& c) {
  network_config config;
  config.router.pipeline = c.stages;
  config.router.vcs = c.vcs;
  config.router.depth = c.depth;
  config.credit_delay_cycles = c.credit_delay;
  config.injection_delay_cycles = c.injection_delay;
  config.ejection_delay_cycles = c.ejection_delay;
  config.limited_reception = c.limited_reception;
  config.checks = check_level::full;
  return config;
}

/// One packet at a time, between all pairs: its latency is the model's.
class all_pairs : public traffic_source, public packet_sink {
 public:
  all_pairs(const narrow_case& c, const topology& made)
      : model_(made.wiring, made.routing, config_of(c)),
        nodes_(made.wiring->node_count()),
        flits_(c.flits),
        pause_(2 * (c.longest_delay + c.slowest_link + c.credit_delay + c.injection_delay + c.ejection_delay) + 5) {}

  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (under_way_ || now < next_ || done()) return;
    out.push_back({pair_ / nodes_, pair_ % nodes_, flits_});
    ++pair_;
    under_way_ = true;
  }
  void packet_received(packet_id, const packet_record& record, cycle_t received) override {
    under_way_ = false;
    next_ = received + pause_;
    if (received - record.created != model_.latency(record.source, record.destination, record.flits))
      wrong.push_back(record.source * nodes_ + record.destination);
  }
  bool done() const { return pair_ == nodes_ * nodes_ && !under_way_; }

  std::vector<unsigned> wrong;  ///< pairs

 private:
  const zero_load_model model_;
  const node_id nodes_;
  const std::uint32_t flits_;
  const cycle_t pause_;
  node_id pair_ = 0;
  bool under_way_ = false;
  cycle_t next_ = 0;
};

/// More packets from node 0 to node 1 than a link takes.
class stream : public traffic_source {
 public:
  void packets_at(cycle_t now, std::vector<packet_request>& out) override {
    if (now % 10 == 0) out.push_back({0, 1, 10});
  }
};

struct bench {
  topology made;
  network net;
  bench(const char* name, const narrow_case& c, topology t)
      : made(std::move(t)), net(name, made.wiring, made.routing, config_of(c)) {
    net.keep_simulating_after_failure();
  }
};

TEST(narrow_links, are_as_the_model_says_and_as_fast_as_they_are_wide) {
  sc_core::sc_clock clock("clk", 1, sc_core::SC_NS);
  std::vector<std::unique_ptr<bench>> benches;
  std::vector<std::unique_ptr<all_pairs>> pairs;
  for (const narrow_case& c : cases) {
    benches.push_back(
        std::make_unique<bench>(("net" + std::to_string(benches.size())).c_str(), c, make_narrow(c)));
    pairs.push_back(std::make_unique<all_pairs>(c, benches.back()->made));
    benches.back()->net.clk(clock);
    benches.back()->net.set_source(pairs.back().get());
    benches.back()->net.add_sink(pairs.back().get());
  }
  // Buffers deep enough for the longer way: a link of F = 5 passes a flit in five cycles, no more, no less.
  const narrow_case saturated{"mesh:1x2", four, 2, 16, 10, 3, 5};
  topology made = make_narrow(saturated);
  const link_id crossed = made.wiring->ports(0)[0].out;
  made.wiring->link(crossed).flit_cycles = 5;
  bench stuffed("stuffed", saturated, std::move(made));
  stream source;
  stuffed.net.clk(clock);
  stuffed.net.set_source(&source);
  const sc_core::sc_time some(1000, sc_core::SC_NS);
  sc_core::sc_start(some);
  const std::uint64_t before = stuffed.net.flits_sent(crossed);
  sc_core::sc_start(some);
  EXPECT_EQ(stuffed.net.flits_sent(crossed) - before, 200u);
  for (int looks = 0; looks < 400; ++looks) {
    bool done = true;
    for (const auto& p : pairs) done &= p->done();
    if (done) break;
    sc_core::sc_start(some);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_TRUE(pairs[i]->done()) << i;
    EXPECT_EQ(pairs[i]->wrong, std::vector<unsigned>{}) << i;
    if (benches[i]->net.failure()) ADD_FAILURE() << i << ' ' << benches[i]->net.failure()->message;
    EXPECT_EQ(benches[i]->net.check_conservation(), "") << i;
  }
}

}  // namespace
}  // namespace toriscope::narrow_link_test
