// SPDX-License-Identifier: Apache-2.0
// A certificate of freedom from deadlock: a number for each channel, smaller than those of all channels that
// it depends on. As a file, text:
//
//   toriscope certificate 1
//   topology ttn:2,2,0          how the network and its routing are made: a line each for links, ties, gates,
//   ...                         routing, vc_rule, vcs, message_classes; a name alone: nothing
//   escape_vcs 0 1              Duato's condition; all VCs when it is not needed
//   numbers 1088                links; then a line for each link, in the order of the netlist:
//   0 3 0 7                     the numbers of its VCs
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topologies/registry.h"

namespace toriscope {

struct certificate {
  topology_options options;
  vc_mask escape_vcs = 0;
  std::vector<std::uint32_t> numbers;  ///< by channel, link * VCs + vc
};

std::string to_text(const certificate& c);

/// @param name  of the file, for the message
/// @throws std::invalid_argument "FILE:LINE: what is wrong; what is right"
certificate certificate_from_text(const std::string& text, const std::string& name);

}  // namespace toriscope
