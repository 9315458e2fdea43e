// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/configuration/resolved_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbenches/simulation/configuration/link_options.h"
#include "topologies/analysis/folded_layout.h"
#include "topologies/analysis/link_budget.h"
#include "topologies/link_models/link_delay.h"
#include "topologies/link_models/link_width.h"
#include "topologies/proof/deadlock_proof.h"

namespace toriscope {
namespace {

/// Two message classes for requests and replies, and with a reply queue limited reception; this also for those of a
/// file in their cycles.
void add_classes(network_config& network, const traffic_config& traffic) {
  const bool replayed =
      !traffic.file.empty() && traffic.file_timing == file_timing::as_timed && network.message_classes == 2;
  if (traffic.mode != traffic_mode::request_reply && !replayed) return;
  if (network.message_classes == 1) network.message_classes = 2;
  if (traffic.reply_queue > 0) network.limited_reception = true;
}

}  // namespace

explicit_parameters explicit_among(const std::vector<std::string>& paths) {
  const auto is_given = [&](const char* path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  };
  explicit_parameters given;
  given.warmup = is_given("measurement.warmup_cycles");
  given.cycles = is_given("measurement.measure_cycles");
  given.pipeline = is_given("router.pipeline");
  given.depth = is_given("router.depth_flits");
  given.vc_reallocation = is_given("router.regrant");
  given.traffic = is_given("traffic.pattern");
  given.topology = is_given("topology.spec");
  given.routing = is_given("topology.routing");
  return given;
}

run_config with_router_defaults(run_config config, const explicit_parameters& given) {
  router_config& router = config.network.router;
  // The papers' router has no other depth than 1: it need not be asked for.
  if (router.pipeline == pipeline::paper2009 && !given.depth) router.depth = 1;
  if (config.stages_named && !given.pipeline) router.pipeline = pipeline::custom;
  return config;
}

resolved_run resolve(const run_config& config, const explicit_parameters& given, std::size_t node_limit) {
  resolved_run run{config, {}};
  topology_config& t = run.config.topology;
  network_config& network = run.config.network;
  add_classes(network, run.config.traffic);
  const std::vector<std::string> errors = run.config.validate();
  if (!errors.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(errors, "; ")));

  topology_options options = run.config.routing_options();
  options.node_limit = node_limit;
  run.network = make_routed_topology(options, "and cannot be simulated");
  netlist& wiring = *run.network.wiring;
  if (t.layout == "folded") fold_layout(wiring);
  set_link_delays(wiring, t.link_delay_cycles, t.pitch_mm);
  if (t.equal.empty())
    set_link_widths(wiring, t.flit_bits, t.link_width_bits);
  else
    set_link_widths(wiring, t.equal, t.flit_bits);
  for (const std::string& text : t.link_overrides) apply_link_override(text, wiring, t.flit_bits);
  for (const std::string& text : t.dead_links) network.dead_links.push_back(parse_dead_link(text, wiring));
  static_cast<network_choice&>(t) = run.network.choice;
  // A head behind another packet's tail cannot turn to its escape (escape_proof.h).
  if (!given.vc_reallocation && has_escape(*run.network.routing, network.router.vcs))
    network.router.vc_reallocation = vc_reallocation::atomic;
  return run;
}

}  // namespace toriscope
