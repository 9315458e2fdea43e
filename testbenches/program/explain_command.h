// SPDX-License-Identifier: Apache-2.0
// `toriscope explain`: runs until one packet has been received, and tells its life.
#pragma once

#include <string>

#include "testbenches/program/run_command.h"

namespace toriscope {

struct explain_outputs {
  std::string packet;  ///< its number, as typed
  std::string json;    ///< a file; "-" is standard output; empty: none
  bool quiet = false;  ///< neither text nor progress line
};

/// Writes at most one line to stderr when the input is bad. @returns an exit_status
int explain_command(const run_request& request, const explain_outputs& outputs);

}  // namespace toriscope
