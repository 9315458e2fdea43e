// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/statistics/physical_units.h"

#include <algorithm>
#include <cmath>

#include "topologies/analysis/bisection.h"
#include "topologies/analysis/wiring_counts.h"

namespace toriscope {

statistics in_physical_units(const statistics& figures, double clock_ghz, unsigned flit_bits,
                             const netlist& wiring) {
  const auto value_of = [&](const std::string& name) {
    const auto found =
        std::find_if(figures.begin(), figures.end(), [&](const statistic& s) { return s.name == name; });
    if (found == figures.end()) return std::nan("");
    if (const auto* whole = std::get_if<std::uint64_t>(&found->value)) return static_cast<double>(*whole);
    return std::get<double>(found->value);
  };
  statistics all;
  for (const char* name : {"latency.mean", "latency.p50", "latency.p99", "latency.max"})
    all.push_back({std::string(name) + "_ns", "ns", std::string("as ") + name + ", by --clock",
                   value_of(name) / clock_ghz});
  const double gbps = flit_bits * clock_ghz;  // of one flit per cycle
  all.push_back(
      {"offered_gbps", "Gbit/s", "of a terminal, by --clock and --flit-bits", value_of("offered") * gbps});
  all.push_back(
      {"accepted_gbps", "Gbit/s", "of a terminal, by --clock and --flit-bits", value_of("accepted") * gbps});
  all.push_back({"accepted_total_gbps", "Gbit/s", "of all terminals",
                 value_of("accepted") * gbps * static_cast<double>(wiring.terminal_count())});
  all.push_back({"bisection_gbps", "Gbit/s",
                 "that the links across the counted bisection carry, both ways, dead ones included",
                 count_natural_cut(wiring).flits_per_cycle * gbps});
  return all;
}

statistics lengths_in_mm(const netlist& wiring, double pitch_mm) {
  const wiring_counts counts = count_wiring(wiring);
  const double unit = counts.has_lengths ? pitch_mm : std::nan("");
  return {{"longest_link_mm", "mm", "by --pitch", counts.longest * unit},
          {"total_link_mm", "mm", "of all links, full-duplex ones counted once, by --pitch",
           static_cast<double>(counts.total_length) * unit}};
}

statistics widths_within(const budgeted_width& width) {
  return {{"link_width", "bits", "of all links, by --equal", std::uint64_t{width.bits}},
          {"link_flit_cycles", "cycles", "in which a link passes a flit, by --equal",
           std::uint64_t{width.flit_cycles}}};
}

}  // namespace toriscope
