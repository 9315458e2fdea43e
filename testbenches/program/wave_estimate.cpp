// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/wave_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "testbenches/traffic/packet_lengths.h"
#include "testbenches/traffic/pattern_registry.h"
#include "topologies/path.h"
#include "traces/wave_size.h"

namespace toriscope {
namespace {

constexpr unsigned walks = 20'000;
constexpr double most_load = 0.6;  ///< flits per cycle of the busiest link, about what routers reach

/// Flits per cycle: links by number, then what nodes send, and what they receive.
struct loads {
  std::vector<double> links, sent, received;
};

loads expected_loads(const network& net, const run_config& config) {
  const traffic_config& traffic = config.traffic;
  const netlist& wiring = net.wiring();
  const node_id nodes = wiring.node_count();
  loads all{std::vector<double>(wiring.links().size()), std::vector<double>(nodes),
            std::vector<double>(nodes)};
  const auto borrowed = std::shared_ptr<const netlist>(&wiring, [](const netlist*) {});
  const auto pattern = make_pattern(traffic.pattern, borrowed, traffic.for_pattern());
  const double rate = traffic.mode == traffic_mode::batch ? 1 : traffic.rate_flits_per_node_cycle;
  const double of_walk = rate * nodes / walks;
  random_stream random(traffic.seed);
  const auto add = [&](node_id from, node_id to, double flits) {
    for (const hop& h : walk(wiring, net.routing(), from, to, net.config().router.vcs))
      all.links[h.link] += flits;
    all.sent[from] += flits;
    all.received[to] += flits;
  };
  const double replied =
      packet_lengths(traffic.reply_flits).mean() / packet_lengths(traffic.packet_flits).mean();
  for (unsigned i = 0; i < walks; ++i) {
    const node_id from = i % nodes;
    const node_id to = pattern->destination(from, random);
    if (to == from && !traffic.include_self) continue;
    add(from, to, of_walk);
    if (traffic.mode == traffic_mode::request_reply) add(to, from, of_walk * replied);
  }
  double busiest = 0;
  for (const std::vector<double>* list : {&all.links, &all.sent, &all.received})
    for (const double load : *list) busiest = std::max(busiest, load);
  if (busiest > most_load)
    for (std::vector<double>* list : {&all.links, &all.sent, &all.received})
      for (double& load : *list) load *= most_load / busiest;
  return all;
}

/// Cycles of the run, about.
double cycles_of(const run_config& config, const loads& all) {
  const measurement_config& m = config.measurement;
  if (config.traffic.mode != traffic_mode::batch)
    return static_cast<double>(m.warmup_cycles + m.measure_cycles);
  double sent = 0;
  for (const double flits : all.sent) sent += flits;
  return static_cast<double>(config.traffic.batch_packets * all.sent.size()) *
         packet_lengths(config.traffic.packet_flits).mean() / sent;
}

}  // namespace

double estimated_wave_bytes(const network& net, const run_config& config, const wave_writer& wave,
                            const wave_options& window) {
  if (!config.traffic.file.empty()) return 0;
  const loads all = expected_loads(net, config);
  const double cycles =
      std::min(cycles_of(config, all), static_cast<double>(window.to)) - static_cast<double>(window.from);
  if (cycles <= 0) return 0;
  wave_activity activity;
  activity.packet_flits = packet_lengths(config.traffic.packet_flits).mean();
  activity.flits_per_cycle = [&](node_id n, port_id p, bool outgoing) {
    const netlist& wiring = net.wiring();
    if (p == wiring.local_port(n)) return outgoing ? all.received[n] : all.sent[n];
    return all.links[outgoing ? wiring.ports(n)[p].out : wiring.ports(n)[p].in];
  };
  return expected_wave_bytes(net, wave.signals(), activity, cycles);
}

std::string wave_size_warning(double bytes) {
  if (bytes <= large_wave_bytes) return {};
  return fmt::format(
      "warning: the waveform will have about {:.0f} MB; a shorter window (--wave 'GLOB@FROM:TO'), fewer "
      "names or "
      "--wave-groups links make it smaller",
      bytes / 1e6);
}

}  // namespace toriscope
