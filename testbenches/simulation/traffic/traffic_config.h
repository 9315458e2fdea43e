// SPDX-License-Identifier: Apache-2.0
// What packets there are, as the user says it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "links/flit.h"
#include "testbenches/simulation/traffic/pattern_registry.h"

namespace toriscope {

/// How packets come about: names of workload_kinds() (workloads/workload_registry.h).
namespace traffic_mode {
inline constexpr const char* open = "open";                    ///< they come at the rate, whatever happens to them
inline constexpr const char* request_reply = "request_reply";  ///< requests with limits, answered by replies
inline constexpr const char* batch = "batch";                  ///< every node has a number of packets from the start
}

/// When packets of a file are created (docs/packet_traces.md): names of trace_workload_kinds().
namespace file_timing {
inline constexpr const char* as_timed = "as_timed";          ///< in their cycles
inline constexpr const char* dependencies = "dependencies";  ///< as soon as what they depend on has been received
}

struct traffic_config {
  std::string mode = traffic_mode::open;
  std::string pattern = "uniform";
  double rate_flits_per_node_cycle = 0.01;  ///< 0 .. 1; a TTN(2,2,0) takes this in
  std::string packet_flits = "16";          ///< a length, or lengths with weights: "4:0.5,16:0.5"
  std::string arrivals = "bernoulli";
  bool include_self = false;           ///< uniform and hotspot also draw the own node
  double hot_probability = 0.05;       ///< hotspot, 0 .. 1
  std::vector<std::string> hot_nodes;  ///< hotspot: numbers or addresses; empty: the paper's
  double mean_burst_packets = 8;       ///< on_off arrivals, at least 1
  unsigned local_square = 4;           ///< local: side of the square
  double local_probability = 1;        ///< local, 0 .. 1: the others are uniform
  unsigned outstanding = 4;           ///< request_reply: unanswered requests of a node; dependencies: packets
  cycle_t service_cycles = 20;        ///< request_reply: request received to reply created
  std::string reply_flits = "16";     ///< request_reply: as packet_flits
  unsigned reply_queue = 0;           ///< request_reply: replies a server has room for; 0: any number
  std::uint64_t batch_packets = 100;  ///< batch: of each node
  std::string file;                   ///< packets from this file instead
  std::string file_timing = toriscope::file_timing::as_timed;
  std::string flows;  ///< flows of this file instead (flow_file.h)
  std::uint64_t seed = 1;

  /// What the pattern is made with.
  pattern_options for_pattern() const {
    pattern_options options{include_self, hot_probability, hot_nodes};
    options.local_square = local_square;
    options.local_probability = local_probability;
    return options;
  }
};

}  // namespace toriscope
