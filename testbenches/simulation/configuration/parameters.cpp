// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/configuration/parameters.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/whole_number.h"
#include "base/words.h"
#include "router/allocation/registry.h"
#include "testbenches/simulation/configuration/parameter_effects.h"
#include "testbenches/simulation/configuration/stage_text.h"
#include "testbenches/simulation/traffic/arrivals.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/workloads/workload_registry.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;

constexpr double most_cycles = 281474976710656.0;  // 2^48

/// Binds a parameter to the member that `member` returns a reference to.
template <class Member>
parameter bind(parameter p, Member member) {
  using value_type = std::decay_t<decltype(member(std::declval<run_config&>()))>;
  p.set = [member](run_config& c, const json& v) { member(c) = v.get<value_type>(); };
  p.get = [member](const run_config& c) { return json(member(const_cast<run_config&>(c))); };
  return p;
}

/// Binds a choice to an enumeration with the values 0, 1, 2 ... in the order of the choices.
template <class Member>
parameter bind_enum(parameter p, Member member) {
  using value_type = std::decay_t<decltype(member(std::declval<run_config&>()))>;
  const std::vector<std::string> names = p.choices;
  p.set = [member, names](run_config& c, const json& v) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == v.get<std::string>()) member(c) = static_cast<value_type>(i);
  };
  p.get = [member, names](const run_config& c) {
    return json(names[static_cast<std::size_t>(member(const_cast<run_config&>(c)))]);
  };
  return p;
}

// clang-format off
parameter whole(std::string path, std::string option, std::string argument, double least, double most, std::string description) {
  return {std::move(path), std::move(option), std::move(argument), std::move(description), parameter::kind::whole, least, most, {}, {}, {}, {}};
}
parameter real(std::string path, std::string option, std::string argument, double least, double most, std::string description) {
  return {std::move(path), std::move(option), std::move(argument), std::move(description), parameter::kind::real, least, most, {}, {}, {}, {}};
}
parameter other(parameter::kind kind, std::string path, std::string option, std::string argument, std::string description) {
  return {std::move(path), std::move(option), std::move(argument), std::move(description), kind, 0, 0, {}, {}, {}, {}};
}
parameter choice(std::string path, std::string option, std::string argument, std::vector<std::string> choices, std::string description) {
  return {std::move(path), std::move(option), std::move(argument), std::move(description), parameter::kind::choice, 0, 0, std::move(choices), {}, {}, {}};
}
// clang-format on

std::vector<std::string> names_of_pipelines() {
  return {to_string(pipeline::single_cycle), to_string(pipeline::four_stage), to_string(pipeline::paper2009),
          to_string(pipeline::staged)};
}

/// Stage counts make the pipeline a staged one, unless another one was asked for (with_router_defaults()).
parameter stages(parameter p) {
  p.set = [](run_config& c, const json& v) {
    const auto text = v.get<std::string>();
    if (text.empty()) return;
    c.network.router.custom_stages = stage_counts_of(text);
    c.stages_named = true;
  };
  p.get = [](const run_config& c) {
    const router_config& chip = c.network.router;
    return json(c.stages_named || chip.pipeline == pipeline::staged ? stage_text(chip.custom_stages) : "");
  };
  return p;
}

std::vector<std::string> names_of_arrivals() {
  std::vector<std::string> names;
  for (const arrival_kind kind : arrival_kinds()) names.emplace_back(to_string(kind));
  return names;
}

/// All gates that any topology has a choice of.
std::vector<std::string> names_of_gates() {
  std::vector<std::string> names{""};
  for (const topology_kind& kind : topology_kinds())
    for (const std::string& gates : kind.gates)
      if (std::find(names.begin(), names.end(), gates) == names.end()) names.push_back(gates);
  return names;
}

/// Of a registry, and the empty name for the default.
template <class Kind>
std::vector<std::string> names_or_none(const std::vector<Kind>& kinds) {
  std::vector<std::string> names = names_of(kinds);
  names.insert(names.begin(), "");
  return names;
}

