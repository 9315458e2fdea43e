// SPDX-License-Identifier: Apache-2.0
#include "topologies/registry.h"

#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"
#include "base/words.h"
#include "topologies/families.h"
#include "topologies/message_class_routing.h"
#include "topologies/vc_classes.h"
#include "topologies/vc_rule_names.h"

namespace toriscope {

namespace {

/// In the order in which they are listed.
const std::vector<topology_family>& families() {
  static const std::vector<topology_family> all = {cube_family(),     ttn_family(),     htn_family(),
                                                   rdt_family(),      graph_family(),   custom_family(),
                                                   switches_family(), chiplets_family()};
  return all;
}

template <class Item>
void append(std::vector<Item>& to, const std::vector<Item>& items) {
  to.insert(to.end(), items.begin(), items.end());
}

/// Adds an entry, or puts its texts behind those of the entry of that name.
template <class Kind>
void merge(std::vector<Kind>& kinds, const Kind& kind) {
  const auto same =
      std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return k.name == kind.name; });
  if (same == kinds.end()) {
    kinds.push_back(kind);
    return;
  }
  append(same->topologies, kind.topologies);
  append(same->examples, kind.examples);
  same->description += "\n" + joined(kind.topologies) + ": " + kind.summary + ".\n" + kind.description;
  if (same->source != kind.source) same->source += "; " + kind.source;
}

struct rule_name {
  const char* letter;
  const char* name;
};

/// By what they divide VCs into classes, beside the class of the last phase that all of them have.
constexpr rule_name rule_names[] = {
    // TTN, TESH, STTN
    {"A", "last_phase"},
    {"C", "module_dateline"},
    {"D3", "ring_dateline"},
    {"E", "ring_axis"},
    {"F", "level4_dateline"},
    {"G", "ring_axis_descending"},
    {"K", "level_descending"},
    {"S", "level_axis_descending"},
    // HTN
    {"P3", "gate_dateline"},
    {"P3w", "gate_dateline_selecting"},
    {"P4", "gate_dateline_separate"},
    {"P3_fixed", "gate_dateline_fixed"},
    {"PXd", "gate_axis_dateline"},
    {"PXd_fixed", "gate_axis_dateline_fixed"},
    {"PY", "gate_axis"},
    // MH3DT, H3D-torus
    {"M3", "gate_axis_3d"},
    {"M5", "gate_axis_3d_dateline"},
};

const topology_kind& kind_named(const std::string& name) {
  return entry_named(topology_kinds(), name, "topology");
}

/// The choice, or the kind's default. @throws when it has no such choice
std::string resolved(const std::string& spec, const std::string& what, const std::string& choice,
                     const std::vector<std::string>& choices) {
  if (choice.empty()) return choices.empty() ? "" : choices.front();
  if (std::find(choices.begin(), choices.end(), choice) != choices.end()) return choice;
  throw std::invalid_argument("topology '" + spec + "' " +
                              (choices.empty()
                                   ? "has no choice of " + what
                                   : "has no " + what + " '" + choice + "'; it has: " + joined(choices)));
}

topology make(const topology_kind& kind, const std::string& arguments, const topology_options& options) {
  topology made = kind.make(arguments, options);
  made.choice.routing = options.routing;
  made.choice.gates = options.gates;
  return made;
}

topology make_in_classes(const topology_kind& kind, const std::string& arguments,
                         const topology_options& options) {
  if (options.message_classes == 0 || options.vcs % options.message_classes != 0)
    throw std::invalid_argument(std::to_string(options.vcs) + " VCs cannot be divided evenly among " +
                                std::to_string(options.message_classes) + " message classes");
  topology_options of_class = options;
  of_class.vcs = options.vcs / options.message_classes;
  try {
    topology made = make(kind, arguments, of_class);
    for (node_id n = 0; n < made.wiring->node_count(); ++n)
      if (made.wiring->vcs_of(n, 0) != 0)
        throw std::invalid_argument(
            "topology '" + options.spec + "': " + made.wiring->address(n) +
            " has VCs of its own, which cannot be divided; let the classes share VCs");
    if (made.routing) made.routing = std::make_shared<message_class_routing>(made.routing, of_class.vcs);
    return made;
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(error.what()) + " (each of " +
                                std::to_string(options.message_classes) + " message classes has " +
                                std::to_string(of_class.vcs) + " of the " + std::to_string(options.vcs) +
                                " VCs)");
  }
}

}  // namespace

const std::vector<topology_kind>& topology_kinds() {
  static const std::vector<topology_kind> kinds = [] {
    std::vector<topology_kind> all;
    for (const topology_family& family : families()) append(all, family.kinds);
    return all;
  }();
  return kinds;
}

