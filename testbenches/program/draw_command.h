// SPDX-License-Identifier: Apache-2.0
// `toriscope draw`: a picture of a network as SVG.
#pragma once

#include <string>

#include "testbenches/program/run_command.h"

namespace CLI {
class App;
}

namespace toriscope {

struct parameter;

struct draw_outputs {
  std::string file = "network.svg";  ///< "-" is standard output
  std::string use;                   ///< the result of a run with --json-links; empty: colours by level
};

/// Adds the options that are not parameters of a network.
void add_draw_outputs(CLI::App& draw, draw_outputs& outputs);

/// Why a drawing has no use for a parameter; empty: it has.
std::string idle_in_drawing(const parameter& p, const run_request& request, const draw_outputs& outputs);

/// @returns an exit_status
int draw_command(const run_request& request, const draw_outputs& outputs);

}  // namespace toriscope
