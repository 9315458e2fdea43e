// SPDX-License-Identifier: Apache-2.0
// Duato's condition, checked mechanically for an adaptive routing function with an escape: some VCs of all
// links, the escape channels.
//
//   1. Wherever a head can stand - every source, destination, channel and route state that comes about,
//      adaptive hops included - one of its options has nothing but escape VCs.
//   2. The extended dependency graph of the escape channels is acyclic. An escape channel depends on another
//      when a packet that holds it may ask for the other at the next node (direct), or after any number of
//      hops over adaptive channels (indirect).
//
// Then the escape alone leads everywhere: by 1. a walk over escape options ends nowhere but at the
// destination, and by 2. it never comes to a channel twice. And no deadlock can stand: of the packets in one,
// take an escape channel that is held and asked for, and follow who waits: the last escape channel that its
// holder holds comes later in the order of 2., the one that the holder's head waits for later still, and so
// on without end.
//
// The heads must wait at the front of their VCs for that: the proof is one for VCs that are granted again
// when they have drained. Behind a tail, heads that cannot turn to their escape may hold each other in any
// cycle of the whole graph, one of adaptive channels alone included - even where packets stay in the escape.
//
// The indirect dependencies are too many to list. Kept is a numbering of the escape channels that respects
// those known; for every destination the smallest number that each head may come to ask for is worked out,
// and where that is not greater than the number of the channel held, that dependency is added and the
// channels are numbered anew, until nothing is left to add or a cycle has been found.
//
// Source: Duato 1993, Theorem 1, with route states in the place of current nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/proof/channel.h"
#include "topologies/proof/dependency_sets.h"
#include "topologies/proof/talking_pairs.h"
#include "topologies/route.h"

namespace toriscope {

struct escape_proof {
  bool holds = false;
  std::string reason;                  ///< why or why not
  std::size_t channels = 0;            ///< escape channels in use
  std::size_t dependencies = 0;        ///< between them, that the numbering was made for
  std::vector<channel> cycle;          ///< of the extended graph, if it has one
  std::vector<std::uint32_t> numbers;  ///< by channel; only those of escape channels mean something
};

/// @param whole         dependencies of all options of packets to `destinations`
/// @param escape_vcs    not all, not none
/// @param destinations  to look at
/// @param pairs         null: packets to them come from everywhere
escape_proof prove_escape(const netlist& net, const routing_function& routing, const dependency_sets& whole,
                          vc_mask escape_vcs, const std::vector<terminal_id>& destinations,
                          const talking_pairs* pairs = nullptr);

}  // namespace toriscope
