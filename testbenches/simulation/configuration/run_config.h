// SPDX-License-Identifier: Apache-2.0
// The configuration of a run: one tree of plain structs with defaults. How its members are called in
// configuration files and on the command line is in parameters.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/network_config.h"
#include "testbenches/simulation/statistics/measurement.h"
#include "testbenches/simulation/traffic/traffic_config.h"
#include "topologies/registry.h"

namespace toriscope {

struct topology_config : network_choice {
  topology_config() { spec = "ttn:2,2,0"; }

  std::string layout = "planar";  ///< or "folded": where nodes are, which wire lengths depend on
  double pitch_mm = 0;            ///< of nodes; 0: not said
  std::vector<std::string> link_delay_cycles{"1"};  ///< of all links, or by level; topologies/link_models/link_delay.h
  std::vector<std::uint64_t> link_width_bits;       ///< likewise; none: as wide as a flit
  std::string equal;  ///< instead: topologies/analysis/link_budget.h; empty: none
  unsigned flit_bits = 64;                          ///< what link widths are compared with, 1 .. 65535
  std::vector<std::string> link_overrides;          ///< NODE.PORT:delay=CYCLES:width=BITS
  std::vector<std::string> dead_links;              ///< NODE.PORT or NODE.PORT@CYCLE
};

/// Parameters whose defaults depend on others: whether the user named them.
struct explicit_parameters {
  bool warmup = false;
  bool cycles = false;
  bool pipeline = false;
  bool depth = false;
  bool vc_reallocation = false;
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

  /// Of what the files hold that it names - a network, an assignment, packets -: " " and a hash for each that is there.
  std::string hashes_of_files() const;

  /// All that is wrong and can be seen without making the network, a sentence each; empty when nothing is.
  std::vector<std::string> validate() const;
};

}  // namespace toriscope
