// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/configuration/configured_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbenches/simulation/configuration/link_options.h"
#include "topologies/link_models/delay_model.h"
#include "topologies/link_models/link_width.h"
#include "topologies/proof/deadlock_proof.h"

namespace toriscope {

explicit_parameters resolve_defaults(run_config& config, const std::vector<std::string>& given) {
  const auto is_given = [&](const char* path) {
    return std::find(given.begin(), given.end(), path) != given.end();
  };
  // The papers' router has no other depth than 1: it need not be asked for.
  router_config& router = config.network.router;
  if (router.pipeline == pipeline::paper2009 && !is_given("router.depth_flits")) router.depth = 1;
  if (config.stages_named && !is_given("router.pipeline")) router.pipeline = pipeline::staged;
  return {is_given("measurement.warmup_cycles"),
          is_given("measurement.measure_cycles"),
          is_given("router.regrant"),
          is_given("traffic.pattern"),
          is_given("topology.spec"),
          is_given("topology.routing")};
}

topology make_configured_network(run_config& config, const explicit_parameters& given) {
  config.complete();
  const std::vector<std::string> errors = config.validate();
  if (!errors.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(errors, "; ")));

  topology_config& t = config.topology;
  topology made = make_topology(t.spec, config.routing_options());
  if (!made.routing)
    throw std::invalid_argument(
        "topology '" + t.spec +
        "' has no routing algorithm and cannot be simulated; toriscope analyze takes it");
  set_link_delays(*made.wiring, t.link_delay_cycles);
  set_link_widths(*made.wiring, t.flit_bits, t.link_width_bits);
  for (const std::string& text : t.link_overrides) apply_link_override(text, *made.wiring, t.flit_bits);
  for (const std::string& text : t.dead_links)
    config.network.dead_links.push_back(parse_dead_link(text, *made.wiring));
  t.spec = made.spec;
  t.links = made.links;
  t.ties = made.ties;
  t.gates = made.gates;
  t.routing = made.routing_name;
  t.vc_rule = made.vc_rule;
  // A head behind another packet's tail cannot turn to its escape (escape_proof.h).
  router_config& router = config.network.router;
  if (!given.regrant && has_escape(*made.routing, router.vcs)) router.regrant = regrant::drained;
  return made;
}

}  // namespace toriscope
