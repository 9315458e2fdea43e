// SPDX-License-Identifier: Apache-2.0
#include "testbenches/program/wave_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "testbenches/simulation/traffic/flow_file.h"
#include "testbenches/simulation/traffic/packet_lengths.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/traffic/trace_input.h"
#include "topologies/path.h"
#include "traces/wave_file.h"
#include "traces/wave_size.h"

namespace toriscope {
namespace {

constexpr unsigned max_walks = 20'000, walks_of_terminal = 16;
constexpr double max_load = 0.6;  ///< flits per cycle of the busiest link, about what routers reach

/// What is sent: flits by link, then what nodes send, and what they receive.
struct loads {
  explicit loads(const network& of)
      : net(of),
        links(of.wiring().links().size()),
        sent(of.wiring().terminal_count()),
        received(sent.size()) {}

  void add(terminal_id from, terminal_id to, double flits) {
    const route_state drawn = drawn_state(added++, net.routing().injection_states());
    for (const hop& h : walk(net.wiring(), net.routing(), from, to, net.config().router.vcs, drawn))
      links[h.link] += flits;
    sent[from] += flits;
    received[to] += flits;
  }

  void scale(double by) {
    for (std::vector<double>* list : {&links, &sent, &received})
      for (double& load : *list) load *= by;
  }

  /// Of the busiest link or port.
  double most() const {
    double most = 0;
    for (const std::vector<double>* list : {&links, &sent, &received})
      for (const double load : *list) most = std::max(most, load);
    return most;
  }

  const network& net;
  std::vector<double> links, sent, received;
  packet_id added = 0;
};

/// What passes while the waveform is written.
struct activity_in_window {
  loads flits_per_cycle;
  double cycles;
  double packet_flits;
};

activity_in_window of_pattern(const network& net, const run_config& config, const wave_options& window) {
  const traffic_config& traffic = config.traffic;
  const terminal_id nodes = net.wiring().terminal_count();
  loads all(net);
  const auto borrowed = std::shared_ptr<const netlist>(&net.wiring(), [](const netlist*) {});
  const auto pattern = make_pattern(traffic.pattern, borrowed, traffic.for_pattern());
  const double packet_flits = packet_lengths(traffic.packet_flits).mean();
  const bool batch = traffic.mode == traffic_mode::batch;
  const unsigned walks = std::min(max_walks, walks_of_terminal * nodes);
  const double of_walk = (batch ? 1 : traffic.rate_flits_per_node_cycle) * nodes / walks;
  random_stream random(traffic.seed);
  const double replied = packet_lengths(traffic.reply_flits).mean() / packet_flits;
  for (unsigned i = 0; i < walks; ++i) {
    const terminal_id from = i % nodes;
    const terminal_id to = pattern->destination(from, random);
    if (to == from && !traffic.include_self) continue;
    all.add(from, to, of_walk);
    if (traffic.mode == traffic_mode::request_reply) all.add(to, from, of_walk * replied);
  }
  const double most = all.most();
  if (most > max_load) all.scale(max_load / most);
  double cycles = static_cast<double>(config.measurement.warmup_cycles + config.measurement.measure_cycles);
  if (batch)
    cycles = static_cast<double>(traffic.batch_packets * nodes) * packet_flits /
             std::accumulate(all.sent.begin(), all.sent.end(), 0.0);
  cycles = std::min(cycles, static_cast<double>(window.to) + 1) - static_cast<double>(window.from);
  return {std::move(all), cycles, packet_flits};
}

/// The packets that the file creates in the window; where they are more than the network carries, they take longer.
activity_in_window of_file(const network& net, const run_config& config, const wave_options& window) {
  trace_input file(std::make_unique<byte_source>(config.traffic.file), net.wiring(), trace_order::of_the_file,
                   {config.network.message_classes, config.topology.flit_bits});
  const measurement_config& m = config.measurement;
  const cycle_t to = std::min(window.to, m.warmup_cycles + m.measure_cycles);
  loads all(net);
  double packets = 0, flits = 0;
  for (trace_packet packet; file.next(packet);) {
    if (packet.cycle < window.from || packet.cycle > to) continue;
    all.add(packet.source, packet.destination, packet.flits);
    ++packets;
    flits += packet.flits;
  }
  if (packets == 0) return {std::move(all), 0, 1};
  const auto whole = static_cast<double>(to + 1 - window.from);
  const auto created = static_cast<double>(std::min(file.last_cycle(), to) + 1 - window.from);
  const double cycles = std::max(created, all.most() / max_load);
  all.scale(1 / cycles);
  return {std::move(all), std::min(cycles, whole), flits / packets};
}

activity_in_window of_flows(const network& net, const run_config& config, const wave_options& window) {
  const std::vector<flow> flows =
      read_flows({config.traffic, config.network.message_classes, config.topology.flit_bits}, net.wiring());
  loads all(net);
  double packets = 0, flits = 0;
  for (const flow& f : flows) {
    f.for_each_pair([&](terminal_id from, terminal_id to) {
      all.add(from, to, f.rate / static_cast<double>(f.destinations_of(from)));
    });
    const double rate = f.rate * static_cast<double>(f.from.size());
    flits += rate;
    packets += rate / f.lengths.mean();
  }
  if (const double most = all.most(); most > max_load) all.scale(max_load / most);
  const measurement_config& m = config.measurement;
  const double cycles =
      std::min(static_cast<double>(window.to) + 1, static_cast<double>(m.warmup_cycles + m.measure_cycles)) -
      static_cast<double>(window.from);
  return {std::move(all), cycles, flits / packets};
}

}  // namespace

double estimated_wave_bytes(const network& net, const run_config& config, const wave_writer& wave,
                            const wave_options& window) {
  const auto estimate = !config.traffic.flows.empty() ? of_flows
                        : config.traffic.file.empty() ? of_pattern
                                                      : of_file;
  const activity_in_window found = estimate(net, config, window);
  if (found.cycles <= 0) return 0;
  const loads& all = found.flits_per_cycle;
  wave_activity activity;
  activity.packet_flits = found.packet_flits;
  activity.flits_per_cycle = [&](node_id n, port_id p, bool outgoing) {
    const netlist& wiring = net.wiring();
    if (wiring.is_local(n, p))
      return outgoing ? all.received[wiring.leaving(n, p)] : all.sent[wiring.entering(n, p)];
    return all.links[outgoing ? wiring.ports(n)[p].out : wiring.ports(n)[p].in];
  };
  constexpr double fst_of_vcd = 1 / 6.0;
  return expected_wave_bytes(net, wave.signals(), activity, found.cycles) *
         (is_fst(window.file) ? fst_of_vcd : 1);
}

std::string wave_size_warning(double bytes, bool fst) {
  if (bytes <= large_wave_bytes) return {};
  return fmt::format(
      "warning: the waveform will have about {:.0f} MB; a shorter window (--wave 'GLOB@FROM:TO'), fewer "
      "names{} --wave-groups links{} make it smaller",
      bytes / 1e6, fst ? " or" : ",", fst ? "" : " or a --wave-file that ends in .fst");
}

}  // namespace toriscope
