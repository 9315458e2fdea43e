// SPDX-License-Identifier: Apache-2.0
// The first lines of a run: what is simulated.
#include <fmt/format.h>

#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/configuration/stage_text.h"
#include "testbenches/simulation/simulation.h"
#include "topologies/vc_rule_names.h"

namespace toriscope {
namespace {

/// The policies that are not the default ones: " rc=1,va=1,sa=1,st=2, VA islip, look-ahead".
std::string policies(const router_config& r) {
  const router_config usual;
  std::string text;
  if (r.pipeline == pipeline::staged) text += " " + stage_text(r.custom_stages);
  if (r.regrant == regrant::drained) text += ", atomic VC reallocation";
  if (r.va_allocator != usual.va_allocator) text += fmt::format(", VA {}", to_string(r.va_allocator));
  if (r.sa_allocator != usual.sa_allocator) text += fmt::format(", SA {}", to_string(r.sa_allocator));
  if (r.islip_iterations != usual.islip_iterations)
    text += fmt::format(", {} iterations", r.islip_iterations);
  if (r.arbiter != usual.arbiter) text += fmt::format(", {} arbiters", to_string(r.arbiter));
  if (r.lookahead) text += ", look-ahead";
  if (r.speculative) text += ", speculative";
  if (r.adaptive_delay_cycles > 0) text += fmt::format(", adaptive heads +{}", r.adaptive_delay_cycles);
  return text;
}

}  // namespace

std::string simulation::headline() const {
  const topology_config& t = config_.topology;
  const router_config& r = config_.network.router;
  const traffic_config& traffic = config_.traffic;
  std::string text =
      fmt::format("{}: {} nodes, {} links", t.spec, wiring_->node_count(), wiring_->links().size());
  if (wiring_->hierarchy().size() > 1) text += " (" + parameter_at("topology.links").shown(config_) + ")";
  if (!t.ties.empty()) text += ", tie break " + t.ties;
  if (!t.gates.empty()) text += ", gateways " + t.gates;
  text += fmt::format(", routing {}, VC rule {}, {} x {} flits, {}{}\n", t.routing, vc_rule_title(t.vc_rule),
                      r.vcs, r.depth, parameter_at("router.pipeline").shown(config_), policies(r));
  if (traffic.mode == traffic_mode::batch)
    return text +
           fmt::format("batch: {} packets of {} flits from each node, {} traffic, seed {}\n",
                       traffic.batch_packets, traffic.packet_flits, traffic.pattern, traffic.seed) +
           self_traffic_line();
  if (traffic.mode == traffic_mode::request_reply)
    text += fmt::format("request-reply ({}), {} outstanding, service {} cycles, replies of {} flits\n",
                        config_.network.shared_classes ? "shared VCs" : "disjoint VC sets",
                        traffic.outstanding, traffic.service_cycles, traffic.reply_flits);
  text += traffic.file.empty()
              ? fmt::format("{} traffic, {} flits/node/cycle, packets of {} flits, {}, seed {}",
                            traffic.pattern, traffic.rate_flits_per_node_cycle, traffic.packet_flits,
                            traffic.arrivals, traffic.seed)
              : "packets from " + traffic.file;
  if (dependent_)
    return text + fmt::format(
                      ", when those that they depend on have been received; else {} of a source under "
                      "way\n",
                      traffic.outstanding);
  const measurement_config& m = config_.measurement;
  text += m.precision > 0 ? fmt::format("; to {:.3g} % of the mean latency, at most {} cycles\n", 100 * m.precision,
                                        m.max_cycles)
                          : fmt::format("; {} + {} cycles\n", m.warmup_cycles, m.measure_cycles);
  return text + self_traffic_line();
}

std::string simulation::self_traffic_line() const {
  if (!pattern_ || wiring_->node_count() == 1) return "";
  const self_traffic own = self_traffic_of(*pattern_, wiring_->node_count());
  const std::string share = fmt::format("{:.3g} % of the packets use no link", 100 * own.share);
  if (own.nodes > 0)
    return fmt::format("{} of {} nodes send only to themselves: {}\n", own.nodes, wiring_->node_count(),
                       share);
  return own.share > 0.1 ? "packets to the own node: " + share + "\n" : "";
}

}  // namespace toriscope
