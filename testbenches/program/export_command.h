// SPDX-License-Identifier: Apache-2.0
// `toriscope export`: a network for RTL - its route tables, or all of it as SystemVerilog.
#pragma once

#include <string>

#include "testbenches/program/run_command.h"

namespace CLI {
class App;
}

namespace toriscope {

struct parameter;

/// Directories to write to; empty: not asked for.
struct export_outputs {
  std::string routes;
  std::string sv;
  bool scoreboard = false;  ///< with sv: what compares the routers with the model
  std::string module_prefix;
  std::string names = "hierarchical";  ///< as typed
  std::string route_unit = "table";    ///< as typed
};

/// Adds the options that are not parameters of a network.
void add_export_outputs(CLI::App& command, export_outputs& outputs);

/// Why an export has no use for a parameter; empty: it has.
std::string idle_in_export(const parameter& p, const run_request& request, const export_outputs& outputs);

/// @returns an exit_status
int export_command(const run_request& request, const export_outputs& outputs);

}  // namespace toriscope
