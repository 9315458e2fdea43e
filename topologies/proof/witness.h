// SPDX-License-Identifier: Apache-2.0
// From a cycle of channels to packets that freeze a network: for each channel, packets whose routes cross it
// and ask for the next, sent so that all of them hold their channel before any of them asks. Which packets
// meet on their way there is not looked at: what is made here are candidates, to be simulated.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/netlist.h"
#include "topologies/proof/channel.h"
#include "topologies/proof/talking_pairs.h"
#include "topologies/route.h"

namespace toriscope {

/// A route over a channel of the cycle and on to the next.
struct cycle_route {
  terminal_id source;
  terminal_id destination;
  unsigned hops;  ///< from the source, until the packet holds the channel
};

/// The routes over one channel of a cycle.
struct cycle_step {
  channel held{};
  unsigned vcs = 1;  ///< of the set in which such packets hold it: this number must be held at once
  std::vector<cycle_route> routes;
};

/// Routes for each channel of the cycle, from near sources first and two from a source; fewer than asked for,
/// even none, where fewer have been found.
/// @param most   routes of a step
/// @param pairs  null: all talk
std::vector<cycle_step> routes_over(const netlist& net, const routing_function& routing, unsigned vcs,
                                    const std::vector<channel>& cycle, unsigned most = 32,
                                    const talking_pairs* pairs = nullptr);

struct witness_packet {
  std::uint64_t cycle;  ///< of injection
  terminal_id source;
  terminal_id destination;
  unsigned flits;
};

struct witness_settings {
  unsigned hop_cycles = 5;  ///< that a head takes from router to router
  unsigned flits = 16;
  unsigned times = 1;      ///< number of packets for each that is needed
  std::uint32_t seed = 0;  ///< 0: sources as near as can be; else drawn, not much farther
};

/// Packets in order of injection; none when some step has no routes.
std::vector<witness_packet> witness_candidate(const std::vector<cycle_step>& steps,
                                              const witness_settings& settings);

}  // namespace toriscope
