// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/workloads/workload.h"

#include <fmt/format.h>

#include <cmath>

namespace toriscope {

measurement_config workload::measured_throughout() const {
  measurement_config m = setup_.measurement;
  m.warmup_cycles = 0;
  m.drain_cycles = 0;
  m.measure_cycles = max_cycles();  // there is no other end of the window
  return m;
}

cycle_t workload::max_cycles() const {
  return setup_.cycles_named ? setup_.measurement.measure_cycles : without_end;
}

statistics workload::end_figures(const char* name, std::uint64_t packets, cycle_t cycles,
                                 const network_counters& counters) {
  const std::string group = name;
  const bool all =
      counters.packets_received + counters.packets_discarded + counters.packets_refused == packets &&
      counters.flits_created == counters.flits_ejected + counters.flits_discarded;
  return {{group + ".packets", "", "of all nodes together", packets},
          {group + ".cycles", "cycles", "from cycle 0 until all of them had been delivered, or lost at dead links",
           all ? statistic::value_type(cycles) : statistic::value_type(std::nan(""))}};
}

std::string workload::window_in_words() const {
  const measurement_config m = measured();
  return m.precision > 0 ? fmt::format("; to {:.3g} % of the mean latency, at most {} cycles\n", 100 * m.precision,
                                       m.max_cycles)
                         : fmt::format("; {} + {} cycles\n", m.warmup_cycles, m.measure_cycles);
}

patterned_workload::patterned_workload(workload_setup setup)
    : workload(std::move(setup)),
      pattern_(make_pattern(traffic().pattern, this->setup().wiring, traffic().for_pattern())) {}

synthetic_source::config patterned_workload::source_settings() const {
  synthetic_source::config settings;
  settings.rate_flits_per_node_cycle = traffic().rate_flits_per_node_cycle;
  settings.lengths = packet_lengths(traffic().packet_flits);
  settings.arrivals = arrival_kind_named(traffic().arrivals);
  settings.mean_burst_packets = traffic().mean_burst_packets;
  settings.seed = traffic().seed;
  return settings;
}

std::string patterned_workload::arrivals_in_words() const {
  return fmt::format("{} traffic, {} flits/node/cycle, packets of {} flits, {}, seed {}", traffic().pattern,
                     traffic().rate_flits_per_node_cycle, traffic().packet_flits, traffic().arrivals,
                     traffic().seed);
}

std::string patterned_workload::remark() const {
  const auto any_hot = [this] {
    for (node_id source = 0; source < nodes(); ++source)
      if (!pattern_->weights(source).points.empty()) return true;
    return false;
  };
  if (traffic().pattern == "hotspot" && !any_hot())
    return "every node is its own hot node: the traffic is uniform; --hot-node names others\n";
  const self_traffic own = self_traffic_of(*pattern_, *setup().wiring);
  const std::string share = fmt::format("{:.3g} % of the packets use no link", 100 * own.share);
  if (own.nodes > 0)
    return fmt::format("{} of {} nodes send only to themselves: {}\n", own.nodes, nodes(), share);
  return own.share > 0.1 ? "packets to the own node: " + share + "\n" : "";
}

}  // namespace toriscope
