// SPDX-License-Identifier: Apache-2.0
#include "testbenches/sweep/scripted_network.h"

#include <nlohmann/json.hpp>

namespace toriscope {

std::string scripted_output(const point& p, const stability& is_stable) {
  using json = nlohmann::ordered_json;
  const json config = json::parse(p.config_text());
  const double rate = config["traffic"]["rate_flits_per_node_cycle"];
  const std::uint64_t seed = config["traffic"]["seed"];
  json document;
  document["config"] = config;
  document["results"] = {
      {"offered", rate}, {"accepted", rate}, {"stable", is_stable(rate, seed)}, {"packets", 1000}};
  document["results"]["latency"] = {
      {"mean", 20 / (1 - rate)}, {"standard_error", 0.5}, {"zero_load_model", 20.0}};
  document["performance"] = {{"simulate_cpu_s", 0.123}};
  document["units"] = {{"results.offered", "flits/node/cycle"}, {"performance.simulate_cpu_s", "s"}};
  return document.dump(2);
}

curve scripted_curve() {
  run_config config;
  config.topology.spec = "torus:4x4";
  curve made = make_curve(config);
  made.label = "scripted";
  return made;
}

}  // namespace toriscope
