// SPDX-License-Identifier: Apache-2.0
// A picture of a network as SVG: the planar layout (planar_layout.h) with a frame round every module, links
// by level in colour and stroke, wires that pass over other nodes as arcs, and a legend.
//
//   flat graphs  without routing and with one digit or unequal neighbourhoods: nodes on a circle
//   labels       addresses of the nodes, up to 256 of them
//   limits       links are left out one by one only by the eye: some 4096 nodes make a large file
#pragma once

#include <string>

#include "topologies/registry.h"

namespace toriscope {

/// @returns a whole SVG document
std::string network_picture(const topology& network);

}  // namespace toriscope
