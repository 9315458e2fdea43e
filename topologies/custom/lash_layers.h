// SPDX-License-Identifier: Apache-2.0
// Deadlock-free table routing by layers of VCs: every pair of nodes is given to one layer, in which its
// packets stay from end to end, so that the channel dependencies of each layer are acyclic. A layer takes
// pair after pair - by destination, near sources first - as long as no cycle closes; what it cannot take is
// left for the next one. The first layers have most of the pairs; each link gives its VCs to the layers that have
// routes there, by their number.
//
//   cost     a byte per ordered pair of nodes; seconds for 4096 nodes
//   limits   greedy: another order of the pairs might do with fewer layers
//
// Source: Skeie, Lysne, Theiss 2002 (LASH: layered shortest path routing).
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/custom/forwarding_table.h"
#include "topologies/netlist.h"

namespace toriscope {

struct lash_layers {
  unsigned count = 0;  ///< layers
  std::vector<std::vector<std::uint8_t>>
      layer;  ///< by table, and forwarding_table::index(source, destination)
};

/// @param tables  each leading from every node to every other
lash_layers assign_layers(const netlist& net, const std::vector<forwarding_table>& tables);

/// The VCs that each layer has on each link: all of them for one layer alone, else one each, and the others one by one
/// to the layer with the most routes per VC (of equal ones the first). In ascending order of layers; a link has as
/// many VCs as the router behind it.
/// @param vcs  of routers without a number of their own; no router has fewer than there are layers
/// @returns by link * layers.count + layer; a layer without routes on a link has all VCs there
std::vector<vc_mask> vcs_of_layers(const netlist& net, const std::vector<forwarding_table>& tables,
                                   const lash_layers& layers, unsigned vcs);

}  // namespace toriscope
