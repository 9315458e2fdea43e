// SPDX-License-Identifier: Apache-2.0
// `toriscope replay`: the packets of a trace on the network that it was recorded on, or on another one
// (docs/packet_traces.md).
#pragma once

#include "testbenches/program/run_options.h"

namespace toriscope {

class network_options;

struct replay_choices {
  run_choices run;
  std::string file;
  bool dependencies = false;
  bool as_timed = false;
};
void add_replay_options(CLI::App& replay, replay_choices& choices);

/// What `run` is to do. What the options do not say is as the trace's header has it.
/// @throws std::invalid_argument one line
run_request replay_request(const network_options& options, const replay_choices& choices);

}  // namespace toriscope
