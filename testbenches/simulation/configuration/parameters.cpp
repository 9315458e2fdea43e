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
#include "topologies/vc_rule_names.h"

namespace toriscope {
namespace {

using json = nlohmann::ordered_json;
using names = std::vector<std::string>;
using values = std::vector<parameter_value>;
namespace in = parameter_set;

constexpr double cycle_limit = 281474976710656.0;  // 2^48
constexpr double max_seeds = 18446744073709551616.0;

/// Values with their own names.
values plain(const names& list) {
  values all;
  for (const std::string& name : list) all.push_back({name, name});
  return all;
}

/// An empty name stands for the topology's default.
values or_default(const names& list) {
  values all = plain(list);
  all.insert(all.begin(), {"", ""});
  return all;
}

values names_of_vc_rules() {
  values all;
  for (const vc_rule_kind& kind : vc_rules()) all.push_back({kind.name, vc_rule_name(kind.name)});
  return all;
}

/// All gates that any topology has a choice of.
names names_of_gates() {
  names list;
  for (const topology_kind& kind : topology_kinds())
    for (const std::string& gates : kind.gates)
      if (std::find(list.begin(), list.end(), gates) == list.end()) list.push_back(gates);
  return list;
}

names names_of_arrivals() {
  names list;
  for (const arrival_kind kind : arrival_kinds()) list.emplace_back(to_string(kind));
  return list;
}

/// An enumeration by name, in the order in which the help shows the names.
template <class Enum>
using enum_names = std::vector<std::pair<Enum, parameter_value>>;

/// With the names of the registry of allocators or arbiters.
template <class Entry>
enum_names<decltype(Entry::which)> named(const std::vector<Entry>& entries) {
  enum_names<decltype(Entry::which)> list;
  for (const Entry& entry : entries) list.push_back({entry.which, {entry.name, entry.name}});
  return list;
}

template <class Enum>
std::pair<Enum, parameter_value> named(Enum value, const char* name) {
  return {value, {name, name}};
}

/// What the options and files call a parameter.
struct called {
  const char* name;      ///< in its section of a file
  const char* option;    ///< on the command line
  const char* argument;  ///< in the help
  const char* former = "";  ///< the option's former name
};

/// Adds the parameters that are members of one part of the configuration.
template <class Part>
class section {
 public:
  using kind = parameter::kind;
  section(std::vector<parameter>& list, std::string name, Part& (*part)(run_config&))
      : list_(list), name_(std::move(name)), part_(part) {}

  template <class Number>
  parameter& number(called c, Number Part::*member, double least, double most, unsigned set, const char* description) {
    parameter& p = add(std::is_integral_v<Number> ? kind::whole : kind::real, c, member, set, description);
    p.least = least;
    p.most = most;
    return p;
  }
  void flag(called c, bool Part::*member, unsigned set, const char* description) {
    add(kind::flag, c, member, set, description);
  }
  void choice(called c, std::string Part::*member, values choices, unsigned set, const char* description) {
    add(kind::choice, c, member, set, description).choices = std::move(choices);
  }
  template <class Enum>
  void choice(called c, Enum Part::*member, const enum_names<Enum>& table, unsigned set, const char* description) {
    parameter& p = add(kind::choice, c, set, description);
    for (const auto& [value, name] : table) p.choices.push_back(name);
    p.set = [part = part_, member, table](run_config& config, const json& text) {
      for (const auto& [value, name] : table)
        if (name.value == text) part(config).*member = value;
    };
    p.get = [part = part_, member, table](const run_config& config) {
      const Enum now = part(const_cast<run_config&>(config)).*member;
      return json(std::find_if(table.begin(), table.end(), [&](const auto& v) { return v.first == now; })
                      ->second.value);
    };
  }
  /// Texts, and lists.
  template <class Value>
  parameter& add(kind what, called c, Value Part::*member, unsigned set, const char* description) {
    parameter& p = add(what, c, set, description);
    p.set = [part = part_, member](run_config& config, const json& value) {
      part(config).*member = value.get<Value>();
    };
    p.get = [part = part_, member](const run_config& config) {
      return json(part(const_cast<run_config&>(config)).*member);
    };
    return p;
  }
  /// The caller sets `set` and `get`.
  parameter& add(kind what, called c, unsigned set, const char* description) {
    parameter& p = list_.emplace_back();
    p.path = name_ + "." + c.name;
    p.option = c.option;
    p.argument = c.argument;
    p.former = c.former;
    p.description = description;
    p.what = what;
    p.set_of = set;
    return p;
  }

