// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/peers/noxim.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/measured_process.h"

namespace toriscope {
namespace {

const char* const the_noxim = "Noxim";
constexpr unsigned reset_cycles = 10;

/// What `neighbour` stands for here (noxim.h).
bool from_corner_to_corner(const workload& w) { return w.traffic == "neighbour"; }

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

}  // namespace

noxim::noxim(std::string program, std::string power, std::string directory)
    : program_(std::move(program)), power_(std::move(power)), directory_(std::move(directory)) {}

std::string noxim::configuration(const workload& w) {
  const double packets = w.rate_flits_per_node_cycle / w.packet_flits;
  std::string text = fmt::format(
      "topology: MESH\nmesh_dim_x: {0}\nmesh_dim_y: {0}\nbuffer_depth: 8\nn_virtual_channels: 4\n"
      "min_packet_size: {1}\nmax_packet_size: {1}\nflit_size: 32\nrouting_algorithm: XY\n"
      "routing_table_filename: \"\"\nselection_strategy: RANDOM\n",
      w.k, w.packet_flits);
  // The probability of another packet right after one: the same, or arrivals would not be Bernoulli.
  text += fmt::format(
      "packet_injection_rate: {0:.9f}\nprobability_of_retransmission: {0:.9f}\ntraffic_distribution: {1}\n"
      "traffic_table_filename: {2}\ntraffic_hardcoded_filename: \"\"\n",
      packets, from_corner_to_corner(w) ? "TRAFFIC_TABLE_BASED" : "TRAFFIC_RANDOM",
      in_quotes("noxim_traffic.txt"));
  text += fmt::format("reset_time: {}\nsimulation_time: {}\nstats_warm_up_time: {}\nclock_period_ps: 1000\n",
                      reset_cycles, w.warmup_cycles + w.measured_cycles, w.warmup_cycles);
  // What it wants to be told although it plays no part.
  text +=
      "verbose_mode: VERBOSE_OFF\ntrace_mode: false\ntrace_filename: \"\"\ndetailed: false\n"
      "show_buffer_stats: false\nmax_volume_to_be_drained: 0\ndyad_threshold: 0.6\nuse_winoc: false\n"
      "use_wirxsleep: false\nr2r_link_length: 1.0\nr2h_link_length: 2.0\n"
      "Hubs:\n  defaults:\n    rx_radio_channels: [0]\n    tx_radio_channels: [0]\n    attached_nodes: []\n"
      "    to_tile_buffer_size: 4\n    from_tile_buffer_size: 4\n    rx_buffer_size: 4\n    tx_buffer_size: "
      "4\n"
      "RadioChannels:\n  defaults:\n    data_rate: 16\n    ber: [0, 0]\n    mac_policy: [TOKEN_PACKET]\n";
  return text;
}

outcome noxim::parse(const std::string& text, const workload& w) {
  outcome result;
  result.cycles = static_cast<double>(w.warmup_cycles + w.measured_cycles + reset_cycles);
  result.accepted = number_after(text, "Total received flits: ", the_noxim) /
                    (w.nodes() * static_cast<double>(w.measured_cycles));
  // Mean distance of two different nodes of a k x k mesh, and one: 2 k / 3 + 1.
  result.visits_per_flit = from_corner_to_corner(w) ? 2.0 * w.k - 1 : 2.0 * w.k / 3 + 1;
  result.latency_mean = number_after(text, "Global average delay (cycles): ", the_noxim);
  result.latency_min = result.latency_mean;
  return result;
}

outcome noxim::run(const workload& w) {
  std::ofstream(directory_ + "/noxim.yaml") << configuration(w);
  if (from_corner_to_corner(w)) {
    const double packets = w.rate_flits_per_node_cycle / w.packet_flits;
    std::ofstream(directory_ + "/noxim_traffic.txt")
        << fmt::format("0 {0} {1:.9f} {1:.9f}\n", w.k * w.k - 1, packets);
  }
  const measured_process p = run_measured(
      {program_, "-config", "noxim.yaml", "-power", power_, "-seed", std::to_string(w.seed)}, {directory_});
  if (p.status != 0)
    throw std::runtime_error(
        fmt::format("{}: '{}' left with status {}; it said: {}", the_noxim, program_, p.status, p.last_words()));
  outcome result = parse(p.out, w);
  result.cpu_seconds = p.cpu_seconds;
  return result;
}

}  // namespace toriscope