std::vector<parameter> make_parameters() {
  using kind = parameter::kind;
  std::vector<parameter> list;
  const auto add = [&](parameter p, auto member) { list.push_back(bind(std::move(p), member)); };
  const auto add_enum = [&](parameter p, auto member) { list.push_back(bind_enum(std::move(p), member)); };

  add(
      other(
          kind::text, "topology.spec", "topology", "KIND:ARGS",
          "the network, e.g. ttn:2,2,0 htn:4,4,2,1 rdt:alpha,32 torus:64x64 file:PATH; all: toriscope list"),
      [](run_config & c) -> auto& { return c.topology.spec; });
  add(
      choice("topology.links", "links", "U|B", {"U", "B"},
             "links between basic modules: U one way, B full duplex"),
      [](run_config & c) -> auto& { return c.topology.links; });
  add(
      choice("topology.ties", "ties", "RULE", {"", "nowrap", "positive", "balanced"},
             "half way round a ring: nowrap, positive, balanced; default: the topology's"),
      [](run_config & c) -> auto& { return c.topology.ties; });
  add(
      choice("topology.gates", "gates", "RULE", names_of_gates(),
             "by which gate a packet leaves a module: nearest, destination; default: the topology's"),
      [](run_config & c) -> auto& { return c.topology.gates; });
  add(
      choice(
          "topology.routing", "routing", "NAME", names_or_none(routings()),
          "routing algorithm: dor, cs, ls, ls+cs, adaptive, vector, floating ... ; default: the topology's"),
      [](run_config & c) -> auto& { return c.topology.routing; });
  add(
      choice("topology.vc_rule", "vc-rule", "RULE", names_of(vc_rules()),
             "which VCs a packet may take: safe, or one by name"),
      [](run_config & c) -> auto& { return c.topology.vc_rule; });
  add(
      other(kind::delays, "topology.link_delay_cycles", "link-delay", "DELAY",
            "delay D of the links, 1 to 1000 cycles, one for all or one per level (1,2,4); or by wire "
            "length: linear:CYCLES, log:CYCLES"),
      [](run_config & c) -> auto& { return c.topology.link_delay_cycles; });
  list.back().get = [](const run_config& c) {  // a number of cycles as a number
    json delays = json::array();
    for (const std::string& text : c.topology.link_delay_cycles)
      if (std::uint64_t cycles = 0; to_number(text, cycles))
        delays.push_back(cycles);
      else
        delays.push_back(text);
    return delays;
  };
  add(
      other(kind::wholes, "topology.link_width_bits", "link-width", "BITS",
            "width of the links: one for all, or one per level; default: as wide as a flit"),
      [](run_config & c) -> auto& { return c.topology.link_width_bits; });
  add(
      whole("topology.flit_bits", "flit-bits", "BITS", 1, 65535, "size of a flit, for narrow links"),
      [](run_config & c) -> auto& { return c.topology.flit_bits; });
  add(
      other(kind::texts, "topology.link_overrides", "link", "NODE.PORT:...",
            "one link: 27.x+:delay=3:width=16, in cycles and bits; may be repeated"),
      [](run_config & c) -> auto& { return c.topology.link_overrides; });
  add(
      other(kind::texts, "topology.dead_links", "dead-link", "NODE.PORT[@CYCLE]",
            "a link that is dead, or from that cycle on; may be repeated"),
      [](run_config & c) -> auto& { return c.topology.dead_links; });

  add_enum(
      choice("router.pipeline", "pipeline", "NAME", names_of_pipelines(),
             "single_cycle, four_stage, paper2009, staged"),
      [](run_config & c) -> auto& { return c.network.router.pipeline; });
  list.push_back(stages(other(kind::text, "router.stages", "stages", "rc=N,...",
                              "cycles of the steps of a head, 0 to 7 each: rc=1,va=1,sa=1,st=1; implies "
                              "--pipeline staged")));
  add_enum(
      choice("router.regrant", "regrant", "RULE", {"tail", "drained"},
             "when an output VC is free again: tail, drained; adaptive routing with an escape: drained"),
      [](run_config & c) -> auto& { return c.network.router.regrant; });
  add(
      whole("router.vcs", "vcs", "N", 1, 16, "VCs per port, 1 to 16"),
      [](run_config & c) -> auto& { return c.network.router.vcs; });
  add(
      whole("router.depth_flits", "depth", "FLITS", 1, 64, "buffer of a VC, 1 to 64 flits; paper2009: 1"),
      [](run_config & c) -> auto& { return c.network.router.depth; });
  add_enum(
      choice("router.va_allocator", "va-allocator", "NAME", names_of(allocator_entries()),
             "of output VCs: input_first, output_first, islip"),
      [](run_config & c) -> auto& { return c.network.router.va_allocator; });
  add_enum(
      choice("router.sa_allocator", "sa-allocator", "NAME", names_of(allocator_entries()),
             "of the switch: input_first, output_first, islip"),
      [](run_config & c) -> auto& { return c.network.router.sa_allocator; });
  add_enum(
      choice("router.arbiter", "arbiter", "NAME", names_of(arbiter_entries()),
             "who is picked by allocators: round_robin, matrix, age"),
      [](run_config & c) -> auto& { return c.network.router.arbiter; });
  add(
      whole("router.islip_iterations", "iterations", "N", 1, 8, "of islip in a cycle, 1 to 8"),
      [](run_config & c) -> auto& { return c.network.router.islip_iterations; });
  add(
      other(kind::flag, "router.lookahead", "lookahead", "",
            "RC of the next router runs beside VA, SA and ST of this one"),
      [](run_config & c) -> auto& { return c.network.router.lookahead; });
  add(
      other(kind::flag, "router.speculative", "speculative", "",
            "heads ask for an output VC and the switch in the same cycle; needs va=1"),
      [](run_config & c) -> auto& { return c.network.router.speculative; });
  add(
      whole("router.adaptive_delay_cycles", "adaptive-delay", "CYCLES", 0, 15,
            "added to rc of heads that have several ways, 0 to 15"),
      [](run_config & c) -> auto& { return c.network.router.adaptive_delay_cycles; });

  add(
      whole("network.injection_delay_cycles", "injection-delay", "CYCLES", 1, 1000,
            "network interface to router"),
      [](run_config & c) -> auto& { return c.network.injection_delay_cycles; });
  add(
      whole("network.ejection_delay_cycles", "ejection-delay", "CYCLES", 1, 1000,
            "router to network interface"),
      [](run_config & c) -> auto& { return c.network.ejection_delay_cycles; });
  add(
      whole("network.credit_delay_cycles", "credit-delay", "CYCLES", 0, 1000,
            "of credits, beyond the delay of their link"),
      [](run_config & c) -> auto& { return c.network.credit_delay_cycles; });
  add(
      whole("network.watchdog_cycles", "watchdog", "CYCLES", 0, most_cycles,
            "look for a deadlock when a flit has waited so long; 0: never"),
      [](run_config & c) -> auto& { return c.network.watchdog_cycles; });
  add_enum(
      choice("network.checks", "check", "LEVEL", {"cheap", "full"},
             "cheap; full: every credit in every cycle (slow)"),
      [](run_config & c) -> auto& { return c.network.checks; });
  add(
      whole("network.message_classes", "message-classes", "N", 1, 16,
            "each with a queue and VCs of its own, 1 to 16; request_reply: 2"),
      [](run_config & c) -> auto& { return c.network.message_classes; });
  add(
      other(kind::flag, "network.shared_classes", "shared-classes", "",
            "message classes have all VCs in common (which may deadlock)"),
      [](run_config & c) -> auto& { return c.network.shared_classes; });
  add(
      other(kind::flag, "network.limited_reception", "limited-reception", "",
            "interfaces receive into buffers of a VC's depth, with credits"),
      [](run_config & c) -> auto& { return c.network.limited_reception; });
  add(
      other(kind::flag, "network.wire_hash", "wire-hash", "", "hash every word on every wire"),
      [](run_config & c) -> auto& { return c.network.wire_hash; });

  add_enum(
      choice("network.fidelity", "fidelity", "LEVEL", {"cycle", "transaction"},
             "cycle: flit by flit; transaction: packet by packet, faster, a few percent off at high load"),
      [](run_config & c) -> auto& { return c.fidelity; });

  add(
      choice("traffic.mode", "traffic-mode", "MODE", names_of(workload_kinds()),
             "open: packets come at the rate; request_reply; batch"),
      [](run_config & c) -> auto& { return c.traffic.mode; });
  add(
      choice("traffic.pattern", "traffic", "PATTERN", names_of(pattern_kinds()),
             "where packets go (toriscope list patterns)"),
      [](run_config & c) -> auto& { return c.traffic.pattern; });
  add(
      real("traffic.rate_flits_per_node_cycle", "rate", "FLITS", 0, 1,
           "offered load, flits per node and cycle, 0 to 1"),
      [](run_config & c) -> auto& { return c.traffic.rate_flits_per_node_cycle; });
  add(
      other(kind::text, "traffic.packet_flits", "packet", "FLITS",
            "length of a packet, or a mix: 4:0.5,16:0.5"),
      [](run_config & c) -> auto& { return c.traffic.packet_flits; });
  add(
      choice("traffic.arrivals", "arrivals", "NAME", names_of_arrivals(),
             "bernoulli, poisson, constant, on_off"),
      [](run_config & c) -> auto& { return c.traffic.arrivals; });
  add(
      real("traffic.mean_burst_packets", "burst", "PACKETS", 1, 1e6,
           "on_off: packets of a burst in the mean, one created in every cycle; from 1 on"),
      [](run_config & c) -> auto& { return c.traffic.mean_burst_packets; });
  add(
      other(kind::flag, "traffic.include_self", "self", "", "nodes may also send to themselves"),
      [](run_config & c) -> auto& { return c.traffic.include_self; });
  add(
      real("traffic.hot_probability", "hot-probability", "P", 0, 1,
           "hotspot: share of the packets to a hot node"),
      [](run_config & c) -> auto& { return c.traffic.hot_probability; });
  add(
      other(kind::texts, "traffic.hot_nodes", "hot-node", "NODE,...",
            "hotspot: the hot nodes; default: the paper's"),
      [](run_config & c) -> auto& { return c.traffic.hot_nodes; });
  add(
      whole("traffic.local_square", "local-square", "NODES", 1, 4096,
            "local: side of the square of destinations around the source"),
      [](run_config & c) -> auto& { return c.traffic.local_square; });
  add(
      real("traffic.local_probability", "local-probability", "P", 0, 1,
           "local: share of the packets within the square, the others are uniform"),
      [](run_config & c) -> auto& { return c.traffic.local_probability; });
  add(
      whole(
          "traffic.outstanding", "outstanding", "REQUESTS", 1, 1e6,
          "request_reply: a node with so many unanswered makes no more; file-timing dependencies: likewise, "
          "packets under way that depend on none"),
      [](run_config & c) -> auto& { return c.traffic.outstanding; });
  add(
      whole("traffic.service_cycles", "service-cycles", "CYCLES", 0, 1e6,
            "request_reply: from a request received to its reply created"),
      [](run_config & c) -> auto& { return c.traffic.service_cycles; });
  add(
      other(kind::text, "traffic.reply_flits", "reply-packet", "FLITS",
            "request_reply: length of a reply, or a mix, as --packet is for requests"),
      [](run_config & c) -> auto& { return c.traffic.reply_flits; });
  add(
      whole("traffic.reply_queue", "reply-queue", "REPLIES", 0, 1e6,
            "request_reply: a server has room for so many, and admits no request beyond; 0: any number"),
      [](run_config & c) -> auto& { return c.traffic.reply_queue; });
  add(
      whole("traffic.batch_packets", "batch", "PACKETS", 1, 1e9,
            "batch: packets of each node, all ready in cycle 0"),
      [](run_config & c) -> auto& { return c.traffic.batch_packets; });
  add(
      other(kind::text, "traffic.file", "traffic-file", "FILE",
            "packets from a file of lines: cycle source destination length; or any other packet trace"),
      [](run_config & c) -> auto& { return c.traffic.file; });
  add(
      choice("traffic.file_timing", "file-timing", "WHEN", names_of(trace_workload_kinds()),
             "packets of a file: as_timed; dependencies: when those that they depend on have been received"),
      [](run_config & c) -> auto& { return c.traffic.file_timing; });
  add(
      whole("traffic.seed", "seed", "N", 0, 18446744073709551616.0, "of all random numbers"),
      [](run_config & c) -> auto& { return c.traffic.seed; });

  add(
      whole("measurement.warmup_cycles", "warmup", "CYCLES", 0, most_cycles,
            "cycles before the measured ones"),
      [](run_config & c) -> auto& { return c.measurement.warmup_cycles; });
  add(
      whole("measurement.measure_cycles", "cycles", "CYCLES", 1, most_cycles, "measured cycles"),
      [](run_config & c) -> auto& { return c.measurement.measure_cycles; });
  add(
      whole("measurement.drain_cycles", "drain", "CYCLES", 0, most_cycles,
            "at most so many more, until all measured packets have arrived"),
      [](run_config & c) -> auto& { return c.measurement.drain_cycles; });
  add(
      real("measurement.precision", "precision", "P%", 0, 0.5,
           "run until the 95 % interval of the mean latency is +- this share of it: 1% or 0.01; 0: --cycles"),
      [](run_config & c) -> auto& { return c.measurement.precision; });
  add(
      whole("measurement.max_cycles", "max-cycles", "CYCLES", 1, most_cycles,
            "--precision: give up after N cycles"),
      [](run_config & c) -> auto& { return c.measurement.max_cycles; });
  const auto named = [&](const char* path) -> parameter& {
    return *std::find_if(list.begin(), list.end(), [&](const parameter& p) { return p.path == path; });
  };
  for (const char* path : {"traffic.pattern", "traffic.include_self", "traffic.hot_probability",
                           "traffic.hot_nodes", "traffic.local_square", "traffic.local_probability",
                           "topology.link_width_bits", "topology.flit_bits", "topology.link_overrides"})
    named(path).makes_load = true;
  for (const char* path :
       {"topology.spec", "topology.links", "topology.ties", "topology.gates", "topology.routing",
        "topology.vc_rule", "router.vcs", "network.message_classes", "network.shared_classes"})
    named(path).makes_topology = true;
  declare_effects(list);
  return list;
}

}  // namespace

const std::vector<parameter>& parameters() {
  static const std::vector<parameter> list = make_parameters();
  return list;
}

json as_tree(const run_config& config) {
  json tree;
  for (const parameter& p : parameters()) {
    const std::size_t dot = p.path.find('.');
    tree[p.path.substr(0, dot)][p.path.substr(dot + 1)] = p.get(config);
  }
  return tree;
}

}  // namespace toriscope
