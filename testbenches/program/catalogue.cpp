// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"
#include "router/allocation/registry.h"
#include "testbenches/experiments/sweep/curve_search.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/rtl_figures.h"
#include "testbenches/simulation/statistics/link_use.h"
#include "testbenches/simulation/statistics/measurement.h"
#include "testbenches/simulation/traffic/arrivals.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

std::string lines(const std::string& title, const std::vector<std::string>& items) {
  std::string text = title + ":\n";
  for (const std::string& item : items) text += "  " + item + "\n";
  return text;
}

std::string routings_of(const topology_kind& k) {
  if (k.routings.empty()) return "Routings: none; to be analysed only\n";
  return "Routings: " + joined(k.routings) + "\n" +
         (k.gates.empty() ? "" : "Gates: " + joined(k.gates) + "\n");
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
  for (const vc_rule_kind& k : vc_rules())
    section.entries.push_back({k.name, k.summary,
                               k.name + "  " + k.summary + "\n\n" + k.description +
                                   "\n\nTopologies: " + joined(k.topologies) + "\nVCs: " + k.vcs + "\n" +
                                   lines("Examples", k.examples) + "Source: " + k.source});
  return section;
}

catalogue_section all_routings() {
  catalogue_section section{"routing", "routings", {}};
  for (const routing_kind& k : routings())
    section.entries.push_back({k.name, k.summary,
                               k.name + "  " + k.summary + "\n\n" + k.description +
                                   "\n\nTopologies: " + joined(k.topologies) + "\n" +
                                   lines("Examples", k.examples) + "Source: " + k.source});
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
  return {
      "pipeline",
      "pipelines",
      {{to_string(pipeline::single_cycle), "RC, VA, SA and ST in one cycle: a hop is D cycles",
        R"(single_cycle  one cycle per router

Routing computation, VC allocation, switch allocation and switch traversal follow each other within the
cycle in which a flit is shown; a hop over a link of delay D takes D cycles. See docs/model.md.)"},
       {to_string(pipeline::four_stage), "RC, VA, SA, ST, a cycle each: a hop is 3 + D cycles",
        R"(four_stage  the textbook's pipelined VC router

Each stage takes a cycle and works on the registers of the cycle before. Body flits take part in switch
allocation in the cycle in which they are shown. A hop over a link of delay D takes 3 + D cycles. See
docs/model.md.)"},
       {to_string(pipeline::paper2009), "the papers' router, one-flit buffers: a hop is 1 + D cycles",
        R"(paper2009  the router of the TTN and HTN simulations

Input VC to output VC buffer, output VC buffer to the next input VC: a cycle each. All buffers hold one
flit (--depth 1), so that a VC passes one flit in two cycles. See docs/model.md.

Source: Rahman et al. 2009 (TTN), Sect. 5)"},
       {to_string(pipeline::staged),
        "stage counts of one's own (--stages): a hop is rc + va + sa + st - 1 + D",
        R"(staged  as --stages rc=N,va=N,sa=N,st=N says

A head takes part in VA rc cycles after it was routed, in SA va cycles after it was granted an output VC,
and is sent sa + st - 1 cycles after it was granted the switch; 0 to 7 cycles each, sa + st at least 1.
single_cycle is rc=0,va=0,sa=0,st=1, four_stage rc=1,va=1,sa=1,st=1. See docs/model.md, Stages.)"}}};
}

catalogue_section regrants() {
  return {"regrant",
          "regrants",
          {{"tail", "an output VC is free in the cycle after its packet's tail was granted the switch", ""},
           {"drained", "an output VC is free when the last credit of its packet has come back", ""}}};
}

template <class Kind>
catalogue_section policies(const std::string& name, const std::vector<Kind>& kinds) {
  catalogue_section section{name, name + "s", {}};
  for (const Kind& k : kinds) section.entries.push_back({k.name, k.summary, ""});
  return section;
}

catalogue_section figures() {
  catalogue_section section{"figure", "figures", {}};
  measurement m({}, 1, nullptr);
  const topology smallest = make_topology("mesh:1x2");
  for (const statistics& list :
       {m.figures(), m.worst_source("", ""), m.precision_figures(), link_use(*smallest.wiring, {}, 1).figures(),
        rtl_figures({}), curve_summary().figures()})
    for (const statistic& s : list)
      section.entries.push_back({s.name, s.description + (s.unit.empty() ? "" : ", in " + s.unit), ""});
  return section;
}

catalogue_section all_parameters() {
  catalogue_section section{"parameter", "parameters", {}};
  const auto defaults = [](const parameter& p) { return p.get(run_config{}).dump(); };
  for (const parameter& p : parameters())
    section.entries.push_back({p.path, p.description,
                               p.path + "  " + p.description + "\n\nOption: --" + p.option +
                                   (p.argument.empty() ? "" : " " + p.argument) +
                                   "\nDefault: " + defaults(p) +
                                   (p.choices.empty() ? "" : "\nValues: " + joined(p.choices))});
  return section;
}

const catalogue_section& section_named(const std::string& kind) {
  std::string name = kind;
  std::replace(name.begin(), name.end(), '-', '_');
  std::vector<std::string> known;
  for (const catalogue_section& section : catalogue()) {
    if (name == section.kind || name == section.plural) return section;
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
                                                          regrants(),
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
Also: toriscope list figures | parameters; toriscope describe KIND NAME, e.g. describe topology ttn
)";
  return text;
}

std::string describe_text(const std::string& kind, const std::string& name) {
  const catalogue_section& section = section_named(kind);
  const catalogue_entry& e = entry_named(section.entries, name, section.kind);
  return (e.description.empty() ? e.name + "  " + e.summary : e.description) + "\n";
}

}  // namespace toriscope
