// SPDX-License-Identifier: Apache-2.0
// What is known about deadlock in the network that is about to run: remembered, or proven on the spot when
// that takes no more than a second or so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/simulation/configuration/run_config.h"
#include "testbenches/simulation/traffic/flow.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/registry.h"

namespace toriscope {

struct deadlock_check_settings {
  bool allow_deadlock = false;  ///< run rules that are known to be cyclic
  bool no_cache = false;        ///< neither read nor write the proofs remembered
};

/// The proof remembered, or made in about a second; none where that would take longer. No certificate.
std::optional<deadlock_proof> known_or_proven(const topology& made, const topology_options& options,
                                              bool no_cache);

/// One line without its end: "routing proven free of deadlock (exhaustive: ...)"; another one names the VCs
/// that no packet may take, if there are any.
/// @param flows  of which all packets are; null: any pair may talk
/// @throws std::invalid_argument one line, when the rule is cyclic, for the flows, too, and that is not allowed
std::string deadlock_summary(const topology& made, const topology_options& options, vc_reallocation when,
                             const deadlock_check_settings& settings,
                             const std::vector<flow>* flows = nullptr);

/// Who talks in these flows, in which message classes where these do not share VCs.
talking_pairs pairs_of(const std::vector<flow>& flows, const topology_options& options);

/// What a proof of the routing says of message classes, and what it does not: a line without its end; empty
/// with one class.
std::string shared_classes_warning(const run_config& config);

}  // namespace toriscope
