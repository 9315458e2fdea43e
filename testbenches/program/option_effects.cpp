// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/option_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "testbenches/configuration/parameter_effects.h"

namespace toriscope {
namespace {

bool is_among(const std::vector<std::string>& some, const std::string& one) {
  return std::find(some.begin(), some.end(), one) != some.end();
}

void refuse(const std::vector<std::string>& said) {
  if (!said.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(said, "; ")));
}

std::string sentence(const std::string& option, const std::string& why) {
  return "--" + option + " has no effect " + why;
}

/// What this command does not look at, whatever the configuration.
std::string why_idle_in(const std::string& command, const parameter& p, const run_request& request) {
  if (command == "draw" && p.path != "topology.spec" && p.path != "topology.links")
    return "on a drawing of the wiring; leave it out";
  if (command == "analyze" && p.makes_load && !request.given.traffic && !request.zero_load)
    return "without --traffic PATTERN; add that or leave it out";
  const bool of_a_run = is_among(
      {"network.watchdog_cycles", "network.checks", "network.wire_hash", "network.fidelity"}, p.path);
  if (command == "export" && of_a_run) return "on an export; leave it out";
  if (command == "explain" && p.path == "network.wire_hash")
    return "on a story, which has no hashes; leave it out";
  return why_idle(p, request.config);
}

/// A flag that is off says what is true anyway.
bool is_off(const parameter& p, const run_config& config) {
  return p.what == parameter::kind::flag && p.get(config) == false;
}

}  // namespace

void refuse_idle_options(const std::string& command, const run_request& request) {
  std::vector<std::string> said;
  for (const parameter& p : parameters()) {
    if (!is_among(request.options, p.path) || is_off(p, request.config)) continue;
    if (const std::string why = why_idle_in(command, p, request); !why.empty())
      said.push_back(sentence(p.option, why));
  }
  refuse(said);
}

void refuse_options_but(const std::vector<std::string>& paths, const run_request& request,
                        const std::string& why) {
  std::vector<std::string> said;
  for (const parameter& p : parameters())
    if (is_among(request.options, p.path) && !is_among(paths, p.path))
      said.push_back(sentence(p.option, why));
  refuse(said);
}

void warn_of_idle_keys(const run_request& request) {
  for (const std::string& key : idle_keys(request.keys, request.config))
    if (!is_among(request.options, key.substr(0, key.find(' '))))
      std::fprintf(stderr, "toriscope: warning: %s: %s\n", request.config_file.c_str(), key.c_str());
}

void refuse_idle_outputs(const run_request& request) {
  const run_outputs o, &asked = request.outputs;
  std::vector<std::string> said;
  const auto needs = [&](bool given, bool there, const char* option, const char* other) {
    if (given && !there)
      said.push_back(sentence(option, std::string("without ") + other + "; add that or leave it out"));
  };
  needs(asked.json_links, !asked.json.empty(), "json-links", "--json FILE");
  needs(asked.wave_groups != o.wave_groups, !asked.wave.empty(), "wave-groups", "--wave GLOB@FROM:TO");
  needs(asked.wave_file != o.wave_file, !asked.wave.empty(), "wave-file", "--wave GLOB@FROM:TO");
  needs(request.rtl.seed != rtl_choice().seed, !request.rtl.nodes.empty(), "rtl-seed", "--rtl GLOB");
  refuse(said);
}

void refuse_idle_options(const sweep_plan& plan, const sweep_plan::choices& given) {
  std::vector<std::string> said;
  for (const auto& [name, texts] : given)
    for (const parameter& p : parameters()) {
      if (p.option != name) continue;
      std::string why;
      const bool used = std::any_of(plan.curves().begin(), plan.curves().end(), [&](const curve& c) {
        return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
          run_config asked = c.config;
          try {
            set_from_text(p, asked, text);
          } catch (const std::invalid_argument&) {
            // Several values: what the curve has.
          }
          const std::string idle = why_idle(p, asked);
          if (why.empty()) why = idle;
          return idle.empty() || is_off(p, asked);
        });
      });
      if (!used) said.push_back(sentence(name, why));
    }
  refuse(said);
}

}  // namespace toriscope
