// SPDX-License-Identifier: Apache-2.0
// A verdict for people and for scripts.
#pragma once

#include <string>

#include "base/json.h"
#include "network/network_config.h"
#include "topologies/proof/deadlock_proof.h"
#include "topologies/proof/protocol_cycle.h"
#include "topologies/registry.h"

namespace toriscope {

/// Message classes that share VCs, and a cycle through them.
struct shared_message_classes {
  unsigned count = 2;
  protocol_cycle cycle;
};

/// "ttn:2,2,0 (one_way), tie break nowrap, routing dor, VC rule level_descending (K), 4 VCs"
std::string what_is_proven(const topology& made, const topology_options& options);

/// "routing proven free of deadlock", "cyclic: ..."
std::string verdict_in_words(const deadlock_proof& found);

/// All there is to say, a few lines.
/// @param shared  null: message classes have VCs of their own, or there is one
std::string as_text(const topology& made, const topology_options& options, const deadlock_proof& found,
                    double seconds, const shared_message_classes* shared = nullptr);

/// [{"vcs": [2, 3], "links": 512, "first_link": "00.00.L2_V_out0"}]
nlohmann::ordered_json as_json(const netlist& net, const std::vector<unused_vcs>& unused);

nlohmann::ordered_json as_json(const topology& made, const network_config& network,
                               const deadlock_proof& found, const shared_message_classes* shared = nullptr);

}  // namespace toriscope
