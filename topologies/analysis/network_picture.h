// SPDX-License-Identifier: Apache-2.0
// A picture of a network as SVG: the planar layout (planar_layout.h) with a frame round every module, links
// by level in colour and stroke, wires that pass over other nodes as arcs, and a legend.
//
//   use          links in the colour of their busy share, the rim of a node in that of its injection or ejection
//                port; of the two ways of a wire, and of the two ports of a node, the busier one
//   flat graphs  without routing and with one digit or unequal neighbourhoods: nodes on a circle
//   labels       addresses of the nodes, up to 256 of them
//   limits       links are left out one by one only by the eye: some 4096 nodes make a large file
#pragma once

#include <string>
#include <vector>

#include "topologies/registry.h"

namespace toriscope {

/// How busy wires are: shares of the cycles in which they are in use.
struct busy_shares {
  std::vector<double> links;      ///< by number
  std::vector<double> injection;  ///< by terminal
  std::vector<double> ejection;   ///< by terminal
};

/// @param use  of this network, or null: colours by level
/// @returns a whole SVG document
std::string network_picture(const topology& network, const busy_shares* use = nullptr);

}  // namespace toriscope
