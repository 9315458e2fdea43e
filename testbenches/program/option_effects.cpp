// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/option_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/words.h"
#include "testbenches/simulation/configuration/parameter_effects.h"

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

void warn_of_key(const std::string& file, const std::string& what) {
  tell("warning: " + file + ": " + what);
}

/// A flag that is off says what is true anyway.
bool is_off(const parameter& p, const run_config& config) {
  return p.what == parameter::kind::flag && p.get(config) == false;
}

}  // namespace

void refuse_idle_options(const run_request& request,
                         const std::function<std::string(const parameter&)>& idle_here) {
  std::vector<std::string> said;
  for (const parameter& p : parameters()) {
    if (!is_among(request.options, p.path) || is_off(p, request.config)) continue;
    std::string why = idle_here(p);
    if (why.empty()) why = why_idle(p, request.config);
    if (!why.empty()) said.push_back(sentence(p.option, why));
  }
  refuse(said);
}

void refuse_options_but(unsigned sets, const run_request& request, const std::string& why) {
  std::vector<std::string> said;
  for (const parameter& p : parameters())
    if (is_among(request.options, p.path) && !p.is_in(sets))
      said.push_back(sentence(p.option, why));
  refuse(said);
}

void warn_of_idle_keys(const run_request& request) {
  if (!request.ignored.empty())
    warn_of_key(request.config_file, fmt::format("{} has no effect: packets come from the trace",
                                                 fmt::join(request.ignored, ", ")));
  auto keys = request.keys;
  for (const std::string& option : request.options) keys.erase(option);
  for (const std::string& key : idle_keys(keys, request.config)) warn_of_key(request.config_file, key);
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
  needs(asked.time_step != o.time_step, !asked.time_series.empty(), "time-step", "--time-series FILE");
  needs(asked.transaction_detail != o.transaction_detail, !asked.transactions.empty(), "transaction-detail",
        "--transactions FILE.ftr");
  needs(request.rtl.seed != rtl_choice().seed, !request.rtl.nodes.empty(), "rtl-seed", "--rtl GLOB");
  refuse(said);
}

void refuse_idle_options(const sweep_plan& plan, const sweep_plan::choices& given, const std::string& file) {
  std::vector<std::string> said;
  for (const parameter& p : parameters()) {
    const auto idle = plan.idle().find(p.path);
    if (idle == plan.idle().end()) continue;
    if (std::any_of(given.begin(), given.end(), [&](const auto& g) { return g.first == p.option; }))
      said.push_back(sentence(p.option, idle->second.why));
    else
      warn_of_key(file, idle->second.key + " has no effect " + idle->second.why);
  }
  refuse(said);
}

}  // namespace toriscope
