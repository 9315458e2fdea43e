// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind, and its three forms: a table for people, JSON and CSV for scripts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "testbenches/simulation/statistics/integer_histogram.h"
#include "testbenches/simulation/statistics/statistic.h"

namespace toriscope {

struct report {
  nlohmann::ordered_json config;  ///< the effective configuration; may be loaded again with --config
  statistics results;
  statistics performance;  ///< of the simulator; differs from run to run
  integer_histogram::bins latency_histogram;
  /// By link or node: names and values; empty: not wanted.
  std::vector<std::pair<std::string, std::vector<double>>> wires;
  nlohmann::ordered_json lost;         ///< what dead links cost (lost_packets.h); null: no link is dead
  nlohmann::ordered_json flows;        ///< figures of each flow (flow_statistics.h); null: there are no flows
  nlohmann::ordered_json failure;      ///< why the run stopped (run_failure of run_result.h); null: it did not
  nlohmann::ordered_json observation;  ///< what was counted inside the network; null: nothing
};

/// The run stopped before its time: whether it would have been stable is `stable`, whether flows would have kept their
/// bounds is unknown, but of those that have a late packet.
/// @param why  for people
void judge_stopped_run(report& r, statistic::value_type stable, const std::string& why);

/// One line per figure: name, value, unit, description.
std::string as_table(const report& r);

/// {"config": {...}, "results": {"offered": ..., "latency": {"mean": ..., "histogram": {...}}, ...},
///  "performance": {...}, "units": {...}}; a value that there is not is null. run_result.h reads it back.
std::string as_json(const report& r);

/// A line of names and a line of values: "config.router.vcs,...,results.offered,...". A value that there is
/// not is empty.
std::string as_csv(const report& r);

/// A field of a CSV file (RFC 4180); null is empty.
std::string csv_value(const nlohmann::ordered_json& value);

}  // namespace toriscope
