// SPDX-License-Identifier: Apache-2.0
// The static proof of freedom from deadlock: the channel-dependency graph, built from the very routing
// function that the routers ask.
//
// A channel is a directed link together with a VC. It depends on another when a packet that holds it may ask
// for the other at the next node. Followed are all packets: every source, every destination, every VC of
// every option, every route state that comes about. Injection and ejection channels cannot be part of a cycle
// and are left out. An acyclic graph proves that wormhole routing is free of deadlock; a cycle is only the
// possibility of one when the routing is adaptive, for routing with one option a deadlock can be built from
// it in almost every case.
//
// Cost: packet_explorer.h; verdicts, and other ways to them: deadlock_proof.h.
//
// Source: Dally, Seitz 1987, Theorem 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/proof/channel.h"
#include "topologies/route.h"

namespace toriscope {

struct channel_dependencies {
  std::size_t channels = 0;      ///< of the network: links * VCs
  std::size_t dependencies = 0;  ///< edges of the graph
  std::vector<channel>
      cycle;  ///< a short one, each channel depending on the next and the last on the first; empty: none

  bool acyclic() const { return cycle.empty(); }
  /// "acyclic: 1088 channels, 2304 dependencies", or "cycle of 3: 10.00 y+ vc0 -> ...".
  std::string in_words(const netlist& net) const;
};

/// @param vcs           of each port, as the routing function was made for
/// @param destinations  packets to these only; empty: to all nodes. A cycle found for some is a cycle; the
/// absence of one
///                      is a proof for all only
/// @throws std::logic_error when the routing function does what it may not (see path.h)
channel_dependencies find_channel_dependencies(const netlist& net, const routing_function& routing,
                                               unsigned vcs,
                                               const std::vector<terminal_id>& destinations = {});

}  // namespace toriscope
