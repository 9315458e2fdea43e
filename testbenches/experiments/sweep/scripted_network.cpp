// SPDX-License-Identifier: Apache-2.0
// For tests: see the header.
#include "testbenches/experiments/sweep/scripted_network.h"

#include "base/json.h"

namespace toriscope {

std::string scripted_output(const point& p, const scripted_network& network) {
  using json = nlohmann::ordered_json;
  const json config = json::parse(p.config_text());
  const double rate = config["traffic"]["rate_flits_per_node_cycle"];
  const std::uint64_t seed = config["traffic"]["seed"];
  const double latency = network.latency(rate, seed);
  const bool known = network.half_width > 0;
  const bool is_long = config["measurement"]["measure_cycles"] > measurement_config().measure_cycles;
  const stability& is_stable =
      is_long && network.is_stable_for_long ? network.is_stable_for_long : network.is_stable;
  json document;
  document["config"] = config;
  document["results"] = {{"offered", rate},
                         {"accepted", rate},
                         {"stable", is_stable(rate, seed)},
                         {"packets", 1000},
                         {"backlog", {{"growth", network.growth(rate, seed)},
                                      {"standard_error", network.growth_error}}}};
  json& latencies = document["results"]["latency"];
  latencies = {{"mean", latency}, {"standard_error", json()}, {"interval_95", json()}};
  if (known) {
    latencies["standard_error"] = network.half_width / 2;
    latencies["interval_95"] = {latency - network.half_width, latency + network.half_width};
  }
  latencies["zero_load_model"] = network.zero_load;
  document["performance"] = {{"simulate_cpu_s", 0.123}};
  document["units"] = {{"results.offered", "flits/node/cycle"}, {"performance.simulate_cpu_s", "s"}};
  return document.dump(2);
}

std::string scripted_output(const point& p, const stability& is_stable) {
  scripted_network network;
  network.is_stable = is_stable;
  return scripted_output(p, network);
}

curve scripted_curve() {
  run_config config;
  config.topology.spec = "torus:4x4";
  curve made = make_curve(config);
  made.label = "scripted";
  return made;
}

}  // namespace toriscope
