// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/configuration/parameter_effects.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/words.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

using reason = std::string;
using kinds = std::vector<std::string>;
const reason has_effect;

bool is_kind(const run_config& c, const kinds& some) {
  return std::find(some.begin(), some.end(), c.topology.spec.substr(0, c.topology.spec.find(':'))) !=
         some.end();
}

// --- topology ---

/// Only some networks have links between modules of either kind; the others have what they have.
reason links(const run_config& c) {
  if (is_kind(c, {"ttn", "tesh", "sttn"})) return has_effect;
  try {
    const std::string all = make_topology(c.routing_options()).choice.links;
    if (c.topology.links == all) return has_effect;
    return "with --topology " + c.topology.spec + ", whose links are " + (all == "U" ? "one_way" : "duplex") +
           "; leave it out";
  } catch (const std::invalid_argument&) {
    return has_effect;  // reported when the network is made
  }
}

/// Of a torus or a cube: whether a ring has two ways of the same length. Rings of two nodes have one link.
bool has_even_ring(const std::string& spec) {
  const std::string arguments = spec.substr(spec.find(':') + 1);
  // Behind a comma are terminals, or dimensions.
  std::istringstream radices(arguments.substr(0, arguments.find(',')));
  for (unsigned radix = 0; radices >> radix; radices.ignore()) {
    if (radix > 2 && radix % 2 == 0) return true;
  }
  return false;
}

/// Rings of two-way links; a torus of odd rings has the ties that it would have without a choice.
reason ties(const run_config& c) {
  if (c.topology.ties.empty() || is_kind(c, {"ttn", "sttn", "htn", "mh3dt", "h3dt"})) return has_effect;
  if (is_kind(c, {"chiplets"})) {  // the dies' choice
    run_config die = c;
    die.topology.spec = networks_in(c.topology.spec).back();
    return ties(die);
  }
  if (is_kind(c, {"torus", "ring", "ctorus", "cube"})) {
    topology_options options = c.routing_options();
    options.ties.clear();
    if (has_even_ring(c.topology.spec)) return has_effect;
    try {
      if (c.topology.ties == make_topology(options).choice.ties) return has_effect;
    } catch (const std::invalid_argument&) {
      return has_effect;  // reported when the network is made
    }
  }
  return "with --topology " + c.topology.spec +
         ", which leaves it no choice between two ways round a ring; leave it out";
}

reason gates(const run_config& c) {
  for (const topology_kind& kind : topology_kinds())
    if (kind.gates.empty() && !c.topology.gates.empty() && is_kind(c, {kind.name}))
      return "with --topology " + c.topology.spec + ", which has no choice of gates; leave it out";
  return has_effect;
}

reason flit_bits(const run_config& c) {
  const std::vector<std::string>& links = c.topology.link_overrides;
  const bool narrow = !c.topology.link_width_bits.empty() || !c.topology.equal.empty() ||
                      is_kind(c, {"file", "chiplets"}) ||
                      std::any_of(links.begin(), links.end(),
                                  [](const std::string& l) { return l.find("width=") != std::string::npos; });
  return narrow || !c.traffic.file.empty() || !c.traffic.flows.empty() || c.measurement.clock_ghz > 0
             ? has_effect
             : "without narrow links; add --link-width or --equal, or leave it out";
}

// --- router ---

reason at_transaction_level(const run_config& c) {
  return c.fidelity == fidelity::transaction
             ? "with --fidelity transaction; use --fidelity cycle or leave it out"
             : has_effect;
}

reason lookahead(const run_config& c) {
  const router_config& r = c.network.router;
  if (!r.lookahead || r.counts().rc > 0 || r.adaptive_delay_cycles > 0) return has_effect;
  if (is_kind(c, {"file", "chiplets"})) return has_effect;  // nodes may have pipelines of their own
  return std::string("with --pipeline ") + to_string(r.pipeline) +
         ", whose RC takes no cycle; use --pipeline four_stage or leave it out";
}

