// SPDX-License-Identifier: Apache-2.0
// `toriscope explain`: runs until one packet has been received, or several, and tells its life.
#pragma once

#include <string>

#include "testbenches/program/run_command.h"

namespace CLI {
class App;
}

namespace toriscope {

struct parameter;

struct explain_outputs {
  std::string packet;   ///< its number, as typed
  std::string slowest;  ///< how many, as typed; empty: one packet
  std::string from;     ///< terminals, as typed; empty: any
  std::string to;
  std::string wave;    ///< a file; empty: none
  std::string json;    ///< a file; "-" is standard output; empty: none
  bool quiet = false;  ///< neither text nor progress line
};

struct explain_choices {
  deadlock_check_settings deadlock;
  explain_outputs outputs;
};
void add_explain_options(CLI::App& explain, explain_choices& choices);

/// Why the timeline of a packet has no use for a parameter; empty: it has.
std::string idle_in_timeline(const parameter& p, const run_request& request, const explain_choices& choices);

/// Writes at most one line to stderr when the input is bad. @returns an exit_status
int explain_command(const run_request& request, const explain_choices& choices);

}  // namespace toriscope
