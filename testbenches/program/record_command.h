// SPDX-License-Identifier: Apache-2.0
// `toriscope record`: a run whose packets are written to a trace (docs/packet_traces.md).
#pragma once

#include "testbenches/program/run_options.h"

namespace toriscope {

struct record_choices {
  run_choices run;
  std::string output;
};
void add_record_options(CLI::App& record, record_choices& choices);

/// Fills in what `run` is to do. @throws std::invalid_argument no file to write
void apply(const record_choices& choices, run_request& request);

}  // namespace toriscope