 private:
  std::vector<parameter>& list_;
  const std::string name_;
  Part& (*const part_)(run_config&);
};

void add_topology(std::vector<parameter>& list) {
  using kind = parameter::kind;
  using t = topology_config;
  section<t> s(list, "topology", [](run_config& c) -> t& { return c.topology; });
  s.add(kind::text, {"spec", "topology", "KIND:ARGS"}, static_cast<std::string t::*>(&t::spec), in::wiring,
        "the network: ttn:2,2,0 htn:4,4,2,1 rdt:alpha,32 torus:8x8 file:PATH; all: toriscope list topologies");
  s.choice({"links", "inter-module-links", "KIND", "links"}, &t::links,
           {{"U", links_name("U")}, {"B", links_name("B")}}, in::link_kind,
           "links between modules of a TTN, TESH or STTN: one_way, duplex");
  s.choice({"ties", "tie-break", "RULE", "ties"}, &t::ties, or_default({"nowrap", "positive", "balanced"}),
           in::routing,
           "direction of packets that go half way round a ring: nowrap, positive, balanced "
           "[the topology's]");
  s.choice({"gates", "gateways", "RULE", "gates"}, &t::gates, or_default(names_of_gates()), in::routing,
           "gateway by which a packet leaves a module of an HTN: destination, nearest [destination]");
  s.choice({"routing", "routing", "NAME"}, &t::routing, or_default(names_of(routings())), in::routing,
           "routing algorithm: dor, adaptive, cs, ls, ls+cs, vector, floating ... (toriscope list routings) "
           "[the topology's]");
  s.choice({"vc_rule", "vc-rule", "RULE"}, &t::vc_rule, names_of_vc_rules(), in::routing,
           "which VCs a packet may take: safe chooses a rule that is proven free of deadlock; all: toriscope "
           "list vc_rules");
  s.choice(
      {"layout", "layout", "NAME"}, &t::layout, plain({"planar", "folded"}), in::layout,
      "where nodes are in the plane: planar, or folded: tori without long wrap links; wire lengths follow");
  s.number({"pitch_mm", "pitch", "MM"}, &t::pitch_mm, 0, 1000, in::pitch,
           "distance of neighbouring nodes: adds wire lengths in mm; 0: none");
  s.add(kind::delays, {"link_delay_cycles", "link-delay", "DELAY"}, &t::link_delay_cycles, in::timing,
        "link delay in cycles, 1 to 1000: one for all links, one per level (1,2,4), or by wire length "
        "(linear:CYCLES, log:CYCLES; with --pitch mm:CYCLES)")
      .get = [](const run_config& c) {  // a number of cycles as a number
    json delays = json::array();
    for (const std::string& text : c.topology.link_delay_cycles)
      if (std::uint64_t cycles = 0; to_number(text, cycles))
        delays.push_back(cycles);
      else
        delays.push_back(text);
    return delays;
  };
  s.add(kind::wholes, {"link_width_bits", "link-width", "BITS"}, &t::link_width_bits, in::link_width,
        "link width: one for all links or one per level [as wide as a flit]");
  s.add(kind::text, {"equal", "equal", "RESOURCE:BITS"}, &t::equal, in::link_width,
        "instead of --link-width: all links as wide as a budget allows: bisection:BITS, pins:BITS of a node, "
        "or "
        "wires:BITS times node pitches; networks compared with one budget have equal cost");
  s.number({"flit_bits", "flit-bits", "BITS"}, &t::flit_bits, 1, 65535, in::link_width,
           "flit size, which narrow links are compared with");
  s.add(kind::texts, {"link_overrides", "link", "NODE.PORT:..."}, &t::link_overrides, in::link_width,
        "delay and width of one link, in cycles and bits: 27.x+:delay=3:width=16; may be repeated");
  s.add(kind::texts, {"dead_links", "fail-link", "NODE.PORT[@CYCLE]", "dead-link"}, &t::dead_links, in::faults,
        "a link that has failed, or fails in that cycle: 9.x+@500; may be repeated");
}

void add_router(std::vector<parameter>& list) {
  using kind = parameter::kind;
  using r = router_config;
  section<r> s(list, "router", [](run_config& c) -> r& { return c.network.router; });
  s.choice({"pipeline", "pipeline", "NAME"}, &r::pipeline,
           {named(pipeline::single_cycle, "single_cycle"),
            named(pipeline::four_stage, "four_stage"),
            named(pipeline::paper2009, "paper2009"),
            {pipeline::custom, {"staged", "custom"}}},
           in::timing, "single_cycle, four_stage, paper2009, custom (see --stages)");
  // Stage counts make the pipeline a custom one, unless another one was asked for (with_router_defaults()).
  parameter& stages = s.add(kind::text, {"stages", "stages", "rc=N,..."}, in::timing,
                            "cycles of RC, VA, SA and ST, 0 to 7 each: rc=1,va=1,sa=1,st=1; implies --pipeline "
                            "custom");
  stages.set = [](run_config& c, const json& v) {
    const auto text = v.get<std::string>();
    c.stages_named = !text.empty();
    c.network.router.custom_stages = c.stages_named ? stage_counts_of(text) : stage_counts();
  };
  stages.get = [](const run_config& c) {
    const r& router = c.network.router;
    return json(c.stages_named || router.pipeline == pipeline::custom ? stage_text(router.custom_stages)
                                                                      : "");
  };
  s.choice(
      {"regrant", "vc-reallocation", "RULE", "regrant"}, &r::vc_reallocation,
      {{vc_reallocation::non_atomic, {"tail", "non_atomic"}},
       {vc_reallocation::atomic, {"drained", "atomic"}}},
      in::timing,
      "when an output VC is free for another packet: non_atomic: after the tail; atomic: when all credits "
      "are back (adaptive routing with escape VCs needs it)");
  s.number({"vcs", "vcs", "N"}, &r::vcs, 1, 16, in::routing, "VCs per port, 1 to 16");
  s.number({"depth_flits", "depth", "FLITS"}, &r::depth, 1, 64, in::timing,
           "buffer depth of a VC, 1 to 64 flits; paper2009 has 1");
  s.choice({"va_allocator", "va-allocator", "NAME"}, &r::va_allocator, named(allocator_entries()), in::timing,
           "VC allocator: input_first, output_first, islip");
  s.choice({"sa_allocator", "sa-allocator", "NAME"}, &r::sa_allocator, named(allocator_entries()), in::timing,
           "switch allocator: input_first, output_first, islip");
  s.choice({"arbiter", "arbiter", "NAME"}, &r::arbiter, named(arbiter_entries()), in::timing,
           "arbiters of both allocators: round_robin, matrix, age");
  s.number({"islip_iterations", "iterations", "N"}, &r::islip_iterations, 1, 8, in::timing,
           "iterations of islip per cycle, 1 to 8");
  s.flag({"lookahead", "lookahead", ""}, &r::lookahead, in::timing,
         "look-ahead routing: RC for the next router runs in parallel with VA, SA and ST");
  s.flag({"speculative", "speculative", ""}, &r::speculative, in::timing,
         "speculative SA: a head requests an output VC and the switch in the same cycle; needs va=1");
  s.number({"adaptive_delay_cycles", "adaptive-delay", "CYCLES"}, &r::adaptive_delay_cycles, 0, 15, in::timing,
           "cycles added to RC of heads with several route options, 0 to 15");
}

void add_network(std::vector<parameter>& list) {
  using n = network_config;
  section<n> s(list, "network", [](run_config& c) -> n& { return c.network; });
  s.number({"injection_delay_cycles", "injection-delay", "CYCLES"}, &n::injection_delay_cycles, 1, 1000, in::timing,
           "delay from network interface to router");
  s.number({"ejection_delay_cycles", "ejection-delay", "CYCLES"}, &n::ejection_delay_cycles, 1, 1000, in::timing,
           "delay from router to network interface");
  s.number({"credit_delay_cycles", "credit-delay", "CYCLES"}, &n::credit_delay_cycles, 0, 1000, in::timing,
           "delay of credits beyond that of their link");
  s.number({"watchdog_cycles", "watchdog", "CYCLES"}, &n::watchdog_cycles, 0, cycle_limit, in::simulation,
           "search for a deadlock after a flit has waited N cycles; 0: never");
  s.choice({"checks", "check", "LEVEL"}, &n::checks,
           {named(check_level::cheap, "cheap"), named(check_level::full, "full")}, in::simulation,
           "invariants checked: cheap, or full: every credit in every cycle (slow)");
  s.number({"message_classes", "message-classes", "N"}, &n::message_classes, 1, 16, in::routing,
           "message classes, each with its own source queue and VCs, 1 to 16; request_reply has 2")
      .aliases = {"classes"};
  s.flag({"shared_classes", "shared-classes", ""}, &n::shared_classes, in::routing,
         "message classes share all VCs (protocol deadlock is possible)");
  s.flag({"limited_reception", "limited-reception", ""}, &n::limited_reception, in::timing,
         "network interfaces receive into buffers of --depth flits per VC, with credits");
  s.flag({"wire_hash", "wire-hash", ""}, &n::wire_hash, in::simulation,
         "hash every word on every link");
  s.number({"threads", "threads", "N"}, &n::threads, 1, 256, in::threads,
           "threads that simulate the network together, 1 to 256; every result is that of one");
  section<run_config>(list, "network", [](run_config& c) -> run_config& { return c; })
      .choice({"fidelity", "fidelity", "LEVEL"}, &run_config::fidelity,
              {named(fidelity::cycle, "cycle"), named(fidelity::transaction, "transaction")}, in::simulation,
              "cycle: flit by flit; transaction: packet by packet, faster, a few percent off at high load");
}

void add_traffic(std::vector<parameter>& list) {
  using kind = parameter::kind;
  using t = traffic_config;
  section<t> s(list, "traffic", [](run_config& c) -> t& { return c.traffic; });
  s.choice({"mode", "traffic-mode", "MODE"}, &t::mode,
           plain(names_of(workload_kinds())), in::workload,
           "open: injection at --rate; request_reply: servers answer requests; batch: N packets per node");
  s.choice({"pattern", "traffic", "PATTERN"}, &t::pattern, plain(names_of(pattern_kinds())), in::traffic_matrix,
           "pattern of destinations: uniform, transpose, hotspot ... (toriscope list patterns)");
  s.number({"rate_flits_per_node_cycle", "rate", "FLITS"}, &t::rate_flits_per_node_cycle, 0, 1, in::load_point,
           "injection rate: flits per node and cycle offered, 0 to 1");
  s.add(kind::text, {"packet_flits", "packet", "FLITS"}, &t::packet_flits, in::packet_length,
        "packet length, or lengths with weights: 4:0.5,16:0.5")
      .aliases = {"packet-flits"};
  s.choice({"arrivals", "arrivals", "NAME"}, &t::arrivals, plain(names_of_arrivals()), in::workload,
           "arrival process: bernoulli, poisson, constant, on_off");
  s.number({"mean_burst_packets", "burst", "PACKETS"}, &t::mean_burst_packets, 1, 1e6, in::workload,
           "on_off: mean packets per burst, created one per cycle; 1 or more");
  s.flag({"include_self", "include-self", "", "self"}, &t::include_self, in::traffic_matrix,
         "nodes also send to themselves");
  s.number({"hot_probability", "hot-probability", "P"}, &t::hot_probability, 0, 1, in::traffic_matrix,
           "hotspot: share of packets that go to a hot node");
  s.add(kind::texts, {"hot_nodes", "hot-node", "NODE,..."}, &t::hot_nodes, in::traffic_matrix,
        "hotspot: the hot nodes [the paper's]");
  s.number({"local_square", "local-square", "NODES"}, &t::local_square, 1, 4096, in::traffic_matrix,
           "local: side of the square of destinations around a source");
  s.number({"local_probability", "local-probability", "P"}, &t::local_probability, 0, 1, in::traffic_matrix,
           "local: share of packets that stay within the square; the others are uniform");
  s.number({"outstanding", "outstanding", "REQUESTS"}, &t::outstanding, 1, 1e6, in::outstanding,
           "request_reply: unanswered requests a node may have; file-timing dependencies: its packets under way "
           "that depend on no other");
  s.number({"service_cycles", "service-cycles", "CYCLES"}, &t::service_cycles, 0, 1e6, in::workload,
           "request_reply: cycles from a request received to its reply created");
  s.add(kind::text, {"reply_flits", "reply-packet", "FLITS"}, &t::reply_flits, in::workload,
        "request_reply: reply length, or lengths with weights (--packet: requests)");
  s.number({"reply_queue", "reply-queue", "REPLIES"}, &t::reply_queue, 0, 1e6, in::workload,
           "request_reply: replies a server has room for; it admits no further request; 0: no limit");
  s.number({"batch_packets", "batch", "PACKETS"}, &t::batch_packets, 1, 1e9, in::workload,
           "batch: packets per node, all created in cycle 0");
  s.add(kind::text, {"file", "traffic-file", "FILE"}, &t::file, in::workload,
        "packets from a file with lines: cycle source destination length; or from another packet trace");
  s.choice({"file_timing", "file-timing", "WHEN"}, &t::file_timing,
           plain(names_of(trace_workload_kinds())), in::workload,
           "packets of a file: as_timed: each in its cycle; dependencies: when the packets it depends on have "
           "arrived");
  s.add(
      kind::text, {"flows", "flows", "FILE"}, &t::flows, in::flows,
      "flows from a file: from, to, rate, packet length, latency bound, as JSON or a matrix (docs/flows.md)");
  s.number({"seed", "seed", "N"}, &t::seed, 0, max_seeds, in::load_point, "seed of all random numbers");
}

void add_measurement(std::vector<parameter>& list) {
  using m = measurement_config;
  section<m> s(list, "measurement", [](run_config& c) -> m& { return c.measurement; });
  s.number({"warmup_cycles", "warmup", "CYCLES"}, &m::warmup_cycles, 0, cycle_limit, in::measurement,
           "warm-up cycles");
  s.number({"measure_cycles", "cycles", "CYCLES"}, &m::measure_cycles, 1, cycle_limit, in::measurement,
           "measured cycles");
  s.number({"drain_cycles", "drain", "CYCLES"}, &m::drain_cycles, 0, cycle_limit, in::measurement,
           "most cycles to wait until all measured packets have arrived");
  s.number({"precision", "precision", "P%"}, &m::precision, 0, 0.5, in::measurement,
           "run until the 95 % interval of the mean latency is +- this share of the mean: 1% or 0.01; 0: off");
  s.number({"max_cycles", "max-cycles", "CYCLES"}, &m::max_cycles, 1, cycle_limit, in::measurement,
           "--precision: stop after N cycles");
  s.number({"clock_ghz", "clock", "GHZ"}, &m::clock_ghz, 0, 1000, in::measurement,
           "clock of the network: adds latencies in ns and loads in Gbit/s; 0: none");
}

}  // namespace

bool parameter::is_called(const std::string& name) const {
  return name == option || (!name.empty() && name == former) ||
         std::find(aliases.begin(), aliases.end(), name) != aliases.end();
}

const std::vector<parameter>& parameters() {
  static const std::vector<parameter> all = [] {
    std::vector<parameter> list;
    for (const auto add : {add_topology, add_router, add_network, add_traffic, add_measurement}) add(list);
    declare_effects(list);
    return list;
  }();
  return all;
}

const parameter& parameter_at(const std::string& path) {
  return *std::find_if(parameters().begin(), parameters().end(),
                       [&](const parameter& p) { return p.path == path; });
}

std::string parameter::shown(const run_config& config) const {
  const json value = get(config);
  for (const parameter_value& choice : choices)
    if (choice.value == value) return choice.name;
  if (!value.is_array()) return value.is_string() ? value.get<std::string>() : value.dump();
  std::string text;
  for (const json& item : value)
    text += (text.empty() ? "" : ",") + (item.is_string() ? item.get<std::string>() : item.dump());
  return text;
}

json as_tree(const run_config& config) {
  json tree;
  for (const parameter& p : parameters()) {
    if (p.is_in(in::threads)) continue;
    const std::size_t dot = p.path.find('.');
    tree[p.path.substr(0, dot)][p.path.substr(dot + 1)] = p.get(config);
  }
  return tree;
}

}  // namespace toriscope
