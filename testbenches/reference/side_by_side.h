// SPDX-License-Identifier: Apache-2.0
// The engine and the reference model side by side: one process, one clock, one configuration, each with a
// traffic source of its own of the same making.
#pragma once

#include <string>

#include "testbenches/reference/equality_config.h"

namespace toriscope::reference {

/// Which wires of the engine a test looks at.
enum class watching {
  nothing,  ///< silent links, no wire hash: packet hash and counts are compared
  hash,     ///< silent links that are hashed: packet hash, wire hash and counts are compared
  pins,     ///< every wire is read in every cycle and compared with the reference model's, and all of the above
  states,   ///< as `hash`; at every look the engine's state is saved, and another network goes on from it
};

/// Runs a configuration until its packets are delivered.
/// @returns nothing when both networks did the same; else what differs first and where
std::string run_side_by_side(const equality_config& config, watching what);

/// The hashes that both networks agree on, after a run in a child process: "packets 0x.. wires 0x.."; or what
/// differs.
std::string agreed_hashes(const equality_config& config);

/// As run_side_by_side(config, watching::hash), each in a child process; on a difference runs once more, pin
/// by pin, to say which wire differs first.
std::string compare_in_child(const equality_config& config);

}  // namespace toriscope::reference
