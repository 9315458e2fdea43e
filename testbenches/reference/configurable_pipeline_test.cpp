// SPDX-License-Identifier: Apache-2.0
// The configurable pipeline (router/pipelines/configurable.h) does what the plain pipelines do: three networks side by
// side, one with a plain pipeline, one in which the configurable pipeline stands in for it, and one with its stage
// counts. That the plain ones are right is told by equality_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <systemc>
#include <vector>

#include "base/hash.h"
#include "network/network.h"
#include "testbenches/reference/adaptive_mesh.h"
#include "testbenches/reference/child_process.h"
#include "testbenches/reference/equality_config.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/traffic/synthetic_source.h"
#include "topologies/registry.h"

namespace toriscope::reference::configurable_pipeline_test {
namespace {

constexpr unsigned cycles = 3000;

/// A network with a traffic source of its own.
struct bench {
  bench(const std::string& name, const equality_config& config, const router_config& router) {
    topology_options options;
    options.links = config.links;
    options.ties = config.ties;
    options.vcs = router.vcs;
    const bool adaptive = config.vc_rule == "adaptive";
    if (!adaptive) options.vc_rule = config.vc_rule;
    const topology made = make_topology(config.topology, options);
    for (link_id l = 0; l < made.wiring->links().size(); ++l)
      made.wiring->link(l).delay_cycles =
          static_cast<std::uint16_t>(1 + mix(config.seed, l, 77) % config.max_link_delay);
    synthetic_source::config traffic;
    traffic.rate_flits_per_node_cycle = config.rate;
    traffic.lengths = packet_lengths(config.lengths);
    traffic.seed = config.seed;
    source = std::make_unique<synthetic_source>(made.wiring->node_count(),
                                                make_pattern("uniform", made.wiring, {}), traffic);
    network_config settings = config.network;
    settings.router = router;
    settings.wire_hash = true;
    net = std::make_unique<network>(name.c_str(), made.wiring,
                                    adaptive ? make_adaptive_mesh(made.wiring, router.vcs) : made.routing,
                                    settings);
    net->set_source(source.get());
  }
  std::string outcome() const {
    return fmt::format("packets {} {:#018x} wires {:#018x}", net->counters().packets_received,
                       net->packet_hash(), net->wire_hash());
  }
  std::unique_ptr<synthetic_source> source;
  std::unique_ptr<network> net;
};

/// Nothing when all do the same; else what each did.
std::string run(const equality_config& config) {
  sc_core::sc_clock& clock = keep(std::make_unique<sc_core::sc_clock>("clock", 10, sc_core::SC_NS));
  std::vector<router_config> routers(3, config.network.router);
  routers[1].configurable_pipeline = true;
  routers[2].custom_stages = routers[0].counts();
  routers[2].pipeline = pipeline::custom;
  std::vector<bench*> benches;
  for (const router_config& router : routers) {
    benches.push_back(&keep(std::make_unique<bench>("net" + std::to_string(benches.size()), config, router)));
    benches.back()->net->clk(clock);
  }
  sc_core::sc_start(cycles * clock.period());
  std::string text;
  bool same = benches[0]->net->counters().packets_received > 100;
  for (const bench* b : benches) {
    same = same && b->outcome() == benches[0]->outcome();
    text += b->outcome() + "; " + b->net->check_conservation();
    if (b->net->failure()) text += b->net->failure()->message;
    same = same && !b->net->failure() && b->net->check_conservation().empty();
  }
  return same ? "" : text;
}

equality_config config_of(const char* topology, unsigned vcs, unsigned depth, unsigned longest_delay,
                          double rate, const char* lengths) {
  equality_config c;
  c.topology = topology;
  c.network.router.vcs = vcs;
  c.network.router.depth = depth;
  c.max_link_delay = longest_delay;
  c.rate = rate;
  c.lengths = lengths;
  return c;
}

TEST(configurable_pipeline, does_what_the_plain_pipelines_do) {
  std::vector<equality_config> list = {
      config_of("torus:4x4", 4, 8, 1, 0.3, "16"),       config_of("torus:4x4", 4, 4, 7, 1.0, "1:1,5:1"),
      config_of("mesh:5x3", 1, 1, 1, 1.0, "4"),         config_of("ucube:5,1", 2, 2, 7, 1.0, "4"),
      config_of("torus:5x5", 16, 3, 3, 0.8, "1:1,9:1"), config_of("cube:2,4", 3, 64, 2, 1.0, "1"),
  };
  list.push_back(config_of("mesh:4x4", 5, 4, 3, 0.9, "3"));
  list.back().vc_rule = "adaptive";
  list.push_back(list.back());
  list.back().network.credit_delay_cycles = 4;
  list.back().network.checks = check_level::full;
  for (equality_config config : list)
    for (const pipeline plain : {pipeline::single_cycle, pipeline::four_stage})
      for (const vc_reallocation when : {vc_reallocation::non_atomic, vc_reallocation::atomic}) {
        config.network.router.pipeline = plain;
        config.network.router.vc_reallocation = when;
        EXPECT_EQ(run_in_child([&] { return run(config); }), "") << describe(config);
      }
}

}  // namespace
}  // namespace toriscope::reference::configurable_pipeline_test
