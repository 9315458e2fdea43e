// SPDX-License-Identifier: Apache-2.0
#include "topologies/htn/htn_vc_rule.h"

#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"
#include "topologies/measured_rules.h"

namespace toriscope {

namespace {

std::string in_words(const htn_shape& shape, const htn_setting& setting) {
  std::string choices;
  if (shape.kind == htn_kind::htn)
    choices = setting.gates == htn_gates::nearest ? "gateways nearest, " : "gateways destination, ";
  if (setting.selection.links)
    choices += setting.selection.channels ? "routing ls+cs" : "routing ls";
  else
    choices +=
        std::string(setting.selection.channels ? "routing cs, " : "") + "tie break " + to_string(setting.ties);
  return shape.in_words() + " (" + choices + ")";
}

measured_network as_measured(const htn_shape& shape, const htn_setting& setting, unsigned vcs) {
  std::string spec = std::string(to_string(shape.kind)) + ":";
  for (const unsigned number : {shape.m, shape.n, shape.levels}) spec += std::to_string(number) + ",";
  const htn_selection& selection = setting.selection;
  return {spec + std::to_string(shape.connectivity),
          "B",
          to_string(setting.ties),
          shape.kind != htn_kind::htn           ? ""
          : setting.gates == htn_gates::nearest ? "nearest"
                                                : "destination",
          selection.links ? (selection.channels ? "ls+cs" : "ls") : (selection.channels ? "cs" : "dor"),
          vcs};
}

const htn_vc_rule& choose_safe(const htn_shape& shape, const htn_setting& setting, unsigned vcs) {
  const std::vector<htn_vc_rule>& rules = htn_vc_rules(shape.kind);
  const std::string measured = measured_rule(as_measured(shape, setting, vcs));
  for (const htn_vc_rule& rule : rules)
    if (measured == rule.name) return rule;
  unsigned needed = 0;
  for (const htn_vc_rule& rule : rules) {
    if (!htn_deadlock_free(shape, setting, rule)) continue;
    // Where any VC is allowed there is nothing to select; and P3w is for those who select.
    if (setting.selection.channels && rule.between[0] == htn_vc_rule::any) continue;
    if (!setting.selection.channels && rule.name == std::string("P3w")) continue;
    const unsigned classes = rule.classes_in(shape);
    if (vcs >= classes) return rule;
    needed = needed == 0 ? classes : std::min(needed, classes);
  }
  const std::string network = in_words(shape, setting);
  if (needed != 0)
    throw std::invalid_argument("no VC rule free of deadlock in " + network + " is known for " +
                                std::to_string(vcs) + (vcs == 1 ? " VC" : " VCs") + "; it needs at least " +
                                std::to_string(needed));
  const bool nearest_helps = setting.gates != htn_gates::nearest;  // in 3D there is a rule for all
  throw std::invalid_argument("no VC rule is known to be free of deadlock in " + network +
                              (nearest_helps ? "; with gateways nearest there is one" : ""));
}

}  // namespace

const std::vector<htn_vc_rule>& htn_vc_rules(htn_kind kind) {
  constexpr std::uint8_t any = htn_vc_rule::any;
  // In order of preference. Toward gates of x, y and z rings, for each before and after the ring's dateline.
  static const std::vector<htn_vc_rule> of_htn = {
      {"P3w", 3, {0, 1}, {{{2, 2}, {1, 1}}, {{2, 2}, {1, 1}}, {}}, {0, 1}, true},
      {"PY", 3, {0, 0}, {{{2, 2}, {2, 2}}, {{1, 1}, {1, 1}}, {}}, {any, any}, true},
      {"PXd", 3, {0, 0}, {{{2, 2}, {2, 2}}, {{1, 1}, {1, 1}}, {}}, {0, 1}, true},
      {"P3", 3, {0, 1}, {{{2, 2}, {1, 1}}, {{2, 2}, {1, 1}}, {}}, {0, 1}, false},
      {"P4", 4, {0, 1}, {{{2, 2}, {3, 3}}, {{2, 2}, {3, 3}}, {}}, {0, 1}, false},
      {"paper", 3, {0, 1}, {{{0, 1}, {0, 1}}, {{0, 1}, {0, 1}}, {}}, {0, 2}, true, 0, true},
      {"PXd_fixed", 3, {0, 0}, {{{2, 2}, {2, 2}}, {{1, 1}, {1, 1}}, {}}, {0, 1}, true, 0, true},
      {"P3_fixed", 3, {0, 1}, {{{2, 2}, {1, 1}}, {{2, 2}, {1, 1}}, {}}, {0, 1}, false, 0, true},
  };
  static const std::vector<htn_vc_rule> of_3d = {
      {"M3", 3, {0, 0}, {{{1, 1}, {1, 1}}, {{1, 1}, {1, 1}}, {{2, 2}, {2, 2}}}, {any, any}, false, 2},
      {"M5", 5, {0, 1}, {{{3, 3}, {2, 2}}, {{3, 3}, {2, 2}}, {{4, 4}, {3, 3}}}, {1, 0}, false, 2},
  };
  return kind == htn_kind::htn ? of_htn : of_3d;
}

bool htn_deadlock_free(const htn_shape& shape, const htn_setting& setting, const htn_vc_rule& rule) {
  const std::string name = rule.name;
  const bool nearest = setting.gates == htn_gates::nearest;
  const bool nowrap = setting.ties == ring_ties::nowrap && !setting.selection.links;
  // With nowrap and at most four in a ring, a wrap hop is the only one of its dimension.
  const bool rings_of_four = shape.m <= 4 && shape.n <= 4;
  // With gates destination a packet's way looks at digits below, and four levels were proven for n = 2 only.
  if (name == "PXd" || name == "PXd_fixed" || name == "PY")
    return nowrap && rings_of_four && (nearest || shape.levels <= 3 || (shape.levels == 4 && shape.n == 2));
  if (name == "P3" || name == "P3_fixed" || name == "P4") return nearest && shape.levels <= 3;
  if (name == "P3w") {
    const bool selects = setting.selection.channels;  // else it is P3 by another name
    return nearest && shape.levels <= 3 && (!selects || (nowrap && shape.n <= 4));
  }
  if (name == "M3") return nowrap && rings_of_four;
  if (name == "M5") return true;
  return false;
}

const htn_vc_rule& choose_htn_vc_rule(const htn_shape& shape, const htn_setting& setting,
                                      const std::string& name, unsigned vcs) {
  if (name == "safe") return choose_safe(shape, setting, vcs);
  std::vector<std::string> known{"safe"};
  for (const htn_vc_rule& rule : htn_vc_rules(shape.kind)) {
    known.emplace_back(rule.name);
    if (name != rule.name) continue;
    if (vcs < rule.classes_in(shape))
      throw std::invalid_argument("VC rule " + name + " needs at least " +
                                  std::to_string(rule.classes_in(shape)) + " VCs, not " +
                                  std::to_string(vcs));
    return rule;
  }
  throw std::invalid_argument("VC rule '" + name + "' is not made for it; it has: " + joined(known));
}

}  // namespace toriscope
