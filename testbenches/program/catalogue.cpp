// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/nearest_name.h"
#include "router/allocation/registry.h"
#include "testbenches/experiments/sweep/curve_search.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/rtl_figures.h"
#include "testbenches/simulation/simulate.h"
#include "testbenches/simulation/simulation.h"
#include "testbenches/simulation/statistics/flow_statistics.h"
#include "testbenches/simulation/statistics/link_use.h"
#include "testbenches/simulation/statistics/measurement.h"
#include "testbenches/simulation/statistics/physical_units.h"
#include "testbenches/simulation/statistics/report.h"
#include "testbenches/simulation/traffic/arrivals.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "topologies/registry.h"
#include "topologies/vc_rule_names.h"

namespace toriscope {
namespace {

std::string lines(const std::string& title, const std::vector<std::string>& items) {
  std::string text = title + ":\n";
  for (const std::string& item : items) text += "  " + item + "\n";
  return text;
}

/// Options of `toriscope run`.
std::string examples_of(const std::vector<std::string>& options) {
  std::vector<std::string> commands;
  for (const std::string& text : options) commands.push_back("toriscope run " + text);
  return lines("Examples", commands);
}

std::string routings_of(const topology_kind& k) {
  if (k.routings.empty()) return "Routings: none; toriscope analyze and draw take it\n";
  return "Routings: " + joined(k.routings) + "\n" +
         (k.gates.empty() ? "" : "Gateways: " + joined(k.gates) + "\n");
}

catalogue_section topologies() {
  catalogue_section section{"topology", "topologies", {}};
  for (const topology_kind& k : topology_kinds())
    section.entries.push_back({k.name, k.summary,
                               k.name + ":" + k.arguments + "  " + k.summary + "\n\n" + k.description +
                                   "\n\n" + routings_of(k) + lines("Examples", k.examples) +
                                   "Source: " + k.source});
  return section;
}

catalogue_section rules() {
  catalogue_section section{"vc_rule", "vc_rules", {}};
  for (const vc_rule_kind& k : vc_rules()) {
    const std::string name = vc_rule_name(k.name);
    const bool letter = name != k.name;
    section.entries.push_back({name, (letter ? k.name + ": " : "") + k.summary,
                               vc_rule_title(k.name) + "  " + k.summary + "\n\n" + k.description +
                                   "\n\nTopologies: " + joined(k.topologies) + "\nVCs: " + k.vcs + "\n" +
                                   examples_of(k.examples) + "Source: " + k.source,
                               letter ? k.name : ""});
  }
  return section;
}

catalogue_section all_routings() {
  catalogue_section section{"routing", "routings", {}};
  for (const routing_kind& k : routings())
    section.entries.push_back({k.name, k.summary,
                               k.name + "  " + k.summary + "\n\n" + k.description +
                                   "\n\nTopologies: " + joined(k.topologies) + "\n" +
                                   examples_of(k.examples) + "Source: " + k.source});
  return section;
}

catalogue_section patterns() {
  catalogue_section section{"pattern", "patterns", {}};
  for (const pattern_kind& k : pattern_kinds())
    section.entries.push_back(
        {k.name, k.summary, k.name + "  " + k.summary + "\n\n" + k.description + "\n\nSource: " + k.source});
  return section;
}

catalogue_section arrivals() {
  catalogue_section section{"arrival", "arrivals", {}};
  for (const arrival_kind kind : arrival_kinds())
    section.entries.push_back({to_string(kind), summary(kind), description(kind)});
  return section;
}

catalogue_section pipelines() {
  return {"pipeline",
          "pipelines",
          {{to_string(pipeline::single_cycle), "RC, VA, SA and ST in one cycle: a hop takes D cycles",
            R"(single_cycle  one cycle per router

Route computation (RC), VC allocation (VA), switch allocation (SA) and switch traversal (ST) follow each
other within the cycle in which a flit arrives. A hop over a link of delay D takes D cycles. See
docs/model.md.)"},
           {to_string(pipeline::four_stage), "RC, VA, SA and ST take a cycle each: a hop takes 3 + D cycles",
            R"(four_stage  the textbook's pipelined VC router

Each stage takes a cycle and reads the registers of the cycle before. Body flits request the switch in
the cycle in which they arrive. A hop over a link of delay D takes 3 + D cycles. See docs/model.md.)"},
           {to_string(pipeline::paper2009), "the papers' router, one-flit buffers: a hop takes 1 + D cycles",
            R"(paper2009  the router of the TTN and HTN simulations

Input VC to output VC buffer, output VC buffer to the next input VC: a cycle each. Every buffer holds one
flit (--depth 1), and a VC therefore passes one flit in two cycles. See docs/model.md.

Source: Rahman et al. 2009 (TTN), Sect. 5)"},
           {"custom", "your own stage counts (--stages): a hop takes rc + va + sa + st - 1 + D cycles",
            R"(custom  the stage counts of --stages rc=N,va=N,sa=N,st=N (in results: staged)

A head requests an output VC rc cycles after it arrived, and the switch va cycles after it was granted an
output VC. It is sent sa + st - 1 cycles after it was granted the switch. Each count is 0 to 7, and
sa + st is at least 1. single_cycle is rc=0,va=0,sa=0,st=1; four_stage is rc=1,va=1,sa=1,st=1. See
docs/model.md, Stages.)",
            to_string(pipeline::custom)}}};
}

catalogue_section vc_reallocations() {
  return {"vc_reallocation",
          "vc_reallocations",
          {{"non_atomic", "an output VC is free in the cycle after its packet's tail was granted the switch", "",
            "tail"},
           {"atomic", "an output VC is free when the last credit of its packet has come back", "", "drained"}},
          "regrant"};
}

template <class Kind>
catalogue_section policies(const std::string& name, const std::vector<Kind>& kinds) {
  catalogue_section section{name, name + "s", {}};
  for (const Kind& k : kinds) section.entries.push_back({k.name, k.summary, ""});
  return section;
}

catalogue_section figures() {
  catalogue_section section{"figure", "figures", {}};
  std::map<std::string, statistic> known;
  const auto add = [&](const statistic& s) {
    if (known.emplace(s.name, s).second)
      section.entries.push_back({s.name, s.description + (s.unit.empty() ? "" : ", in " + s.unit), ""});
  };
  measurement m({}, 1, nullptr);
  const topology smallest = make_topology("mesh:1x2");
  for (const statistics& list :
       {m.figures(), m.worst_source("", ""), m.precision_figures(),
        link_use(*smallest.wiring, {}, 1).figures(), link_use(*smallest.wiring, {}, 1).fairness(),
        in_physical_units(m.figures(), 1, 1, *smallest.wiring), widths_within({}),
        lengths_in_mm(*smallest.wiring, 1), rtl_figures({}), curve_summary().figures()})
    for (const statistic& s : list) add(s);
  // Of runs of other kinds, after a cycle.
  for (const char* config :
       {R"({"topology": "mesh:2x2", "traffic_mode": "request_reply", "fail_link": ["0.x+@1"], "wire_hash": true,
            "warmup": 0, "cycles": 1, "drain": 0})",
        R"({"topology": "mesh:2x2", "traffic_mode": "batch", "batch": 1})"}) {
    const named_config named = config_from_text(config, "figures");
    simulation run(named.config, named.given);
    run.leave_kernel();
    run.elaborate();
    run.run();
    for (const statistic& s : run.results().results) add(s);
  }
  for (const char* figure : {"packets", "cycles"}) {
    statistic of_replay = known[std::string("batch.") + figure];
    of_replay.name = std::string("replay.") + figure;
    add(of_replay);
  }
  const std::vector<flow> none;
  flow_source source(none, 1, 0, 1);
  for (const statistic& s : flow_statistics(none, source, 0, 1).figures()) add(s);
  report stopped;
  judge_stopped_run(stopped, false, "");
  add(stopped.results.back());
  return section;
}

