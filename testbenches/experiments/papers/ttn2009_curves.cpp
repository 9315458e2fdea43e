// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/papers/ttn2009_curves.h"

#include <algorithm>
#include <memory>

#include "testbenches/simulation/traffic/pattern_registry.h"
#include "topologies/registry.h"

namespace toriscope {
namespace {

ttn_traffic hot_spot(const std::string& figure, const std::string& percent, const std::string& probability) {
  return {
      figure, percent + " % hot-spot traffic", {{"traffic", "hotspot"}, {"hot-probability", probability}}};
}

wanted_curve curve_of(const std::string& name, const ttn_traffic& traffic, const std::string& network,
                      const option_list& window) {
  wanted_curve curve;
  curve.name = name + ", " + traffic.words + ", " + network;
  curve.options = with_options(
      {{"topology", network}, {"pipeline", "paper2009"}, {"vcs", "4"}, {"depth", "1"}, {"packet", "16"}},
      with_options(traffic.options, window));
  return curve;
}

}  // namespace

const std::vector<ttn_traffic>& ttn_traffics() {
  static const std::vector<ttn_traffic> all = {
      {"Fig. 7 (b)", "uniform traffic", {{"traffic", "uniform"}}},
      hot_spot("Fig. 8 (a)", "2", "0.02"),
      hot_spot("Fig. 8 (b)", "5", "0.05"),
      hot_spot("Fig. 8 (c)", "10", "0.1"),
      hot_spot("Fig. 8 (d)", "20", "0.2"),
      {"Fig. 9", "matrix transpose", {{"traffic", "transpose"}}},
      {"Fig. 10", "bit reversal", {{"traffic", "bit_reversal"}}},
      {"Fig. 11", "complement", {{"traffic", "complement"}}},
      {"Fig. 12", "bit flip", {{"traffic", "bit_flip"}}},
      {"Fig. 13", "perfect shuffle", {{"traffic", "shuffle"}}},
  };
  return all;
}

const ttn_traffic& ttn_traffic_named(const std::string& words) {
  return *std::find_if(ttn_traffics().begin(), ttn_traffics().end(),
                       [&](const ttn_traffic& t) { return t.words == words; });
}

wanted_curve latency_curve(const ttn_traffic& traffic, const std::string& network) {
  wanted_curve curve =
      curve_of("latency", traffic, network, {{"warmup", "500"}, {"cycles", "20000"}, {"drain", "2000"}});
  curve.loads = {ttn_low_load};
  return curve;
}

wanted_curve throughput_curve(const ttn_traffic& traffic, const std::string& network,
                              const option_list& more) {
  wanted_curve curve =
      curve_of("throughput", traffic, network, {{"warmup", "1500"}, {"cycles", "3000"}, {"drain", "1500"}});
  for (const auto& [name, value] : more) curve.name += ", " + name + " " + value;
  curve.options = with_options(curve.options, more);
  curve.saturation_tolerance = .05;
  return curve;
}

double max_cycles(const ttn_traffic& traffic) {
  constexpr unsigned module_nodes = 16, ring = 4, rings = 4, max_in_module = 4;
  const auto cycles = [](double between) { return 2 * (between + max_in_module * (between + 1)) + 33; };
  const std::string& name = traffic.options.front().second;
  if (name == "uniform" || name == "hotspot") return cycles(rings * (ring - 1) / 2.);
  const std::shared_ptr<const netlist> wiring = make_topology(ttn_q1).wiring;
  const std::unique_ptr<traffic_pattern> permutation = make_pattern(name, wiring);
  double sum = 0;
  unsigned packets = 0;
  for (node_id from = 0; from < wiring->node_count(); ++from) {
    const node_id to = permutation->weights(from).points.front().first;
    if (to == from) continue;
    unsigned between = 0;
    for (unsigned a = from / module_nodes, b = to / module_nodes, i = 0; i < rings; ++i, a /= ring, b /= ring)
      between += (b % ring + ring - a % ring) % ring;
    sum += cycles(between);
    ++packets;
  }
  return sum / packets;
}

}  // namespace toriscope
