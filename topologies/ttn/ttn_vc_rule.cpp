// SPDX-License-Identifier: Apache-2.0
#include "topologies/ttn/ttn_vc_rule.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/nearest_name.h"
#include "topologies/measured_rules.h"
#include "topologies/vc_rule_names.h"

namespace toriscope {

namespace {

/// Whether networks of that kind take the rule.
bool made_for(ttn_kind kind, ttn_vc_rule rule) {
  switch (rule) {
    case ttn_vc_rule::F:
    case ttn_vc_rule::K:
      return kind != ttn_kind::sttn;
    case ttn_vc_rule::S:
      return kind == ttn_kind::sttn;
    default:
      return true;
  }
}

/// The first choice where there are VCs enough.
ttn_vc_rule best_rule(const ttn_shape& shape) {
  if (shape.kind == ttn_kind::sttn) return ttn_vc_rule::S;
  if (shape.connectivity == 0) return ttn_vc_rule::K;
  return shape.kind == ttn_kind::tesh ? ttn_vc_rule::G : ttn_vc_rule::E;
}

/// Why the rule is not made for that network; empty when it is.
std::string objection(const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule) {
  const std::string name = std::string("VC rule ") + to_string(rule);
  if (rule == ttn_vc_rule::F && shape.levels != 4)
    return name + " is made for L = 4 only, not for " + ttn_in_words(shape) + "; safe chooses one that fits";
  if (rule == ttn_vc_rule::G && shape.levels > 3)
    return name + " is made for L = 2 and 3 only, not for " + ttn_in_words(shape) +
           "; safe chooses one that fits";
  if (rule == ttn_vc_rule::K && shape.connectivity != 0)
    return name + " is made for q = 0 only, not for " + ttn_in_words(shape) + "; " +
           to_string(best_rule(shape)) + " is made for q > 0";
  if (ttn_needs_nowrap(rule) && ties != ring_ties::nowrap && !shape.mesh_modules())
    return name + " is made for tie break nowrap only, not for " + to_string(ties);
  return {};
}

ttn_vc_rule choose_safe(const ttn_shape& shape, ring_ties ties, unsigned vcs) {
  const std::string measured = measured_rule(
      {std::string(to_string(shape.kind)) + ":2," + std::to_string(shape.levels) + "," +
           std::to_string(shape.connectivity),
       shape.unidirectional ? "U" : "B", shape.mesh_modules() ? "" : to_string(ties), "", "dor", vcs});
  for (const ttn_vc_rule rule : ttn_vc_rules())
    if (measured == to_string(rule)) return rule;
  // In the order that the family showed where it was measured.
  unsigned needed = 0;
  for (const ttn_vc_rule rule :
       {best_rule(shape), ttn_vc_rule::E, ttn_vc_rule::C, ttn_vc_rule::D3, ttn_vc_rule::A}) {
    if (!objection(shape, ties, rule).empty()) continue;
    if (!ttn_deadlock_free(shape, ties, rule)) continue;
    const unsigned classes = ttn_vc_classes(rule, shape);
    if (vcs >= classes) return rule;
    needed = needed == 0 ? classes : std::min(needed, classes);
  }
  std::string network =
      ttn_in_words(shape) + " with " + links_name(shape.unidirectional ? "U" : "B") + " links";
  if (!shape.mesh_modules()) network += std::string(" and tie break ") + to_string(ties);
  if (needed == 0)
    throw std::invalid_argument("no VC rule is known to be free of deadlock in " + network +
                                "; use tie break nowrap, or name a rule");
  throw std::invalid_argument("no VC rule free of deadlock in " + network + " is known for " +
                              std::to_string(vcs) + (vcs == 1 ? " VC" : " VCs") + "; it needs at least " +
                              std::to_string(needed));
}

}  // namespace

const std::vector<ttn_vc_rule>& ttn_vc_rules() {
  static const std::vector<ttn_vc_rule> rules{ttn_vc_rule::paper, ttn_vc_rule::A, ttn_vc_rule::C,
                                              ttn_vc_rule::D3,    ttn_vc_rule::E, ttn_vc_rule::F,
                                              ttn_vc_rule::G,     ttn_vc_rule::K, ttn_vc_rule::S};
  return rules;
}

const char* to_string(ttn_vc_rule rule) {
  static const char* const names[] = {"paper", "A", "C", "D3", "E", "F", "G", "K", "S"};
  return names[static_cast<unsigned>(rule)];
}

std::vector<unsigned> ttn_bm_classes(ttn_vc_rule rule, const ttn_shape& shape) {
  std::set<unsigned> classes;
  for (const bool bmd : {false, true}) {
    if (bmd && shape.mesh_modules()) continue;
    classes.insert(ttn_bm_class(rule, shape, {true, 0, false, false, false, bmd}));
    for (unsigned digit = 2; digit < shape.digits(); ++digit) {
      const unsigned level = ttn_level(digit);
      const bool horizontal = ttn_horizontal(digit);
      classes.insert(ttn_bm_class(rule, shape, {false, level, horizontal, false, false, bmd}));
      for (unsigned group = 0; group < shape.groups(); ++group) {
        const ttn_gates gates = ttn_gates_of(shape, digit, group);
        if (gates.in == gates.out) continue;  // no hop in the BM between two of the ring
        for (const bool rd : {false, true})
          classes.insert(ttn_bm_class(rule, shape, {false, level, horizontal, true, rd, bmd}));
      }
    }
  }
  return {classes.begin(), classes.end()};
}

unsigned ttn_vc_classes(ttn_vc_rule rule, const ttn_shape& shape) {
  return std::max(2u, static_cast<unsigned>(ttn_bm_classes(rule, shape).size()));
}

bool ttn_needs_nowrap(ttn_vc_rule rule) { return rule != ttn_vc_rule::paper && rule != ttn_vc_rule::C; }

unsigned ttn_bm_class(ttn_vc_rule rule, const ttn_shape& shape, const ttn_bm_hop& hop) {
  const unsigned rd = hop.ring_dateline ? 1 : 0;
  const unsigned bmd = hop.bm_dateline ? 1 : 0;
  switch (rule) {
    case ttn_vc_rule::paper:
      return bmd;
    case ttn_vc_rule::A:
      return hop.last_phase ? 1 : 0;
    case ttn_vc_rule::C:
      return (hop.last_phase ? 2 : 0) + bmd;
    case ttn_vc_rule::D3:
      return hop.last_phase ? 2 : rd;
    case ttn_vc_rule::E:
      return hop.last_phase ? 3 : (hop.horizontal ? 1 : 0) + rd;
    case ttn_vc_rule::F:
      return hop.last_phase ? 3 : (hop.level <= 3 ? 0 : 1 + rd);
    case ttn_vc_rule::G:
      if (hop.last_phase) return 3;
      if (hop.ring_dateline) return 0;
      return hop.horizontal && (hop.in_ring || hop.level == 2) ? 1 : 2;
    case ttn_vc_rule::S:
      if (hop.last_phase) return shape.unidirectional ? shape.levels : 2 * shape.levels - 1;
      return shape.unidirectional ? hop.level - 1 - rd : 2 * (hop.level - 1) - (hop.horizontal ? 1 : 0) - rd;
    case ttn_vc_rule::K:
      break;
  }
  // Numbered downwards on the way: past its dateline a level may take the first class of the level below.
  return hop.last_phase ? 3 : (hop.level <= 3 ? 0 : hop.level - 3 - rd);
}

bool ttn_deadlock_free(const ttn_shape& shape, ring_ties, ttn_vc_rule rule) {
  const bool one_gate = shape.connectivity == 0 || (shape.connectivity == 1 && shape.levels == 2);
  const bool sttn = shape.kind == ttn_kind::sttn;
  const bool tesh = shape.kind == ttn_kind::tesh;
  switch (rule) {
    case ttn_vc_rule::paper:
      return false;
    case ttn_vc_rule::A:
    case ttn_vc_rule::C:
      // Needs rings that come in where they leave: blocks 2 and 3, and the sides of STTN, have V_in != V_out.
      return shape.levels <= 3 && one_gate && !sttn;
    case ttn_vc_rule::D3:
      if (shape.levels > 3) return false;
      if (sttn) return shape.unidirectional;
      return one_gate || shape.levels == 2 || (shape.unidirectional && !tesh);
    case ttn_vc_rule::E:
      return shape.levels <= 3 && !(tesh && shape.levels == 3 && shape.connectivity == 1);
    case ttn_vc_rule::G:
      return !(sttn && shape.levels == 3 && !shape.unidirectional);
    case ttn_vc_rule::F:
    case ttn_vc_rule::K:
    case ttn_vc_rule::S:
      break;
  }
  return true;
}

ttn_vc_rule choose_ttn_vc_rule(const ttn_shape& shape, ring_ties ties, const std::string& name,
                               unsigned vcs) {
  if (name == "safe") return choose_safe(shape, ties, vcs);
  std::vector<std::string> known{"safe"};
  for (const ttn_vc_rule rule : ttn_vc_rules()) {
    if (!made_for(shape.kind, rule)) continue;
    known.emplace_back(to_string(rule));
    if (name != to_string(rule)) continue;
    const std::string why_not = objection(shape, ties, rule);
    if (!why_not.empty()) throw std::invalid_argument(why_not);
    const unsigned classes = ttn_vc_classes(rule, shape);
    if (vcs < classes)
      throw std::invalid_argument("VC rule " + name + " needs at least " + std::to_string(classes) +
                                  " VCs, not " + std::to_string(vcs));
    return rule;
  }
  throw std::invalid_argument("VC rule '" + name + "' is not made for " +
                              (shape.kind == ttn_kind::sttn ? "an " : "a ") + ttn_in_words(shape.kind) +
                              "; it has: " + joined(known));
}

}  // namespace toriscope
