// SPDX-License-Identifier: Apache-2.0
// The curves of the page's document (report_document.h) from what sweeps and single runs leave behind.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "testbenches/experiments/report/result_files.h"

namespace toriscope {

// All throw std::invalid_argument with one line: the file, the place, what would be right.

/// The curves of a sweep.json, a list; `source` and the layouts of networks are not in them yet.
nlohmann::ordered_json curves_of_sweep(const result_file& sweep);

/// A curve for every configuration, however many loads and seeds of it there are. What was observed is that of the
/// last run of a curve that was.
/// @param runs  results of `run --json`, each followed by its use of links, if any
nlohmann::ordered_json curves_of_runs(const std::vector<const result_file*>& runs);

}  // namespace toriscope
