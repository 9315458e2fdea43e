// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/witness_run.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/measured_process.h"
#include "base/scratch_directory.h"
#include "testbenches/program/failure_wave.h"
#include "testbenches/program/run_command.h"
#include "testbenches/program/text_output.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/statistics/run_result.h"

namespace toriscope {
namespace {

const char* const watchdog_cycles = "400";

std::string as_traffic(const std::vector<witness_packet>& packets) {
  std::string text = "# cycle source destination length\n";
  for (const witness_packet& p : packets)
    text += fmt::format("{} {} {} {}\n", p.cycle, p.source, p.destination, p.flits);
  return text;
}

/// The watchdog's words when this run, from "run" on, froze the network.
std::vector<std::string> run_until_frozen(std::vector<std::string> arguments, const std::string& wave) {
  arguments.insert(arguments.begin(), own_program());
  const std::string wave_file = wave.empty() ? "none" : wave;
  for (const char* argument :
       {"--allow-deadlock", "--no-cache", "--quiet", "--json", "-", "--failure-wave", wave_file.c_str()})
    arguments.emplace_back(argument);
  const std::uint64_t before = file_number(wave);
  const measured_process run = run_measured(arguments);
  if (run.status == bad_input) throw std::runtime_error("the witness cannot be run: " + run.last_words());
  if (run.status != check_failed) return {};
  const std::optional<run_failure> failure = from_json(run.out).failure();
  if (!failure || !failure->deadlock) return {};
  if (!wave.empty() && (file_number(wave) == before || run.last_words().find("no waveform: ") != std::string::npos))
    throw std::runtime_error("the witness: " + run.last_words());
  std::vector<std::string> lines{failure->message};
  for (const std::string& line : failure->detail) lines.push_back("  " + line);
  return lines;
}

std::vector<std::string> run_packets(std::vector<std::string> arguments, const std::string& traffic,
                                     const std::string& wave) {
  const scratch_directory directory;
  const std::string file = directory.file("witness");
  write_text(file, traffic);
  arguments.insert(arguments.begin(), "run");
  arguments.insert(arguments.end(), {"--traffic-file", file, "--watchdog", watchdog_cycles});
  return run_until_frozen(std::move(arguments), wave);
}

/// What is tried, the tidiest first.
std::vector<witness_settings> all_settings() {
  std::vector<witness_settings> all;
  for (const unsigned times : {1u, 2u, 6u})
    for (const unsigned flits : {16u, 64u})
      for (const std::uint32_t seed : {0u, 1u, 2u, 3u}) all.push_back({5, flits, times, seed});
  return all;
}

}  // namespace

std::vector<std::string> topology_arguments(const run_config& config) {
  std::vector<std::string> arguments;
  for (const parameter& p : parameters()) {
    if (!p.is_in(parameter_set::topology)) continue;
    if (p.get(config) == p.get(run_config{})) continue;
    arguments.push_back("--" + p.option);
    if (p.what != parameter::kind::flag) arguments.push_back(p.shown(config));
  }
  return arguments;
}

std::optional<frozen_network> find_witness(const topology& made, const run_config& config,
                                           const std::vector<channel>& cycle, const std::string& wave,
                                           const talking_pairs* pairs) {
  const std::vector<cycle_step> steps =
      routes_over(*made.wiring, *made.routing, config.network.router.vcs, cycle, 32, pairs);
  const std::vector<std::string> arguments = topology_arguments(config);
  for (const witness_settings& settings : all_settings()) {
    frozen_network found;
    found.packets = witness_candidate(steps, settings);
    if (found.packets.empty()) return std::nullopt;
    found.traffic = as_traffic(found.packets);
    found.detail = run_packets(arguments, found.traffic, "");
    if (found.detail.empty()) continue;
    if (!wave.empty() && run_packets(arguments, found.traffic, wave).empty())
      throw std::runtime_error("the witness: no waveform: its second run did not freeze");
    return found;
  }
  return std::nullopt;
}

std::vector<std::string> request_reply_arguments(const run_config& config) {
  run_config one_class = config;  // request_reply has two, whatever is said
  one_class.network.message_classes = 1;
  std::vector<std::string> arguments = topology_arguments(one_class);
  arguments.insert(arguments.begin(), "run");
  for (const char* argument : {"--traffic-mode", "request_reply", "--reply-queue", "1", "--outstanding", "32",
                               "--rate", "0.9", "--watchdog", watchdog_cycles})
    arguments.emplace_back(argument);
  return arguments;
}

std::vector<std::string> freeze_by_requests(const run_config& config, const std::string& wave) {
  return run_until_frozen(request_reply_arguments(config), wave);
}

}  // namespace toriscope
