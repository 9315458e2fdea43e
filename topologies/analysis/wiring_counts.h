// SPDX-License-Identifier: Apache-2.0
// What a network is made of: ports in use, links, wire lengths.
//
//   degree  wires that end at a node, whichever way they go: a full-duplex one counts once (Rahman et al. 2009,
//           Sect. 4.1: links emanating from a node; its one-way rings end at two ports of a node, as in its Fig. 1).
//           A port that sends to one node and receives from another (butterfly) has two
//   links   wires between two ports: a pair of directed links both ways between the same ports is one
#pragma once

#include <cstdint>

#include "topologies/netlist.h"

namespace toriscope {

struct wiring_counts {
  unsigned degree_min = 0;
  unsigned degree_max = 0;
  std::uint64_t links = 0;           ///< full-duplex pairs counted once
  std::uint64_t directed_links = 0;  ///< one per direction
  bool has_places = true;            ///< else nothing is known of where wires run
  bool has_lengths = true;           ///< else the next two tell nothing
  std::uint64_t total_length = 0;    ///< of the links, in node pitches (netlist_link::length)
  unsigned longest = 0;              ///< likewise
};

wiring_counts count_wiring(const netlist& net);

/// The link back over the same wire; no_link when the wire goes one way.
link_id way_back(const netlist& net, link_id l);

/// Calls f(link) for one link of each wire: the first of a full-duplex pair.
template <class Function>
void for_each_wire(const netlist& net, Function f) {
  const auto count = static_cast<link_id>(net.links().size());
  for (link_id l = 0; l < count; ++l)
    if (way_back(net, l) >= l) f(net.link(l));  // no_link is beyond all links
}

}  // namespace toriscope
