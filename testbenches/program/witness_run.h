// SPDX-License-Identifier: Apache-2.0
// The search for packets that freeze the simulated network: candidates of witness.h, run by the program
// itself in child processes, with calls that can be repeated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/simulation/configuration/run_config.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/proof/witness.h"
#include "topologies/registry.h"

namespace toriscope {

/// Nodes of a network that witnesses are looked for in, at most.
inline constexpr node_id max_witness_nodes = 4096;

struct frozen_network {
  std::vector<witness_packet> packets;
  std::string traffic;  ///< the packets as a file for --traffic-file
  std::vector<std::string>
      detail;  ///< the watchdog's words: when it froze, and who waits for whom, a line each
};

/// @param config  the topology and the VCs count; everything else is as `toriscope run` has it
/// @param wave    where a waveform of the freezing network is left; empty: nowhere
/// @param pairs   of the packets; null: any
/// @returns nothing when no candidate freezes
std::optional<frozen_network> find_witness(const topology& made, const run_config& config,
                                           const std::vector<channel>& cycle, const std::string& wave,
                                           const talking_pairs* pairs = nullptr);

/// Of message classes that share VCs: requests and replies at a high load, with reply queues of one.
/// @returns the watchdog's words; none when nothing froze
std::vector<std::string> freeze_by_requests(const run_config& config, const std::string& wave);
/// The arguments of the program for that, from "run" on.
std::vector<std::string> request_reply_arguments(const run_config& config);

/// The options of `toriscope run` that make this topology.
std::vector<std::string> topology_arguments(const run_config& config);

}  // namespace toriscope
