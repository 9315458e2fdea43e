// SPDX-License-Identifier: Apache-2.0
// VC rules for TTN, TESH and STTN: which class of VCs a packet may take, and what is known about deadlock
// under each rule.
//
// A packet is in its last phase (3) when its BM is the destination's, packets within a BM from the start;
// before that it moves toward a gate of the ring to be taken next, or along that ring. Bits that a rule may
// look at:
//   rd   the ring's dateline: 0, then 1 from its wrap hop on; 0 on the way to a ring's first gate
//   bmd  the same for the row or column of the BM under way
//   whether the hop is one toward a ring's first gate, or inside a ring (where in and out are two nodes)
// Inter-BM links have two classes, rd, under every rule. On each link all VCs are shared out to the classes that
// packets can have on that link, in ascending order: K has four classes in the BM, but at L = 2 and 3 packets take
// two of them only, and each has half of the VCs where both occur; the wrap link of a ring has class 1 only. Under
// `paper` each link has two classes, occur they or not, as published.
//
// Sources: `paper` is Rahman et al. 2009, Theorem 1 - which does not hold: cycles were found in every TTN
// tried, and in TESH, where it leaves one VC for all phases in the BM. The other rules were found with
// channel-dependency graphs (channel_dependency.h); ttn_deadlock_free() says where they hold.
#pragma once

#include <string>
#include <vector>

#include "topologies/cubes/dimension_order.h"
#include "topologies/ttn/ttn_shape.h"

namespace toriscope {

enum class ttn_vc_rule { paper, A, C, D3, E, F, G, K, S };

/// All of them, in that order.
const std::vector<ttn_vc_rule>& ttn_vc_rules();
/// "paper", "A" ...
const char* to_string(ttn_vc_rule rule);
/// The VCs it needs: as many as classes are used in the BM, and two for inter-BM links.
unsigned ttn_vc_classes(ttn_vc_rule rule, const ttn_shape& shape);
/// Whether the rule is made for ties that never use a wrap link of the BM (nowrap) only.
bool ttn_needs_nowrap(ttn_vc_rule rule);

/// What the class of a hop within a BM may depend on.
struct ttn_bm_hop {
  bool last_phase;     ///< in the destination's BM
  unsigned level;      ///< of the ring whose gate is the goal; not used in the last phase
  bool horizontal;     ///< whether that is an H ring
  bool in_ring;        ///< it came by that ring
  bool ring_dateline;  ///< rd; only inside a ring
  bool bm_dateline;    ///< bmd, this hop included
};
/// Numbered as the rule has them, used or not.
unsigned ttn_bm_class(ttn_vc_rule rule, const ttn_shape& shape, const ttn_bm_hop& hop);
/// The classes that packets take in the BM, ascending.
std::vector<unsigned> ttn_bm_classes(ttn_vc_rule rule, const ttn_shape& shape);

/// Whether the rule is free of deadlock there, as channel-dependency graphs of all packets say (the tests
/// repeat that up to L = 4, and up to L = 5 where it is); where not, they have cycles. Holds for the shapes
/// and ties that choose_ttn_vc_rule() accepts for the rule.
bool ttn_deadlock_free(const ttn_shape& shape, ring_ties ties, ttn_vc_rule rule);

/// The rule asked for by name; "safe" chooses one that is free of deadlock.
/// @throws std::invalid_argument with a line that does not name the topology: the rule is not made for that
/// shape or those ties, it needs more VCs, or no safe rule is known
ttn_vc_rule choose_ttn_vc_rule(const ttn_shape& shape, ring_ties ties, const std::string& name, unsigned vcs);

}  // namespace toriscope
