// SPDX-License-Identifier: Apache-2.0
// VC rules for hierarchical torus networks: which class of VCs a hop may take, and what is known about
// deadlock.
//
// A packet is on its last leg when its BM is the destination's (packets within a BM from the start); before
// that it moves toward the gate of a ring, or along the ring. Bits that a rule may look at:
//   rd   the dateline bit of the ring of subnetworks under way: 0, then 1 from its wrap hop on
//   bmd  the same for the ring in the BM under way
// On each link all VCs are shared out to the classes that packets have on it, in ascending order (vc_lanes.h); under
// `paper` and the rules that are called fixed, alike on all links, as in the paper.
//
// Sources: `paper` is Rahman et al. 2012, Theorem 1, which does not hold. The others were found with channel-
// dependency graphs (channel_dependency.h), by the tests repeated for 1024 nodes and more.
#pragma once

#include <string>
#include <vector>

#include "topologies/cubes/dimension_order.h"
#include "topologies/htn/htn_paths.h"

namespace toriscope {

/// The selection algorithms that relax dimension-order routing (htn_routing.h).
struct htn_selection {
  bool links = false;     ///< LS
  bool channels = false;  ///< CS
};

/// What a rule's freedom from deadlock depends on, beside the shape.
struct htn_setting {
  htn_gates gates = htn_gates::destination;
  ring_ties ties = ring_ties::nowrap;
  htn_selection selection{};
};

struct htn_vc_rule {
  /// In between[]: any VC.
  static constexpr std::uint8_t any = 0xff;

  const char* name;
  unsigned classes;              ///< VCs it needs with L = 2
  std::uint8_t last[2];          ///< class of a hop in the last BM, by bmd
  std::uint8_t toward[3][2][2];  ///< of one toward a gate, by dimension of the ring (x, y, z), rd and bmd
  std::uint8_t between[2];       ///< of one on the ring, by rd
  bool selects_between;          ///< CS is used on rings of subnetworks too, not in the last BM only
  std::uint8_t per_level =
      0;               ///< classes more for each level above 2: toward gates of Level l the (l-2)-fold
  bool fixed = false;  ///< a class has the same VCs on all links, whatever classes packets have there

  /// VCs it needs.
  unsigned classes_in(const htn_shape& shape) const { return classes + per_level * (shape.levels - 2); }
};

/// Those made for that kind of network.
const std::vector<htn_vc_rule>& htn_vc_rules(htn_kind kind);

/// Whether the rule is free of deadlock there, as channel-dependency graphs of all packets say: with two
/// levels those of every m and n up to 4, with more levels those of smaller networks with as many. Where it
/// is not it has cycles in networks with n = 4 (P3 and P4: from L = 4 on), or has not been checked (PXd and PY
/// with gates destination and four levels).
bool htn_deadlock_free(const htn_shape& shape, const htn_setting& setting, const htn_vc_rule& rule);

/// The rule asked for by name; "safe" chooses one that is free of deadlock.
/// @throws std::invalid_argument with a line that does not name the topology: there is no such rule, it needs
/// more VCs, or no safe rule is known
const htn_vc_rule& choose_htn_vc_rule(const htn_shape& shape, const htn_setting& setting,
                                      const std::string& name, unsigned vcs);

}  // namespace toriscope
