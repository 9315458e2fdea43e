// SPDX-License-Identifier: Apache-2.0
// `toriscope analyze`: what a network is, without running it (docs/analysis.md); with --compare several
// networks side by side, and beside what the papers print.
#pragma once

#include <string>
#include <vector>

#include "testbenches/program/run_command.h"

namespace CLI {
class App;
}

namespace toriscope {

struct parameter;

struct analyze_outputs {
  std::string json;                  ///< a file; "-" is standard output, without the table; empty: none
  std::string load_csv;              ///< the load of every link; likewise
  bool zero_load = false;            ///< also the mean latency in an empty network
  std::vector<std::string> compare;  ///< topologies, or one named set; empty: analyse the topology
};

/// Adds the options that are not parameters of a network or its traffic.
void add_analyze_outputs(CLI::App& analyze, analyze_outputs& outputs);

/// Why an analysis has no use for a parameter; empty: it has.
std::string idle_in_analysis(const parameter& p, const run_request& request, const analyze_outputs& outputs);

/// @returns an exit_status
int analyze_command(const run_request& request, const analyze_outputs& outputs);

}  // namespace toriscope