/// Its values, with what a configuration calls them: "one_way (U), duplex (B)".
std::string values_of(const parameter& p) {
  std::vector<std::string> list;
  for (const parameter_value& v : p.choices)
    if (!v.name.empty()) list.push_back(v.name == v.value ? v.name : v.name + " (" + v.value + ")");
  return joined(list);
}

catalogue_section all_parameters() {
  catalogue_section section{"parameter", "parameters", {}};
  const auto defaults = [](const parameter& p) { return p.get(run_config{}).dump(); };
  for (const parameter& p : parameters())
    section.entries.push_back({p.path, "--" + p.option + "  " + p.description,
                               p.path + "  " + p.description + "\n\nOption: --" + p.option +
                                   (p.argument.empty() ? "" : " " + p.argument) +
                                   "\nDefault: " + defaults(p) +
                                   (p.choices.empty() ? "" : "\nValues: " + values_of(p)),
                               p.option});
  return section;
}

const catalogue_section& section_named(const std::string& kind) {
  std::string name = kind;
  std::replace(name.begin(), name.end(), '-', '_');
  std::vector<std::string> known;
  for (const catalogue_section& section : catalogue()) {
    if (name == section.kind || name == section.plural) return section;
    if (!section.other.empty() && (name == section.other || name == section.other + "s")) return section;
    known.push_back(section.kind);
  }
  throw std::invalid_argument(unknown_name("kind", kind, known));
}

}  // namespace

const std::vector<catalogue_section>& catalogue() {
  static const std::vector<catalogue_section> sections = {topologies(),
                                                          all_routings(),
                                                          rules(),
                                                          patterns(),
                                                          arrivals(),
                                                          pipelines(),
                                                          vc_reallocations(),
                                                          policies("allocator", allocator_entries()),
                                                          policies("arbiter", arbiter_entries()),
                                                          figures(),
                                                          all_parameters()};
  return sections;
}

std::string list_text(const std::string& kind) {
  std::string text;
  for (const catalogue_section& section : catalogue()) {
    if (kind.empty() ? section.kind == "figure" || section.kind == "parameter"
                     : &section != &section_named(kind))
      continue;
    std::size_t width = 0;
    for (const catalogue_entry& e : section.entries) width = std::max(width, e.name.size());
    text += (text.empty() ? "" : "\n") + section.plural + "\n";
    for (const catalogue_entry& e : section.entries)
      text += fmt::format("  {:<{}}  {}\n", e.name, width, e.summary);
  }
  if (kind.empty())
    text +=
        R"(
More: toriscope list figures; toriscope list parameters; toriscope describe topology ttn
)";
  return text;
}

std::string describe_text(const std::string& kind, const std::string& name) {
  const catalogue_section& section = section_named(kind);
  const auto other = std::find_if(section.entries.begin(), section.entries.end(), [&](const catalogue_entry& e) {
    return !name.empty() && e.other == name;
  });
  const catalogue_entry& e =
      other != section.entries.end() ? *other : entry_named(section.entries, name, section.kind);
  return (e.description.empty() ? e.name + "  " + e.summary : e.description) + "\n";
}

}  // namespace toriscope
