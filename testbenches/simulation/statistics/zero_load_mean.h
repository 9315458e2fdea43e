// SPDX-License-Identifier: Apache-2.0
// The mean latency of packets in an empty network over all (source, destination) pairs, each by its share of the
// traffic: exact, where a run knows the pairs that its packets happened to take.
//
//   prices  N destinations with O(N) calls of route() each (route_forest.h) where the number of links of a route
//           tells its latency: 4096 nodes in about a second. With links that differ, or buffers shorter than the
//           credit loop, every route is walked: N^2 times its length.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "testbenches/simulation/statistics/zero_load_model.h"
#include "topologies/analysis/destination_weights.h"

namespace toriscope {

/// Flits of a packet, and the share of the packets with that length; the shares add up to 1.
using length_shares = std::vector<std::pair<std::uint32_t, double>>;

struct zero_load_mean {
  double latency = 0;  ///< cycles from creation to the tail received
  double hops = 0;     ///< links crossed
};

/// @param vcs      of each port, as the routing function was made for
/// @param traffic  where the packets of each source go; all sources send the same number of packets
zero_load_mean mean_zero_load(const zero_load_model& model, const netlist& wiring,
                              const routing_function& routing, unsigned vcs, const traffic_matrix& traffic,
                              const length_shares& lengths);

}  // namespace toriscope
