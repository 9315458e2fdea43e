// SPDX-License-Identifier: Apache-2.0
// What `toriscope analyze` prints of one network: a human-readable table, JSON for scripts.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "testbenches/simulation/statistics/zero_load_mean.h"
#include "topologies/analysis/analysis.h"
#include "topologies/proof/unused_vcs.h"

namespace toriscope {

struct zero_load_figures {
  std::string pattern;
  std::string packet_flits;  ///< "16", or a mix
  zero_load_mean mean;
};

/// What a VC rule makes of a number of VCs.
struct vc_use {
  unsigned vcs;
  std::string rule;
  std::vector<unused_vcs> unused;
};

/// What the flows of a file offer (docs/flows.md).
struct offered_flows {
  std::string file;
  std::size_t count;
  unsigned flit_bits;
  double injection_max;  ///< flits per cycle into the injection port with the most
  terminal_id source;    ///< a terminal with that port
};

/// What was analysed.
struct analysis_subject {
  const topology& network;
  std::string pattern;  ///< of the traffic; empty: none
  std::optional<offered_flows> flows{};  ///< the traffic, instead of a pattern
  std::optional<zero_load_figures> zero_load{};
  double pitch_mm = 0;          ///< of nodes; 0: not said
  std::optional<vc_use> vcs{};  ///< none: no routing, too few VCs for it, or too many packets to follow
};

std::string analysis_text(const analysis_subject& subject, const network_analysis& result);

/// Networks of --compare, a line each.
std::string side_by_side_text(const std::vector<std::pair<std::string, network_analysis>>& networks);

/// The keys are those of docs/analysis.md; null where there is no value.
nlohmann::ordered_json analysis_json(const analysis_subject& subject, const network_analysis& result);

}  // namespace toriscope
