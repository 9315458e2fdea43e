// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/whole_number.h"
#include "base/words.h"
#include "testbenches/program/failure_wave.h"
#include "testbenches/program/option_effects.h"
#include "testbenches/program/rtl_waves.h"
#include "testbenches/program/text_output.h"
#include "testbenches/program/wave_estimate.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/distributed/process_team.h"
#include "testbenches/simulation/observation/observation_report.h"
#include "testbenches/simulation/observation/packet_waits.h"
#include "testbenches/simulation/observation/transaction_recording.h"
#include "testbenches/simulation/simulation.h"
#include "testbenches/simulation/traffic/received_packets.h"
#include "traces/gtkw.h"
#include "traces/packets/packet_writer.h"
#include "traces/wave_file.h"
#include "traces/wave_writer.h"

namespace toriscope {
namespace {

/// The files of results, by option.
named_outputs files_of(const run_outputs& o) {
  return {{"--json", o.json},
          {"--csv", o.csv},
          {"--link-stats", o.link_csv},
          {"--link-stats", o.link_usage},
          {"--stalls", o.stalls},
          {"--events", o.events},
          {"--packet-stats", o.packet_stats},
          {"--transactions", o.transactions},
          {"--time-series", o.time_series}};
}

bool writes_to_stdout(const run_outputs& o) {
  const auto files = files_of(o);
  return std::any_of(files.begin(), files.end(), [](const auto& file) { return is_stdout(file.second); });
}

file_format format_of(const std::string& file) {
  return is_json_name(file) ? file_format::json : file_format::csv;
}

bool names_failure_wave(const run_outputs& o) {
  return o.failure_wave != "none" && o.failure_wave != run_outputs().failure_wave;
}

cycle_t time_step_of(const run_outputs& o) {
  cycle_t cycles = 0;
  if (!to_number(o.time_step, cycles) || cycles == 0)
    throw std::invalid_argument("--time-step: '" + o.time_step +
                                "' is not a number of cycles; expected a whole number from 1 on");
  return cycles;
}

transaction_detail detail_of(const run_outputs& o) {
  if (o.transaction_detail == "packets") return transaction_detail::packets;
  if (o.transaction_detail == "hops") return transaction_detail::hops;
  if (o.transaction_detail == "relations") return transaction_detail::relations;
  throw std::invalid_argument("--transaction-detail: '" + o.transaction_detail +
                              "' is unknown; expected packets, hops or relations");
}

struct state_saving {
  bool every = false;
  cycle_t cycles = 0;
  std::string file;
};

/// Of "CYCLE:FILE" or "every:CYCLES:FILE". @throws std::invalid_argument one line
state_saving saved_state(const std::string& text) {
  state_saving saving;
  saving.every = begins_with(text, "every:");
  const std::size_t begin = saving.every ? 6 : 0, colon = text.find(':', begin);
  if (colon == std::string::npos || colon + 1 == text.size() ||
      !to_number(text.substr(begin, colon - begin), saving.cycles) || saving.cycles == 0 ||
      saving.cycles >= cycle_t{1} << 48)
    throw std::invalid_argument("--save-state: '" + text +
                                "' is not CYCLE:FILE or every:CYCLES:FILE, with cycles from 1 on");
  saving.file = text.substr(colon + 1);
  return saving;
}

void check_outputs_of(const run_outputs& o) {
  if (!o.wave.empty()) refuse_stdout("--wave-file", "a waveform", o.wave_file);
  if (o.wave_only) return;
  refuse_stdout("--output", "a packet trace", o.record);
  refuse_stdout("--packet-stats", "a table of packets", o.packet_stats);
  if (names_failure_wave(o)) refuse_stdout("--failure-wave", "a waveform", o.failure_wave);
  const std::string state = o.save_state.empty() ? "" : saved_state(o.save_state).file;
  refuse_stdout("--save-state", "a state", state);
  if (!o.transactions.empty() && std::filesystem::path(o.transactions).extension() != ".ftr")
    throw std::invalid_argument("--transactions: the name '" + o.transactions +
                                "' does not end in .ftr, by which viewers know the format");
  named_outputs files = files_of(o);
  files.emplace_back("--output", o.record);
  if (!o.wave.empty()) {
    files.emplace_back("--wave-file", o.wave_file);
    files.emplace_back("the GTKWave save file", gtkw_name(o.wave_file));
  }
  named_outputs of_failures;
  if (o.failure_wave != "none") {
    (names_failure_wave(o) ? files : of_failures).emplace_back("--failure-wave", o.failure_wave);
    if (o.wave.empty() || o.failure_wave != o.wave_file)
      of_failures.emplace_back("the GTKWave save file of --failure-wave", gtkw_name(o.failure_wave));
  }
  files.emplace_back("--save-state", state);
  check_outputs(files, of_failures);
}

/// Null: nothing is recorded.
std::unique_ptr<packet_writer> recording_of(simulation& s, const run_request& request) {
  if (request.outputs.record.empty() || request.outputs.wave_only) return nullptr;
  trace_header header;
  header.nodes = s.wiring().terminal_count();
  header.topology = s.config().topology.spec;
  header.command = "toriscope " + shell_line(request.arguments);
  header.config = as_tree(s.config()).dump();
  std::unique_ptr<packet_writer> file = create_packet_trace(request.outputs.record, header);
  s.record_to(*file);
  if (s.workload_has_causes())
    tell("--output: what the packets of the trace are after is not recorded, only their cycles");
  return file;
}

void refuse(bool asked, const char* what, const char* why) {
  if (asked) throw std::invalid_argument(std::string(what) + why);
}

/// Whatever looks at flits inside the whole network.
void refuse_looks_inside(const run_outputs& o, const char* why) {
  refuse(names_failure_wave(o), "--failure-wave", why);
  refuse(o.watch_links, "--observe-links", why);
  refuse(o.observe, "--observe", why);
  refuse(!o.link_usage.empty(), "--link-stats", why);
  refuse(!o.stalls.empty(), "--stalls", why);
  refuse(!o.events.empty(), "--events", why);
}

void refuse_at_transaction_level(const run_outputs& o, transaction_detail detail) {
  refuse(!o.transactions.empty() && detail != transaction_detail::packets, "--transactions",
         " shows hops, which the transaction level does not have; add --transaction-detail packets, or use "
         "--fidelity cycle");
  const char* const why = " shows flits, which the transaction level does not have; use --fidelity cycle";
  refuse(!o.wave.empty(), "--wave", why);
  refuse_looks_inside(o, why);
}

/// What is seen inside a network is not put together from several ranks, and some things must be known of all
/// nodes at once.
void refuse_under_ranks(const run_config& c, const run_request& request) {
  const char* const why = " is not supported under MPI; run without mpirun";
  refuse_looks_inside(request.outputs, why);
  refuse(!request.outputs.wave.empty() && !request.rtl.nodes.empty(), "--wave with --rtl", why);
  refuse(c.fidelity == fidelity::transaction, "--fidelity transaction", why);
  refuse(c.network.threads > 1, "--threads", why);
  refuse(c.traffic.mode == traffic_mode::request_reply, "--traffic-mode request_reply", why);
  refuse(!c.traffic.file.empty() && c.traffic.file_timing == file_timing::dependencies,
         "--file-timing dependencies", why);
  refuse(c.measurement.precision > 0, "--precision", why);
  refuse(!request.outputs.packet_stats.empty(), "--packet-stats", why);
  refuse(!request.outputs.transactions.empty(), "--transactions", why);
  refuse(!request.outputs.time_series.empty(), "--time-series", why);
}

/// What is counted in a window that is known before the run.
void refuse_with_precision(const run_outputs& o) {
  const char* const why = " needs a window that is known before the run; use --cycles instead of --precision";
  refuse(o.observe, "--observe", why);
  refuse(!o.link_usage.empty(), "--link-stats", why);
  refuse(!o.stalls.empty(), "--stalls", why);
  refuse(!o.events.empty(), "--events", why);
}

/// What begins in cycle 0, and has no state of its own.
void refuse_with_state(const simulation& s, const run_request& request) {
  const run_outputs& o = request.outputs;
  const char* const from = " counts from cycle 0 on, which is not in the state; leave it out with --from-state";
  if (!o.from_state.empty()) {
    refuse(o.observe, "--observe", from);
    refuse(!o.link_usage.empty(), "--link-stats with --observe", from);
    refuse(!o.stalls.empty(), "--stalls", from);
    refuse(!o.events.empty(), "--events", from);
    refuse(!o.transactions.empty(), "--transactions", from);
  }
  for (const auto& [option, value] :
       {std::pair("--save-state", o.save_state), std::pair("--from-state", o.from_state)}) {
    if (value.empty()) continue;
    const std::string why = !request.rtl.nodes.empty() ? "the state of routers in RTL cannot be saved"
                                                       : s.has_no_state(request.team != nullptr);
    if (!why.empty()) throw std::invalid_argument(std::string(option) + ": " + why);
  }
}

void prepare_saving(simulation& s, const std::string& text) {
  if (text.empty()) return;
  const auto [every, cycles, file] = saved_state(text);
  if (!every && cycles <= s.resumed_at())
    throw std::invalid_argument(fmt::format("--save-state: the run goes on from cycle {}; {} is over", s.resumed_at(),
                                            cycles));
  s.save_state(cycles, every ? cycles : 0, file);
}

/// What was asked for is not there. No rank waits for this one.
[[noreturn]] void end_without(const std::string& text, const run_request& request) {
  if (request.team) throw rank_disagreement(text);
  throw std::invalid_argument(text);
}

/// Nothing when no waveform is asked for.
std::optional<wave_options> wave_of(const run_outputs& o) {
  if (o.wave.empty()) return std::nullopt;
  wave_options options;
  parse_wave_spec(o.wave, options);
  parse_wave_groups(o.wave_groups, options);
  options.file = o.wave_file;
  options.marks = o.wave_marks;
  options.in_order = o.wave_in_order;
  return options;
}

void write_observation(const observation& seen, const run_outputs& o) {
  if (!o.link_usage.empty()) write_text(o.link_usage, link_usage(seen, format_of(o.link_usage)));
  if (!o.stalls.empty()) write_text(o.stalls, stall_reasons(seen, format_of(o.stalls)));
  if (!o.events.empty()) write_text(o.events, event_counts(seen, format_of(o.events)));
}

/// The signal that asks a run to end: Ctrl-C, or what a batch system sends before it kills. 0: none came.
volatile std::sig_atomic_t interrupting_signal = 0;

bool interrupted = false;  ///< a run was ended by it

/// The first one ends the run in good order, the second the process.
extern "C" void note_interrupt(int signal) {
  interrupting_signal = signal;
  std::signal(signal, SIG_DFL);
}

std::string interruption(cycle_t cycles) {
  return fmt::format("interrupted in cycle {}; the figures are of the cycles until then", cycles);
}

/// What is known of a run that was ended early: whether it would have been stable is not.
void mark_interrupted(report& r, cycle_t cycles) {
  r.failure = {{"kind", "interrupted"}, {"since", cycles}, {"detail", nlohmann::ordered_json::array()}};
  judge_stopped_run(r, std::nan(""), interruption(cycles));
}

void write_results(simulation& s, const run_outputs& o, const observation* seen, const std::string& head,
                   each_output& outputs) {
  report r = s.results();
  if (interrupted) mark_interrupted(r, s.packet_net().cycles_done());
  if (o.json_links) r.wires = s.use().lists();
  if (seen) {
    r.observation = observation_summary(*seen);
    outputs.write([&] { write_observation(*seen, o); });
  }
  outputs.write([&] { write_text(o.json, as_json(r)); });
  outputs.write([&] { write_text(o.csv, as_csv(r)); });
  if (!o.link_csv.empty()) outputs.write([&] { write_text(o.link_csv, s.link_table()); });
  if (o.quiet || writes_to_stdout(o)) return;
  write_stdout(head + "\n\n" + as_table(r) + (seen ? observation_text(*seen) : "") +
               (interrupted ? "" : s.advice()));
}

/// @param state  that the run went on from
void tell_failure(simulation& s, const run_request& request, const held_file& state) {
  const network_failure& failure = *s.failure();
  tell(failure.message);
  for (const std::string& line : failure.detail) tell_more(line);
  const run_outputs& o = request.outputs;
  if (o.failure_wave == "none" || request.team || failure.nodes.empty() ||
      s.config().fidelity != fidelity::cycle)
    return;
  const std::string spec = failure_wave_spec(s.net(), failure, s.resumed_at());
  std::vector<std::string> arguments = request.arguments;
  if (!o.from_state.empty()) arguments.insert(arguments.end(), {"--from-state", state.name()});
  const std::string error =
      request.config_file == "-" ? "a run with --config - cannot be repeated; use --config FILE"
      : failure.since < s.resumed_at()
          ? fmt::format("the run goes on from cycle {}, after cycle {}; use an earlier state", s.resumed_at(),
                        failure.since)
          : leave_failure_wave(arguments, spec, failure.since, o.failure_wave);
  if (error.empty())
    tell_more(fmt::format("waveform of cycles {} of the nodes concerned, with a marker on cycle {}: {}",
                          spec.substr(spec.rfind('@') + 1), failure.since, o.failure_wave));
  else
    tell_more("no waveform: " + error);
}

/// A line about a window that the run never reached.
std::string missed_window(const wave_options& wave, cycle_t cycles) {
  return fmt::format(
      "--wave: the run ended in cycle {}, before the window began (cycle {}); {}", cycles, wave.from,
      access(wave.file.c_str(), F_OK) == 0 ? wave.file + " is of another run, and was left as it was"
                                           : "no waveform was written");
}

/// What this process shows and writes: of several ranks, one does; but all see their share of a waveform.
run_outputs outputs_of(const run_request& request) {
  if (!request.team || request.team->leads()) return request.outputs;
  run_outputs share;
  share.quiet = true;
  share.wave = request.outputs.wave;
  share.wave_groups = request.outputs.wave_groups;
  return share;
}

/// What is wrong with it is told once, whichever ranks find it.
std::unique_ptr<wave_writer> wave_of(network& net, const wave_options& options, process_team* team) {
  if (!team) return std::make_unique<wave_writer>(net, options);
  std::unique_ptr<wave_writer> wave;
  std::string wrong;
  try {
    wave = std::make_unique<wave_writer>(net, options);
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  team->agree(wrong, "");
  return wave;
}

void close(wave_writer& wave, simulation& s) {
  if (const network_failure* const failure = s.net().failure()) return wave.close(failure->cycle + 1, false);
  const measurement_config& m = s.config().measurement;
  wave.close(s.cycles(), s.cycles() == m.warmup_cycles + m.measure_cycles);  // a drain ends in the edge
}

/// All ranks know that all is well before anything is built.
void share(simulation& s, process_team& team, const std::string& same_rtl, const run_outputs& o) {
  s.share(team.transport());
  team.agree("", s.input() + same_rtl + o.wave + '\n' + o.wave_groups + '\n' + o.save_state);
}

}  // namespace

bool wants_observation(const run_outputs& o) {
  return !o.wave_only && (o.observe || !o.link_usage.empty() || !o.stalls.empty() || !o.events.empty());
}

int run_command(const run_request& request) {
  refuse_idle_outputs(request);
  const run_outputs o = outputs_of(request);
  // Never destroyed: SystemC takes a big network apart in quadratic time, and the process ends soon anyway.
  simulation& s = *new simulation(request.config, request.given);
  // The second run of a failure does what the first was allowed to do.
  if (request.team) refuse_under_ranks(s.config(), request);
  const bool leads = !request.team || request.team->leads();
  const std::string summary = o.wave_only || !leads ? "" : s.deadlock_report(request.deadlock);
  const transaction_detail detail = detail_of(o);
  if (s.config().fidelity == fidelity::transaction) refuse_at_transaction_level(o, detail);
  if (s.config().measurement.precision > 0) refuse_with_precision(o);
  if (leads) check_outputs_of(o);
  std::unique_ptr<observation> seen;
  if (wants_observation(o)) {
    const measurement_config& m = s.config().measurement;
    seen = std::make_unique<observation>(s.wiring(), s.config().network, m.warmup_cycles,
                                         m.warmup_cycles + m.measure_cycles);
  }
  const std::unique_ptr<packet_writer> recording = recording_of(s, request);
  const time_series* const series =
      o.time_series.empty() || o.wave_only ? nullptr : &s.watch_over_time(time_step_of(o));
  const std::optional<wave_options> wave_wanted = wave_of(o);
  std::optional<wave_options> wave_written = wave_wanted;
  std::unique_ptr<rtl_waves> inside;
  if (wave_wanted && !request.rtl.nodes.empty()) inside = std::make_unique<rtl_waves>(*wave_written);
  refuse_with_state(s, request);
  const held_file state(request.outputs.from_state);  // --save-state may take its name
  if (!request.outputs.from_state.empty()) s.go_on_from(request.outputs.from_state);
  if (!o.wave_only) prepare_saving(s, request.outputs.save_state);
  if (wave_wanted && wave_wanted->from < s.resumed_at())
    throw std::invalid_argument(fmt::format("--wave: begins in cycle {}; the run goes on from cycle {}",
                                            wave_wanted->from, s.resumed_at()));
  const rtl_nodes rtl = rtl_nodes_of(s, request.rtl, inside.get());
  if (request.team) share(s, *request.team, rtl.same, request.outputs);
  std::unique_ptr<transaction_recording> transactions;
  if (!o.transactions.empty() && !o.wave_only)
    transactions = std::make_unique<transaction_recording>(o.transactions, s.wiring(), s.config().network,
                                                           detail, seen ? &seen->observer : nullptr);
  router_probe* const probe = seen           ? &seen->probe(!o.packet_stats.empty() || transactions)
                              : transactions ? transactions->probe()
                                             : nullptr;
  s.elaborate(probe ? probe_all(*probe, rtl.factory) : rtl.factory);
  if (transactions) s.packet_net().add_sink(&transactions->sink());
  if (o.watch_links)
    for (link_id l = 0; l < s.net().wiring().links().size(); ++l) s.net().link_at(l).read();
  std::unique_ptr<received_packets> received;
  packet_waits waits;
  if (!o.packet_stats.empty() && !o.wave_only) {
    received_packets::more causes;
    if (seen) {
      seen->observer.listen(waits);
      causes = {packet_waits::columns(), [&waits](packet_id id) { return waits.take(id); }};
    }
    received = std::make_unique<received_packets>(o.packet_stats, s.wiring(), causes);
    s.packet_net().add_sink(received.get());
  }
  std::unique_ptr<wave_writer> wave;
  if (wave_wanted) wave = wave_of(s.net(), *wave_written, request.team);
  if (wave && leads && !o.wave_only) {
    const std::string warning =
        wave_size_warning(estimated_wave_bytes(s.net(), s.config(), *wave, *wave_wanted), is_fst(wave_wanted->file));
    if (!warning.empty()) tell(warning);
  }
  progress shown(!o.quiet && !o.wave_only);
  if (!request.team && !o.wave_only)
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      if (std::signal(signal, note_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);  // as its parent wishes
  if (request.team) request.team->begin();
  s.run(shown, [&] {
    interrupted = interrupting_signal != 0;
    if (interrupted) return false;
    const bool shown_all = o.wave_only && s.packet_net().cycles_done() > wave_wanted->to;
    if (!wave || wave->error().empty()) return !shown_all;
    if (request.team) throw std::runtime_error(wave->error());  // the others would wait
    return false;
  });
  each_output outputs;
  if (wave && !wave->error().empty()) close(*wave, s);  // which ended the run before its time
  if (wave) outputs.write([&] { close(*wave, s); });
  if (inside)
    outputs.write([&] {
      inside->merge();
      inside->finish();
    });
  if (o.wave_only) {
    outputs.end();
    return s.failure() ? check_failed : fine;
  }
  if (recording) outputs.write([&] { recording->close(s.packet_net().cycles_done()); });
  if (received) outputs.write([&] { received->close(); });
  if (transactions) outputs.write([&] { transactions->close(s.packet_net()); });
  if (series) outputs.write([&] { write_text(o.time_series, series->csv()); });
  if (!leads) {
    outputs.end();
    return fine;
  }
  if (seen) seen->end_at(s.packet_net().cycles_done());
  const bool proven = summary.find("proven free") != std::string::npos;
  write_results(s, o, seen.get(),
                s.headline() + rtl.line + summary + (proven ? rtl.beyond_proof : "") +
                    (inside ? inside->left_out() : ""),
                outputs);
  try {
    outputs.end();
  } catch (const std::runtime_error& error) {
    if (!s.failure() && !interrupted) throw;
    tell(error.what());  // how the run ended is the worse news
  }
  const std::string missed =
      wave && !wave->begun() ? missed_window(*wave_wanted, s.cycles()) : "";
  const bool state_missed = !o.save_state.empty() && !saved_state(o.save_state).every && s.saved_at() == 0;
  std::string no_state;
  if (state_missed)
    no_state = fmt::format("--save-state: the run ended in cycle {}, before; no state was saved", s.cycles());
  if (!s.failure() && interrupted) {
    tell(interruption(s.packet_net().cycles_done()));
    for (const std::string& line : {missed, no_state})
      if (!line.empty()) tell(line);
    return 128 + interrupting_signal;
  }
  if (!s.failure()) {
    if (!no_state.empty()) end_without(no_state, request);
    if (!missed.empty()) end_without(missed, request);
    return fine;
  }
  tell_failure(s, request, state);
  if (!missed.empty()) tell(missed);
  return check_failed;
}

}  // namespace toriscope
