// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/simulate.h"

#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/simulation.h"

namespace toriscope {
namespace {

/// @param keys  what was named, by path
named_config with_defaults(run_config config, const std::map<std::string, std::string>& keys) {
  std::vector<std::string> paths;
  for (const auto& key : keys) paths.push_back(key.first);
  const explicit_parameters given = explicit_among(paths);
  return {with_router_defaults(std::move(config), given), given};
}

}  // namespace

run_result simulate(const run_config& config, const explicit_parameters& given) {
  simulation run(config, given);
  run.deadlock_report({});
  run.leave_kernel();
  run.elaborate();
  run.run();
  return from_json(as_json(run.results()));
}

named_config config_from_text(const std::string& text, const std::string& name) {
  run_config config;
  std::map<std::string, std::string> keys;
  set_from_file_text(text, name, config, &keys);
  return with_defaults(std::move(config), keys);
}

run_result simulate_file(const std::string& path) {
  run_config config;
  std::map<std::string, std::string> keys;
  set_from_file(path, config, &keys);
  const named_config named = with_defaults(std::move(config), keys);
  return simulate(named.config, named.given);
}

}  // namespace toriscope
