// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/peers/own_simulator.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace toriscope {

own_simulator::own_simulator(std::string program, unsigned link_delay_cycles, bool include_self,
                             std::vector<std::string> more)
    : program_(std::move(program)),
      link_delay_cycles_(link_delay_cycles),
      include_self_(include_self),
      more_(std::move(more)) {}

std::vector<std::string> own_simulator::network_arguments(const workload& w) const {
  const std::string delay = std::to_string(link_delay_cycles_);
  std::vector<std::string> list = {"run",
                                   "--quiet",
                                   "--json",
                                   "-",
                                   "--vcs",
                                   "4",
                                   "--depth",
                                   std::to_string(w.depth_flits),
                                   "--credit-delay",
                                   std::to_string(w.credit_delay_cycles),
                                   "--pipeline",
                                   "four_stage",
                                   "--link-delay",
                                   delay,
                                   "--injection-delay",
                                   delay,
                                   "--ejection-delay",
                                   delay,
                                   "--topology",
                                   fmt::format("{}:{}x{}", w.wraps ? "torus" : "mesh", w.k, w.k)};
  list.insert(list.end(), more_.begin(), more_.end());
  return list;
}

std::vector<std::string> own_simulator::arguments(const workload& w) const {
  std::vector<std::string> list = network_arguments(w);
  const auto add = [&](const char* option, std::string value) {
    list.emplace_back(option);
    list.push_back(std::move(value));
  };
  add("--packet", std::to_string(w.packet_flits));
  add("--traffic", w.traffic);
  add("--rate", fmt::format("{:.9f}", w.rate_flits_per_node_cycle));
  add("--warmup", std::to_string(w.warmup_cycles));
  add("--cycles", std::to_string(w.measured_cycles));
  add("--drain", "0");
  add("--seed", std::to_string(w.seed));
  // A permutation draws no destinations: toriscope refuses the option there.
  if (include_self_ && w.traffic == "uniform") list.emplace_back("--include-self");
  return list;
}

outcome own_simulator::parse(const std::string& text, const workload& w) {
  outcome result;
  try {
    const nlohmann::json all = nlohmann::json::parse(text);
    const nlohmann::json& r = all.at("results");
    result.cycles = r.at("cycles").get<double>();
    result.accepted = r.at("accepted").get<double>();
    // Flits over links per flit ejected, and the router that ejects: exact also where packets are under way.
    const double links = w.nodes() * (w.wraps ? 4 : 4.0 * (w.k - 1) / w.k);
    result.visits_per_flit =
        result.accepted > 0
            ? r.at("links").at("utilisation_mean").get<double>() * links / (result.accepted * w.nodes()) + 1
            : 0;
    const auto figure = [&](const char* name) {
      const nlohmann::json& value = r.at("latency").at(name);
      return value.is_null() ? 0.0 : value.get<double>();
    };
    result.latency_mean = figure("mean");
    result.latency_min = figure("min");
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("toriscope: its output is not the JSON expected: ") + error.what());
  }
  return result;
}

measured_process own_simulator::run_to_end(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), program_);
  measured_process p = run_measured(arguments);
  if (p.status != 0)
    throw std::runtime_error(
        fmt::format("toriscope: '{}' left with status {}; it said: {}", program_, p.status, p.last_words()));
  return p;
}

outcome own_simulator::run(const workload& w) {
  const measured_process p = run_to_end(arguments(w));
  outcome result = parse(p.out, w);
  result.cpu_seconds = p.cpu_seconds;
  return result;
}

own_simulator::file_outcome own_simulator::run_packets(const workload& w, const std::string& file) {
  std::vector<std::string> list = network_arguments(w);
  list.insert(list.end(), {"--traffic-file", file});
  try {
    const nlohmann::json results = nlohmann::json::parse(run_to_end(std::move(list)).out).at("results");
    return {results.at("packet_hash").get<std::string>(), results.at("latency").at("min").get<double>()};
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("toriscope: its output is not the JSON expected: ") + error.what());
  }
}

}  // namespace toriscope