const std::vector<routing_kind>& routings() {
  static const std::vector<routing_kind> kinds = [] {
    std::vector<routing_kind> all;
    for (const topology_family& family : families())
      for (const routing_kind& kind : family.routings) merge(all, kind);
    return all;
  }();
  return kinds;
}

const std::vector<vc_rule_kind>& vc_rules() {
  static const std::vector<vc_rule_kind> kinds = [] {
    std::vector<std::string> routed;
    for (const topology_kind& kind : topology_kinds())
      if (!kind.routings.empty()) routed.push_back(kind.name);
    std::vector<vc_rule_kind> all = {{"safe",
                                      routed,
                                      "1..4",
                                      "a rule that is free of deadlock in the network at hand",
                                      {"--vc-rule safe"},
                                      "The default. Chooses a proven rule for the topology, its routing, "
                                      "links, ties and number of VCs, or says "
                                      "how many\n"
                                      "VCs are needed, or that none is known.",
                                      "channel-dependency proof of the rule chosen"}};
    for (const topology_family& family : families())
      for (const vc_rule_kind& kind : family.vc_rules) merge(all, kind);
    return all;
  }();
  return kinds;
}

std::string vc_rule_name(const std::string& rule) {
  for (const rule_name& r : rule_names)
    if (rule == r.letter) return r.name;
  return rule;
}

std::string vc_rule_letter(const std::string& rule) {
  for (const rule_name& r : rule_names)
    if (rule == r.name) return r.letter;
  return rule;
}

std::string vc_rule_title(const std::string& rule) {
  const std::string name = vc_rule_name(rule);
  return name == rule ? rule : name + " (" + rule + ")";
}

topology make_topology(const std::string& spec, topology_options options) {
  options.spec = spec;
  return make_topology(options);
}

topology make_topology(const topology_options& options) {
  const std::string& spec = options.spec;
  const std::size_t colon = spec.find(':');
  const topology_kind& kind = kind_named(spec.substr(0, colon));
  if (colon == std::string::npos || colon + 1 == spec.size())
    throw std::invalid_argument("topology '" + spec + "' needs arguments, " + kind.name + ":" +
                                kind.arguments + "; for example " + kind.examples.front());
  if (options.links != "U" && options.links != "B")
    throw std::invalid_argument("links '" + options.links + "': expected U (one-way) or B (duplex)");
  if (options.vcs == 0 || options.vcs > max_vcs)
    throw std::invalid_argument(std::to_string(options.vcs) + " VCs; 1 to " + std::to_string(max_vcs) +
                                " are supported");
  topology_options chosen = options;
  chosen.vc_rule = vc_rule_letter(options.vc_rule);
  const std::vector<std::string> rules = names_of(vc_rules());
  if (std::find(rules.begin(), rules.end(), chosen.vc_rule) == rules.end())
    throw std::invalid_argument(unknown_name("VC rule", options.vc_rule, rules));
  chosen.routing = resolved(spec, "routing", options.routing, kind.routings);
  chosen.gates = resolved(spec, "gates", options.gates, kind.gates);
  const std::string arguments = spec.substr(colon + 1);
  return options.message_classes == 1 ? make(kind, arguments, chosen)
                                      : make_in_classes(kind, arguments, chosen);
}

std::vector<std::string> networks_in(const std::string& spec) {
  const std::string chiplets = "chiplets:";
  if (!begins_with(spec, chiplets)) return {spec};
  std::vector<std::string> networks = split(std::string_view(spec).substr(chiplets.size()), '+');
  networks.resize(std::min<std::size_t>(networks.size(), 2));
  return networks;
}

std::vector<std::string> split_specs(const std::string& text) {
  const auto begins = [](const std::string& piece) {
    return std::any_of(topology_kinds().begin(), topology_kinds().end(),
                       [&](const topology_kind& kind) { return begins_with(piece, kind.name + ':'); });
  };
  std::vector<std::string> specs;
  for (const std::string& piece : split(text, ',')) {
    if (specs.empty() || begins(piece))
      specs.push_back(piece);
    else
      specs.back() += "," + piece;
  }
  return specs;
}

topology make_routed_topology(const topology_options& options, const std::string& lacking) {
  const auto refuse = [&] {
    throw std::invalid_argument("topology '" + options.spec + "' has no routing algorithm " + lacking +
                                "; toriscope analyze takes it");
  };
  if (kind_named(options.spec.substr(0, options.spec.find(':'))).routings.empty()) refuse();
  topology made = make_topology(options);
  if (!made.routing) refuse();
  return made;
}

}  // namespace toriscope
