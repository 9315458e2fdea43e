// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/record_command.h"

#include <stdexcept>

#include "testbenches/program/text_options.h"

namespace toriscope {

void add_record_options(CLI::App& record, record_choices& choices) {
  text_options options(record, "Trace");
  options.add("--output,-o", choices.output, "FILE",
              "the trace: text; NAME.gz, NAME.zst: compressed binary; NAME.txt.gz: compressed text");
  add_run_options(record, choices.run);
  record.footer(
      "record simulates as run does, and writes every packet created: cycle, source, destination, flits, message\n"
      "class, and the packet that it answers. Of packets of a trace, what they are after is not written again.\n\n"
      "Examples:\n"
      "  toriscope record --topology ttn:2,2,0 --rate 0.05 --output ttn.txt\n"
      "  toriscope record --topology torus:8x8 --traffic-mode request_reply --rate 0.2 --output torus.zst\n"
      "  toriscope replay torus.zst");
}

void apply(const record_choices& choices, run_request& request) {
  if (choices.output.empty())
    throw std::invalid_argument("record needs --output FILE, the trace to write");
  apply(choices.run, request);
  if (request.config.measurement.precision > 0)
    throw std::invalid_argument("--precision: a trace has a window of its own; record with --warmup and --cycles");
  request.outputs.record = choices.output;
}

}  // namespace toriscope
