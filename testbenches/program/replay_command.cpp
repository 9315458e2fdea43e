// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/replay_command.h"

#include <stdexcept>

#include "testbenches/program/network_options.h"
#include "testbenches/program/text_options.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "traces/packets/packet_reader.h"

namespace toriscope {
namespace {

/// The run that was recorded, but for what was chosen for its topology when the user names another one.
run_config recorded_config(const trace_header& head, const std::string& file, const explicit_parameters& given) {
  run_config config;
  if (head.config.empty()) return config;
  set_from_file_text(head.config, file, config);
  if (given.topology) config.topology = {};
  if (given.topology || given.routing)
    config.network.router.vc_reallocation = router_config{}.vc_reallocation;
  return config;
}

/// A batch is measured until all of it has been delivered, however long that took.
void measure_batch(const std::string& file, measurement_config& m) {
  const std::unique_ptr<packet_reader> reader = open_packet_trace(file);
  for (trace_packet packet; reader->next(packet);) {
  }
  m.warmup_cycles = 0;
  m.measure_cycles = std::max<cycle_t>(1, reader->end_cycle());
  m.drain_cycles = cycle_t{1} << 47;
}

}  // namespace

void add_replay_options(CLI::App& replay, replay_choices& choices) {
  replay.add_option("FILE", choices.file, "a trace of record, a text or a Netrace file, compressed or not")
      ->required();
  text_options options(replay, "Trace");
  options.add_flag("--as-timed", choices.as_timed, "create every packet in its cycle (default)");
  options.add_flag("--dependencies", choices.dependencies,
                   "create a packet when the packets it depends on have arrived");
  add_run_options(replay, choices.run);
  replay.footer(
      "Without options replay simulates the network that the trace was recorded on, with the same packet hash.\n\n"
      "Examples:\n"
      "  toriscope replay ttn.txt\n"
      "  toriscope replay ttn.txt --topology torus:16x16 --pipeline four_stage --depth 8\n"
      "  toriscope replay torus.zst --dependencies --json -\n"
      "  toriscope replay blackscholes.tra.bz2 --topology mesh:8x8 --dependencies");
}

run_request replay_request(const network_options& options, const replay_choices& choices) {
  if (choices.as_timed && choices.dependencies)
    throw std::invalid_argument("--as-timed and --dependencies exclude each other; leave one of them out");
  const trace_header head = open_packet_trace(choices.file)->header();
  const explicit_parameters asked = options.request().given;
  run_config base = recorded_config(head, choices.file, asked);
  const bool batch = base.traffic.mode == traffic_mode::batch;
  if (batch && !choices.dependencies) measure_batch(choices.file, base.measurement);

  run_request request = options.request(base);
  request.given.vc_reallocation =
      asked.vc_reallocation || !(head.config.empty() || asked.topology || asked.routing);
  if (!choices.dependencies && !head.config.empty()) request.given.warmup = request.given.cycles = true;
  traffic_config traffic;
  traffic.file = choices.file;
  traffic.outstanding = request.config.traffic.outstanding;
  traffic.reply_queue = base.traffic.reply_queue;
  traffic.file_timing = choices.dependencies ? file_timing::dependencies : file_timing::as_timed;
  request.config.traffic = traffic;
  apply(choices.run, request);
  return request;
}

}  // namespace toriscope
