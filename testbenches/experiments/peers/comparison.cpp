// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/peers/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace toriscope {
namespace {

constexpr double packet_flits = 16;
constexpr double loads_within = 0.02;
/// Our runs are so many times longer than the peer's, that their CPU times are of one order.
constexpr std::uint64_t own_factor = 10;

/// One simulator, one repeat: the short and the long run.
void measure(simulator& s, const comparison_cell& cell, std::uint64_t period, unsigned seed,
             cell_figures& all) {
  workload work;
  work.wraps = cell.wraps;
  work.k = cell.k;
  work.rate_flits_per_node_cycle = cell.rate_flits_per_node_cycle;
  work.seed = seed;
  work.warmup_cycles = period;
  work.measured_cycles = period;
  const outcome less = s.run(work);
  work.measured_cycles = 4 * period;
  const outcome more = s.run(work);

  const double cpu = more.cpu_seconds - less.cpu_seconds;
  if (cpu <= 0)
    throw std::runtime_error(fmt::format(
        "{}, {}: a run of {} cycles took no more CPU time than one of {}: too short to measure here",
        s.name(), cell.name(), more.cycles, less.cycles));
  const double flits = more.accepted * work.nodes() * (more.cycles - less.cycles);
  if (!(flits > 0)) throw std::runtime_error(fmt::format("{}, {}: no flit arrived", s.name(), cell.name()));
  all.ns_per_flit_hop.push_back(cpu * 1e9 / (flits * more.visits_per_flit));
  const auto n = static_cast<double>(all.ns_per_flit_hop.size());
  const auto average = [n](double& mean, double value) { mean += (value - mean) / n; };
  average(all.accepted, more.accepted);
  average(all.visits_per_flit, more.visits_per_flit);
  average(all.latency_mean, more.latency_mean);
  all.packets += more.accepted * work.nodes() * static_cast<double>(work.measured_cycles) / packet_flits;
}

std::string spread(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{:.1f}-{:.1f}", *least, *most);
}

}  // namespace

std::string comparison_cell::name() const {
  return fmt::format("{} {}x{} {}", wraps ? "torus" : "mesh", k, k,
                     saturated ? std::string("saturated") : fmt::format("{:g}", rate_flits_per_node_cycle));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n == 0 ? 0 : n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

bool cell_result::loads_agree() const {
  return (cell.saturated && !cell.own_at_peer_load) || load_difference <= load_tolerance;
}
double cell_result::ratio() const { return median(ratios); }

cell_result compare(simulator& peer, simulator& own, const comparison_cell& cell, unsigned repeats,
                    double scale, const std::function<void(const std::string&)>& tell) {
  cell_result result;
  result.cell = cell;
  result.peer = peer.name();
  const auto period = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::llround(static_cast<double>(cell.period) * scale)));
  for (unsigned repeat = 0; repeat < repeats; ++repeat) {
    tell(fmt::format("{} {}: repeat {} of {}", peer.name(), cell.name(), repeat + 1, repeats));
    measure(peer, cell, period, repeat + 1, result.theirs);
    comparison_cell own_cell = cell;
    if (cell.own_at_peer_load) own_cell.rate_flits_per_node_cycle = result.theirs.accepted;
    measure(own, own_cell, period * own_factor, repeat + 1, result.ours);
    result.ratios.push_back(result.theirs.ns_per_flit_hop.back() / result.ours.ns_per_flit_hop.back());
  }
  result.load_difference = std::abs(result.theirs.accepted / result.ours.accepted - 1);
  // Packets are drawn independently: their number has about its own size as variance.
  result.load_tolerance =
      std::max(loads_within, 3 * std::sqrt(1 / result.theirs.packets + 1 / result.ours.packets));
  return result;
}

std::string table_head() {
  return fmt::format("{:<9} {:<22} {:>9} {:>9} {:>10} {:>10} {:>7} {:>12} {:>7}  {}\n", "peer", "work",
                     "accepted", "ours", "ns/hop", "ours", "ratio", "spread", "target", "verdict");
}

std::string table_line(const cell_result& r) {
  const std::string verdict = !r.loads_agree()
                                  ? fmt::format("loads differ by {:.1f} %", 100 * r.load_difference)
                              : r.met() ? "ok"
                                        : "MISSED";
  return fmt::format("{:<9} {:<22} {:>9.4f} {:>9.4f} {:>10.1f} {:>10.2f} {:>7.1f} {:>12} {:>7g}  {}\n",
                     r.peer, r.cell.name(), r.theirs.accepted, r.ours.accepted,
                     median(r.theirs.ns_per_flit_hop), median(r.ours.ns_per_flit_hop), r.ratio(),
                     spread(r.ratios), r.cell.target, verdict);
}

nlohmann::ordered_json as_json(const cell_result& r) {
  const auto figures = [](const cell_figures& f) {
    nlohmann::ordered_json j;
    j["accepted_flits_per_node_cycle"] = f.accepted;
    j["routers_per_flit"] = f.visits_per_flit;
    j["latency_mean_cycles"] = f.latency_mean;
    j["cpu_ns_per_flit_hop"] = f.ns_per_flit_hop;
    return j;
  };
  nlohmann::ordered_json j;
  j["peer"] = r.peer;
  j["work"] = r.cell.name();
  j["topology"] = r.cell.wraps ? "torus" : "mesh";
  j["k"] = r.cell.k;
  j["offered_flits_per_node_cycle"] = r.cell.rate_flits_per_node_cycle;
  j["saturated"] = r.cell.saturated;
  j["theirs"] = figures(r.theirs);
  j["toriscope"] = figures(r.ours);
  j["ratio"] = r.ratio();
  j["ratios"] = r.ratios;
  j["target"] = r.cell.target;
  j["met"] = r.met();
  j["load_difference"] = r.load_difference;
  j["load_tolerance"] = r.load_tolerance;
  j["loads_agree"] = r.loads_agree();
  return j;
}

}  // namespace toriscope