reason adaptive_delay(const run_config& c) {
  if (c.network.router.adaptive_delay_cycles == 0 || c.network.router.pipeline == pipeline::paper2009)
    return has_effect;
  if (reason coarse = at_transaction_level(c); !coarse.empty()) return coarse;
  try {
    const topology made = make_topology(c.routing_options());
    if (made.routing && made.routing->options_at_most() == 1)
      return "with --routing " + made.choice.routing +
             ", which gives a head one route option; use an adaptive --routing or leave it out";
  } catch (const std::invalid_argument&) {
    // Told when the network is made.
  }
  return has_effect;
}

// --- network ---

reason message_classes(const run_config& c) {
  if (c.traffic.mode != traffic_mode::request_reply || c.network.message_classes != 1) return has_effect;
  return "with --traffic-mode request_reply, which has two, requests and replies; leave it out";
}

reason shared_classes(const run_config& c) {
  const unsigned classes = c.traffic.mode == traffic_mode::request_reply ? 2 : c.network.message_classes;
  return classes > 1 || !c.network.shared_classes
             ? has_effect
             : "with one message class; use --message-classes 2 or leave it out";
}

// --- traffic ---

bool has_file(const run_config& c) { return !c.traffic.file.empty(); }
bool has_flows(const run_config& c) { return !c.traffic.flows.empty(); }
bool by_dependencies(const run_config& c) {
  return has_file(c) && c.traffic.file_timing == file_timing::dependencies;
}
std::string with_pattern(const run_config& c) { return "with --traffic " + c.traffic.pattern; }

reason mode_is(const run_config& c, const char* mode) {
  return c.traffic.mode == mode
             ? has_effect
             : std::string("without --traffic-mode ") + mode + "; add that or leave it out";
}

reason drawn(const run_config& c) {
  return has_file(c) ? "with --traffic-file, which names every packet; leave it out" : has_effect;
}

/// Whom packets go to, and how many there are.
reason unless_flows(const run_config& c, reason otherwise) {
  return has_flows(c) ? "with --flows, whose file names it for each flow; leave it out"
                      : std::move(otherwise);
}

reason timed(const run_config& c) {
  if (c.traffic.mode == traffic_mode::batch)
    return "with --traffic-mode batch, where all packets are ready in cycle 0; leave it out";
  return drawn(c);
}

reason burst(const run_config& c) {
  if (reason other = timed(c); !other.empty()) return other;
  return c.traffic.arrivals == "on_off" || has_flows(c)
             ? has_effect
             : "with --arrivals " + c.traffic.arrivals + "; use --arrivals on_off or leave it out";
}

reason of_pattern(const run_config& c, const char* pattern) {
  if (reason other = unless_flows(c, drawn(c)); !other.empty()) return other;
  return c.traffic.pattern == pattern ? has_effect
                                      : with_pattern(c) + "; use --traffic " + pattern + " or leave it out";
}

reason include_self(const run_config& c) {
  if (!c.traffic.include_self) return has_effect;
  if (reason other = unless_flows(c, drawn(c)); !other.empty()) return other;
  const kinds random{"uniform", "hotspot", "local"};
  return std::find(random.begin(), random.end(), c.traffic.pattern) != random.end()
             ? has_effect
             : with_pattern(c) + ", which draws no destinations; leave it out";
}

reason outstanding(const run_config& c) {
  return by_dependencies(c) || c.traffic.mode == traffic_mode::request_reply
             ? has_effect
             : "without --traffic-mode request_reply or packets that come by their dependencies; add one of "
               "these or leave it out";
}

reason reply_queue(const run_config& c) {
  // Of a recorded run: what its servers had room for.
  if (c.traffic.reply_queue == 0 || (has_file(c) && c.network.message_classes == 2)) return has_effect;
  return mode_is(c, traffic_mode::request_reply);
}

reason file_timing_of(const run_config& c) {
  return has_file(c) ? has_effect : "without --traffic-file; add that or leave it out";
}

// --- measurement ---

