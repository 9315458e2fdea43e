// SPDX-License-Identifier: Apache-2.0
// What `toriscope analyze` prints of one network: a table for people, JSON for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "topologies/analysis/analysis.h"

namespace toriscope {

/// What was analysed.
struct analysis_subject {
  const topology& network;
  std::string pattern;  ///< of the traffic; empty: none
};

std::string analysis_text(const analysis_subject& subject, const network_analysis& result);

/// The keys are those of docs/analysis.md; null where there is no value.
nlohmann::ordered_json analysis_json(const analysis_subject& subject, const network_analysis& result);

}  // namespace toriscope
