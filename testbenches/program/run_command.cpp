// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/run_command.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "testbenches/program/failure_wave.h"
#include "testbenches/program/simulation.h"
#include "traces/output_file.h"
#include "traces/wave_writer.h"

namespace toriscope {
namespace {

/// Notices before the simulation what would otherwise be noticed after it.
void check_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  std::error_code ignored;
  // Pipes and devices cannot be tried without a trace.
  if (std::filesystem::is_other(std::filesystem::status(path, ignored))) return;
  output_file probe(path);
}

void write_stdout(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw std::runtime_error(std::string("cannot write to standard output: ") + std::strerror(errno));
}

void write(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  if (path == "-") return write_stdout(text);
  output_file file(path);
  file.write(text);
  file.close();
}

void check_outputs(const run_outputs& o) {
  if (!o.wave.empty()) check_writable(o.wave_file);
  if (o.wave_only) return;
  if ((o.json == "-") + (o.csv == "-") + (o.link_csv == "-") > 1)
    throw std::invalid_argument(
        "only one of --json, --csv and --link-csv can be written to standard output (-)");
  check_writable(o.json);
  check_writable(o.csv);
  check_writable(o.link_csv);
}

std::unique_ptr<wave_writer> make_wave(network& net, const run_outputs& o) {
  if (o.wave.empty()) return nullptr;
  wave_options options;
  parse_wave_spec(o.wave, options);
  parse_wave_groups(o.wave_groups, options);
  options.file = o.wave_file;
  return std::make_unique<wave_writer>(net, options);
}

void write_results(const simulation& s, const run_outputs& o) {
  const report r = s.results();
  write(o.json, as_json(r));
  write(o.csv, as_csv(r));
  if (!o.link_csv.empty()) write(o.link_csv, s.link_table());
  const bool stdout_taken = o.json == "-" || o.csv == "-" || o.link_csv == "-";
  if (!o.quiet && !stdout_taken) write_stdout(s.headline() + "\n" + as_table(r) + s.advice());
}

void tell_failure(simulation& s, const run_request& request) {
  const network_failure& failure = *s.failure();
  std::fprintf(stderr, "toriscope: %s\n", failure.message.c_str());
  for (const std::string& line : failure.detail) std::fprintf(stderr, "  %s\n", line.c_str());
  const run_outputs& o = request.outputs;
  if (o.failure_wave == "none" || failure.nodes.empty()) return;
  const std::string spec = failure_wave_spec(s.net(), failure);
  const std::string error = leave_failure_wave(request.arguments, spec, o.failure_wave);
  if (error.empty())
    std::fprintf(stderr, "  waveform of cycles %s of the nodes concerned: %s\n",
                 spec.substr(spec.rfind('@') + 1).c_str(), o.failure_wave.c_str());
  else
    std::fprintf(stderr, "  no waveform: %s\n", error.c_str());
}

int run(const run_request& request) {
  const run_outputs& o = request.outputs;
  // Never destroyed: SystemC takes a big network apart in quadratic time, and the process ends soon anyway.
  simulation& s = *new simulation(request.config, request.warmup_given, request.cycles_given);
  check_outputs(o);
  s.elaborate();
  const std::unique_ptr<wave_writer> wave = make_wave(s.net(), o);
  progress shown(!o.quiet && !o.wave_only);
  s.run(shown, [&] { return !wave || wave->error().empty(); });
  if (wave) wave->close();
  if (o.wave_only) return s.failure() ? check_failed : fine;
  write_results(s, o);
  if (!s.failure()) return fine;
  tell_failure(s, request);
  return check_failed;
}

}  // namespace

int run_command(const run_request& request) {
  try {
    return run(request);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "toriscope: out of memory: the network is too large for this machine\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toriscope: %s\n", error.what());
  }
  return bad_input;
}

}  // namespace toriscope
