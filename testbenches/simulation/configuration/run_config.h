// SPDX-License-Identifier: Apache-2.0
// The configuration of a run: one tree of plain structs with defaults. How its members are called in
// configuration files and on the command line is in parameters.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/network_config.h"
#include "testbenches/simulation/statistics/measurement.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "topologies/registry.h"

namespace toriscope {

struct topology_config : network_choice {
  topology_config() { spec = "ttn:2,2,0"; }

  std::vector<std::string> link_delay_cycles{"1"};  ///< of all links, or by level; topologies/delay_model.h
  std::vector<std::uint64_t> link_width_bits;       ///< likewise; none: as wide as a flit
  unsigned flit_bits = 64;                          ///< what link widths are compared with, 1 .. 65535
  std::vector<std::string> link_overrides;          ///< NODE.PORT:delay=CYCLES:width=BITS
  std::vector<std::string> dead_links;              ///< NODE.PORT or NODE.PORT@CYCLE
};

/// How packets come about.
enum class traffic_mode {
  open,           ///< they come at the rate, whatever happens to them
  request_reply,  ///< requests with limits, answered by replies
  batch,          ///< every node has a number of packets from the start
};

/// When packets of a file are created (docs/packet_traces.md).
enum class file_timing {
  as_timed,      ///< in their cycles
  dependencies,  ///< as soon as what they depend on has been received
};

struct traffic_config {
  traffic_mode mode = traffic_mode::open;
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
  toriscope::file_timing file_timing = toriscope::file_timing::as_timed;
  std::uint64_t seed = 1;

  /// What the pattern is made with.
  pattern_options for_pattern() const;
};

/// Parameters whose defaults depend on others: whether the user named them.
struct explicit_parameters {
  bool warmup = false;
  bool cycles = false;
  bool pipeline = false;
  bool depth = false;
  bool regrant = false;
  bool traffic = false;
  bool topology = false;
  bool routing = false;
};

/// How closely the network is simulated.
enum class fidelity {
  cycle,        ///< flit by flit, as docs/model.md says
  transaction,  ///< packet by packet, as docs/transaction_level.md says
};

struct run_config {
  toriscope::fidelity fidelity = toriscope::fidelity::cycle;
  topology_config topology;
  network_config network;
  traffic_config traffic;
  measurement_config measurement;
  bool stages_named = false;  ///< router.stages was set, which implies the pipeline staged

  /// What the topology is made with.
  topology_options routing_options() const;

  /// All that is wrong and can be seen without making the network, a sentence each; empty when nothing is.
  std::vector<std::string> validate() const;
};

}  // namespace toriscope
