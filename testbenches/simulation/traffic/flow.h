// SPDX-License-Identifier: Apache-2.0
// A flow: packets from some terminals to some others, with a rate, an arrival process, lengths, a message class and a
// bound of the latency of their own (docs/flows.md).
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "links/flit.h"
#include "testbenches/simulation/traffic/arrivals.h"
#include "testbenches/simulation/traffic/packet_lengths.h"
#include "topologies/analysis/destination_weights.h"
#include "topologies/netlist.h"

namespace toriscope {

struct flow {
  std::string name;
  std::vector<terminal_id> from;  ///< ascending
  std::vector<terminal_id> to;    ///< ascending; a packet takes one of them at random, but never its source
  double rate = 0;                ///< flits per cycle that each of `from` offers, 0 .. 1
  packet_lengths lengths;
  arrival_kind arrivals = arrival_kind::bernoulli;
  double mean_burst_packets = 8;  ///< on_off
  std::uint8_t message_class = 0;
  cycle_t latency_bound = 0;  ///< 0: none

  /// That packets of this source go to.
  std::size_t destinations_of(terminal_id source) const {
    return to.size() - (std::binary_search(to.begin(), to.end(), source) ? 1 : 0);
  }
  /// Calls f(source, destination) for all pairs that talk.
  template <class Function>
  void for_each_pair(Function f) const {
    for (const terminal_id source : from)
      for (const terminal_id destination : to)
        if (source != destination) f(source, destination);
  }
};

/// What all flows together send, in flits per cycle: rates, not shares.
inline traffic_matrix rates_of(const std::vector<flow>& flows, terminal_id terminals) {
  const auto rows = std::make_shared<std::vector<destination_weights>>(terminals);
  for (const flow& f : flows)
    f.for_each_pair([&](terminal_id source, terminal_id destination) {
      const double rate = f.rate / static_cast<double>(f.destinations_of(source));
      (*rows)[source].points.emplace_back(destination, rate);
    });
  return [rows](terminal_id source) { return (*rows)[source]; };
}

}  // namespace toriscope
