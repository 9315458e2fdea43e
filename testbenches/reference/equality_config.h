// SPDX-License-Identifier: Apache-2.0
// A configuration of the equality tests, and the list of all of them: a fixed part, chosen by hand for its
// corners, and a part drawn from a seed. The list is the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/network_config.h"
#include "testbenches/simulation/traffic/arrivals.h"

namespace toriscope::reference {

struct equality_config {
  std::string topology;
  std::string links = "U";
  std::string ties;
  std::string gates;
  std::string routing;
  std::string vc_rule = "safe";  ///< or "adaptive": that of adaptive_mesh.h
  network_config network;
  unsigned max_link_delay = 1;   ///< links have delays 1 .. this, drawn one by one from the seed
  unsigned max_flit_cycles = 1;  ///< links have F = 1 .. this, drawn one by one from the seed
  bool own_values = false;       ///< routers have VCs, a depth and a pipeline of their own, drawn likewise
  unsigned dead_links = 0;       ///< links that die, drawn from the seed (at most: one may be drawn twice)
  cycle_t dead_by = 0;           ///< in the cycles 0 .. this, drawn likewise
  unsigned gate_patience = 1;    ///< limited reception: a head is admitted in one of this many cycles
  std::uint64_t seed = 1;        ///< of link delays, widths and deaths, of admissions and traffic
  std::string pattern = "uniform";
  bool include_self = false;
  arrival_kind arrivals = arrival_kind::bernoulli;
  double rate = 0.1;          ///< flits per node and cycle
  std::string lengths = "4";  ///< as packet_lengths takes them
  bool saturated = false;     ///< traffic goes on without end; otherwise it ends and the network drains
  unsigned packets = 2000;    ///< delivered at least (saturated) or created altogether
  cycle_t least_cycles = 0;   ///< saturated: and at least this number of cycles
};

/// One line that names everything. Features that are not in use are not named.
std::string describe(const equality_config& config);

/// The short tier: the fixed list, the drawn ones, and those of the policies, likewise.
std::vector<equality_config> short_equality_configs();

/// More of the drawn ones of both kinds, and larger networks.
std::vector<equality_config> long_equality_configs();

}  // namespace toriscope::reference
