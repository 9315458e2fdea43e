// SPDX-License-Identifier: Apache-2.0
// What the page shows, in one document: curves, layouts of networks, verdicts. It is checked here, so that the page
// need not: a number is a number or null, a histogram has bins.
//
//   {"toriscope", "sources": [{"name", "kind"}], "notes": [text],
//    "curves": [{"source", "topology", "pattern", "config", "command", "summary": {...},
//                "points": [{"rate", "offered", "accepted", "stable", "mean", "low", "high", "p50", ..., "histogram"}],
//                "cost": {...} (network_cost.h) or null,
//                "observed": {"rate", "network", "links": [flits/cycle], "busy", "injection",
//                             "ejection": [share], "stalls"} or null}],
//    "networks": {name: layout (network_layout.h)}, "verdicts": [...]}
//
//   sizes  histograms are joined to at most 80 bins, numbers have five digits
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "testbenches/experiments/report/result_files.h"

namespace toriscope {

/// @throws std::invalid_argument one line: the file, the place in it, what would be right
nlohmann::ordered_json report_document(const std::vector<result_file>& files, const std::string& version);

}  // namespace toriscope
