// SPDX-License-Identifier: Apache-2.0
// Every routing of every network, saturated: engine and reference model have the same packet and wire hash.
// In the short tier one network for each routing, links and gates, over 600 cycles (2,000 in those of up to
// 64 nodes); with TORISCOPE_LONG=1 in the environment all of the list, over 3,000.
#include <set>
#include <tuple>

#include "testbenches/reference/every_routing/routed_networks.h"
#include "testbenches/reference/side_by_side.h"
#include "testbenches/reference/tier.h"
#include "topologies/proof/deadlock_proof.h"

namespace toriscope::every_routing_equality_test {
namespace {

/// Traffic fills a network of any size within some hundred cycles; large ones have more to show in each.
cycle_t cycles_for(node_id nodes) { return is_long_tier() ? 3000 : nodes <= 64 ? 1200 : 300; }

class every_routing : public testing::TestWithParam<routed_network> {};

TEST_P(every_routing, equals_the_reference_model) {
  const topology_options& o = GetParam().options;
  reference::equality_config config;
  config.topology = GetParam().spec;
  config.links = o.links;
  config.ties = o.ties;
  config.gates = o.gates;
  config.routing = o.routing;
  config.vc_rule = o.vc_rule;
  config.network.router.vcs = o.vcs;
  config.network.router.depth = 4;
  const topology made = make_topology(GetParam().spec, o);
  if (has_escape(*made.routing, o.vcs)) config.network.router.vc_reallocation = vc_reallocation::atomic;
  config.rate = 0.3;
  config.saturated = true;
  config.packets = 1;
  config.least_cycles = cycles_for(made.wiring->terminal_count());
  EXPECT_EQ(reference::compare_in_child(config), "") << "  in: " << reference::describe(config);
}

std::vector<routed_network> networks_of_this_tier() {
  if (is_long_tier()) return routed_networks();
  std::vector<routed_network> list;
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  for (const routed_network& n : routed_networks())
    if (seen.emplace(n.spec.substr(0, n.spec.find(':')), n.options.routing, n.options.links, n.options.gates)
            .second)
      list.push_back(n);
  return list;
}

INSTANTIATE_TEST_SUITE_P(all, every_routing, testing::ValuesIn(networks_of_this_tier()), name_of_test);

}  // namespace
}  // namespace toriscope::every_routing_equality_test
