// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/replay_command.h"

#include <stdexcept>

#include "base/words.h"
#include "testbenches/program/network_options.h"
#include "testbenches/program/text_options.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "traces/packets/packet_reader.h"

namespace toriscope {
namespace {

/// The run that was recorded, but for what was chosen for its topology or its routing when the user asks for another.
run_config recorded_config(const trace_header& head, const std::string& file, const run_request& asked) {
  run_config config;
  if (head.config.empty()) return config;
  set_from_file_text(head.config, file, config);
  const explicit_parameters& given = asked.given;
  if (given.routing && asked.config.topology.routing != config.topology.routing)
    config.topology.vc_rule = run_config().topology.vc_rule;
  if (given.topology) config.topology = {};
  if (given.topology || given.routing)
    config.network.router.vc_reallocation = router_config{}.vc_reallocation;
  return config;
}

/// The cycles of the recorded run.
cycle_t end_of(const std::string& file) {
  const std::unique_ptr<packet_reader> reader = open_packet_trace(file);
  for (trace_packet packet; reader->next(packet);) {
  }
  return std::max<cycle_t>(1, reader->end_cycle());
}

/// A run that a signal or a deadlock ended in its window, or before, has no packets of later cycles.
void end_with_the_recording(const std::string& file, measurement_config& m) {
  const cycle_t end = end_of(file);
  if (end >= m.warmup_cycles + m.measure_cycles) return;
  m.warmup_cycles = std::min(m.warmup_cycles, end - 1);
  m.measure_cycles = end - m.warmup_cycles;
  m.drain_cycles = 0;
}

/// Of a run to the end of its packets, however long that took. One that its --cycles ended leaves some under way.
void measure_to_the_end(const std::string& file, measurement_config& m) {
  const cycle_t end = end_of(file);
  m.drain_cycles = m.measure_cycles == end ? 0 : without_end;
  m.warmup_cycles = 0;
  m.measure_cycles = end;
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
  const run_request alone = options.request();
  const explicit_parameters& asked = alone.given;
  run_config base = recorded_config(head, choices.file, alone);
  // Of requests without their replies; a replay's is of packets that are after no others.
  if (base.traffic.mode == traffic_mode::request_reply)
    base.traffic.outstanding = traffic_config().outstanding;
  const bool to_the_end =
      base.traffic.mode == traffic_mode::batch ||
      (!base.traffic.file.empty() && base.traffic.file_timing == file_timing::dependencies);
  if (to_the_end && !choices.dependencies)
    measure_to_the_end(choices.file, base.measurement);
  else if (!head.config.empty() && !choices.dependencies && !asked.warmup && !asked.cycles)
    end_with_the_recording(choices.file, base.measurement);

  run_request request = options.request(base);
  request.given.vc_reallocation =
      asked.vc_reallocation || !(head.config.empty() || asked.topology || asked.routing);
  if (!choices.dependencies && !head.config.empty()) request.given.warmup = request.given.cycles = true;
  traffic_config traffic;
  traffic.file = choices.file;
  traffic.outstanding = request.config.traffic.outstanding;
  traffic.reply_queue = base.traffic.reply_queue;
  traffic.file_timing = choices.dependencies ? file_timing::dependencies : file_timing::as_timed;
  const run_config in_file = request.config, defaults;
  request.config.traffic = traffic;
  for (const parameter& p : parameters()) {
    const auto key = request.keys.find(p.path);
    if (key == request.keys.end() || !begins_with(p.path, "traffic.")) continue;
    if (p.get(in_file) != p.get(defaults) && p.get(in_file) != p.get(request.config))
      request.ignored.push_back(key->second);
  }
  apply(choices.run, request);
  return request;
}

}  // namespace toriscope
