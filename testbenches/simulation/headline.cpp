// SPDX-License-Identifier: Apache-2.0
// The first lines of a run: what is simulated.
#include <fmt/format.h>

#include "base/words.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/configuration/stage_text.h"
#include "testbenches/simulation/simulation.h"
#include "topologies/analysis/link_budget.h"
#include "topologies/vc_rule_names.h"

namespace toriscope {
namespace {

/// The policies that are not the default ones: " rc=1,va=1,sa=1,st=2, VA islip, look-ahead".
std::string policies(const router_config& r) {
  const router_config usual;
  std::string text;
  if (r.pipeline == pipeline::custom) text += " " + stage_text(r.custom_stages);
  if (r.vc_reallocation == vc_reallocation::atomic) text += ", atomic VC reallocation";
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
  const topology_config& t = config().topology;
  const router_config& r = config().network.router;
  std::string text = fmt::format(
      "{}: {} nodes, {}{} links", one_line(t.spec), wiring().node_count(),
      wiring().has_plain_terminals() ? "" : fmt::format("{} terminals, ", wiring().terminal_count()),
      wiring().links().size());
  if (wiring().hierarchy().size() > 1) text += " (" + links_name(t.links) + ")";
  if (!t.ties.empty()) text += ", tie break " + t.ties;
  if (!t.gates.empty()) text += ", gateways " + t.gates;
  text += fmt::format(", routing {}, VC rule {}, {} x {} flits, {}{}\n", t.routing, vc_rule_title(t.vc_rule), r.vcs,
                      r.depth, parameter_at("router.pipeline").shown(config()), policies(r));
  if (!t.equal.empty()) {
    const budgeted_width w = width_within(wiring(), parse_link_budget(t.equal), t.flit_bits);
    text += fmt::format("links of {} bits, {} cycle{} for a flit of {}: {}, {}\n", w.bits, w.flit_cycles,
                        w.flit_cycles == 1 ? "" : "s", t.flit_bits, t.equal, w.words);
  }
  text += workload_->headline();
  if (!resumed_path_.empty())
    text += fmt::format("goes on after cycle {}, from {}\n", resumed_.cycle, one_line(resumed_path_));
  return text;
}

}  // namespace toriscope
