// SPDX-License-Identifier: Apache-2.0
// Virtual channels that no packet may ever take, whatever the traffic: what a VC rule leaves idle. Found while all
// packets are followed for the proof (packet_explorer.h); links that the same VCs are idle on are counted together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

struct unused_vcs {
  vc_mask vcs;        ///< no packet may take any of them
  std::size_t links;  ///< on this number of links
  link_id first;      ///< the one with the lowest number
};

/// @param used  by link: the VCs that some packet may take
/// @param vcs   of each port, of a router without a number of its own
/// @return the idle VCs, in order of the first link; empty: some packet may take every VC of every link
std::vector<unused_vcs> unused_among(const netlist& net, const std::vector<vc_mask>& used, unsigned vcs);

/// "0 1 on 32 of 256 links (00.x+ ...), 2 3 on 128 of 256 links (00.y+ ...)"; empty for none.
std::string in_words(const netlist& net, const std::vector<unused_vcs>& unused);

/// "0 1" for VCs 0 and 1.
std::string in_words(vc_mask vcs);

}  // namespace toriscope
