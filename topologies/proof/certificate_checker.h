// SPDX-License-Identifier: Apache-2.0
// Checks a certificate (certificate.h). It shares the netlist and the routing function with the prover and
// nothing else: with its own code it walks packets to one destination after the other, each with the
// number of the last escape channel that it crossed (all channels are escape channels when the routing has no
// escape of its own), and looks whether every escape channel that it may ask for has a greater number; and
// whether a head always has an option of escape VCs only.
//
// Cost: time ~ nodes * channels in use, some ten times that of the proof; no symmetry: 2^20 nodes are walked
// to some destinations only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

struct certificate_check {
  bool holds = false;
  bool complete = false;    ///< packets to all destinations were walked
  std::uint64_t steps = 0;  ///< requests for an escape channel that were compared
  std::string objection;    ///< what does not hold, in words
};

/// @param escape_vcs  all VCs of a port, or those of the escape
/// @param numbers     by channel, link * vcs + vc
/// @param max_work   at most this number of nodes * links for all destinations, else for part of them
certificate_check check_certificate(const netlist& net, const routing_function& routing, unsigned vcs,
                                    vc_mask escape_vcs, const std::vector<std::uint32_t>& numbers,
                                    std::uint64_t max_work = std::uint64_t{1} << 32);

}  // namespace toriscope
