// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/simulate.h"

#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/simulation.h"

namespace toriscope {

run_result simulate(const run_config& config, const explicit_parameters& given) {
  simulation run(config, given);
  run.deadlock_report({});
  run.elaborate();
  run.run();
  return from_json(as_json(run.results()));
}

run_result simulate_file(const std::string& path) {
  run_config config;
  std::map<std::string, std::string> keys;
  set_from_file(path, config, &keys);
  std::vector<std::string> named;
  for (const auto& key : keys) named.push_back(key.first);
  const explicit_parameters given = explicit_among(named);
  return simulate(with_router_defaults(std::move(config), given), given);
}

}  // namespace toriscope