/// A run to the end of its packets is measured from its first cycle to its last.
reason window(const run_config& c, cycle_t cycles) {
  const bool batch = c.traffic.mode == traffic_mode::batch;
  if (cycles == 0 || !(batch || by_dependencies(c))) return has_effect;
  return std::string(batch ? "with --traffic-mode batch" : "with packets that come by their dependencies") +
         ", which is measured from cycle 0 until all are delivered; leave it out";
}

}  // namespace

void declare_effects(std::vector<parameter>& all) {
  using config = const run_config&;
  const std::pair<const char*, std::function<reason(config)>> table[] = {
      {"topology.links", links},
      {"topology.ties", ties},
      {"topology.gates", gates},
      {"topology.flit_bits", flit_bits},
      {"router.va_allocator", at_transaction_level},
      {"router.sa_allocator", at_transaction_level},
      {"router.arbiter", at_transaction_level},
      {"router.islip_iterations", at_transaction_level},
      {"router.lookahead", lookahead},
      {"router.adaptive_delay_cycles", adaptive_delay},
      {"network.checks", at_transaction_level},
      {"network.threads", at_transaction_level},
      {"network.message_classes", message_classes},
      {"network.shared_classes", shared_classes},
      {"traffic.pattern", [](config c) { return unless_flows(c, drawn(c)); }},
      {"traffic.rate_flits_per_node_cycle", [](config c) { return unless_flows(c, timed(c)); }},
      {"traffic.packet_flits", drawn},
      {"traffic.arrivals", timed},
      {"traffic.mean_burst_packets", burst},
      {"traffic.include_self", include_self},
      {"traffic.hot_probability", [](config c) { return of_pattern(c, "hotspot"); }},
      {"traffic.hot_nodes", [](config c) { return of_pattern(c, "hotspot"); }},
      {"traffic.local_square", [](config c) { return of_pattern(c, "local"); }},
      {"traffic.local_probability", [](config c) { return of_pattern(c, "local"); }},
      {"traffic.outstanding", outstanding},
      {"traffic.service_cycles", [](config c) { return mode_is(c, traffic_mode::request_reply); }},
      {"traffic.reply_flits", [](config c) { return mode_is(c, traffic_mode::request_reply); }},
      {"traffic.reply_queue", reply_queue},
      {"traffic.batch_packets", [](config c) { return mode_is(c, traffic_mode::batch); }},
      {"traffic.file_timing", file_timing_of},
      {"traffic.seed", drawn},
      {"measurement.warmup_cycles", [](config c) { return window(c, c.measurement.warmup_cycles); }},
      {"measurement.max_cycles",
       [](config c) {
         return c.measurement.precision > 0 ? has_effect : "without --precision; add that or leave it out";
       }},
      {"measurement.drain_cycles", [](config c) { return window(c, c.measurement.drain_cycles); }},
  };
  for (const auto& [path, idle] : table)
    std::find_if(all.begin(), all.end(), [name = path](const parameter& p) { return p.path == name; })->idle =
        idle;
}

std::string why_idle(const parameter& p, const run_config& config) {
  return p.idle ? p.idle(config) : std::string();
}

bool is_only_printed(const parameter& p, const run_config& config) {
  const auto& delays = config.topology.link_delay_cycles;
  return p.is_in(parameter_set::pitch) &&
         std::none_of(delays.begin(), delays.end(),
                      [](const std::string& d) { return begins_with(d, "mm:"); });
}

void reset_idle(run_config& config) {
  const run_config defaults;
  for (const parameter& p : parameters())
    if (p.get(config) != p.get(defaults) && !why_idle(p, config).empty()) p.set(config, p.get(defaults));
}

std::vector<std::string> idle_keys(const std::map<std::string, std::string>& keys, const run_config& config) {
  const run_config defaults;
  std::vector<std::string> said;
  for (const parameter& p : parameters()) {
    const auto key = keys.find(p.path);
    if (key == keys.end() || p.get(config) == p.get(defaults)) continue;
    if (const std::string why = why_idle(p, config); !why.empty())
      said.push_back(key->second + " has no effect " + why);
  }
  return said;
}

}  // namespace toriscope
