// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind: figures, the table of links, and how much they were used.
#include <fmt/format.h>

#include <cmath>

#include "base/resources.h"
#include "base/text_hash.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/rtl_figures.h"
#include "testbenches/simulation/simulation.h"
#include "testbenches/simulation/statistics/physical_units.h"

namespace toriscope {

report simulation::results() const {
  report r;
  r.config = as_tree(config());
  r.results = measurement_->figures();
  const auto add = [&r](const statistics& list) {
    r.results.insert(r.results.end(), list.begin(), list.end());
  };
  if (measurement_->window_cycles() > 0) {
    add(use().figures());
    // In a stable run sources send what they are offered, and differ by chance.
    if (!measurement_->stable() && workload_->load().what == source_load::kind::known) add(use().fairness());
  }
  if (const backlog_growth grown = measurement_->growth(); grown.sources > 0)
    add(measurement_->worst_source(wiring().terminal_address(grown.worst), limit_of(grown.worst)));
  if (warmup_) add(measurement_->precision_figures());
  add(workload_->figures(totals_.cycles, totals_.counters));
  const topology_config& t = config().topology;
  if (!t.equal.empty()) add(widths_within(width_within(wiring(), parse_link_budget(t.equal), t.flit_bits)));
  if (t.pitch_mm > 0) add(lengths_in_mm(wiring(), t.pitch_mm));
  if (const double clock = config().measurement.clock_ghz; clock > 0)
    add(in_physical_units(r.results, clock, t.flit_bits, wiring()));
  r.latency_histogram = measurement_->latencies().binned(64);
  r.results.push_back({"cycles", "cycles", "simulated: warm-up, measured and drain", totals_.cycles});
  r.results.push_back(
      {"packet_hash", "", "of all packets received (docs/model.md)", hex_text(totals_.packet_hash)});
  if (config().network.wire_hash)
    r.results.push_back(
        {"wire_hash", "", "of all words on all wires (docs/model.md)", hex_text(totals_.wire_hash)});
  if (!config().network.dead_links.empty()) {
    for (statistic& s : lost_.figures(totals_.counters.flits_discarded)) r.results.push_back(std::move(s));
    r.lost = lost_.as_tree(wiring());
  }
  if (foreign_routers_) add(rtl_figures(totals_.in_foreign_routers));
  if (const flow_statistics* const flows = workload_->of_flows())
    r.flows = flows->as_tree(totals_.cycles, limits_of_flows());
  if (const network_failure* const f = failure()) {
    const bool deadlock = f->what == network_failure::kind::deadlock;
    r.failure = {{"kind", deadlock ? "deadlock" : "invariant"}, {"since", f->since}, {"detail", f->detail}};
    judge_stopped_run(r, false, f->message);
  }
  add_performance(r);
  return r;
}

void simulation::add_performance(report& r) const {
  const auto hops = static_cast<double>(totals_.flits_sent + totals_.counters.flits_ejected);
  const auto nodes = static_cast<double>(wiring().node_count());
  const auto router_cycles = nodes * static_cast<double>(totals_.cycles - resumed_.cycle);
  const double simulate_cpu_seconds = static_cast<double>(totals_.cpu_us) / 1e6;
  // Some 1.2 MB of what grows is not of the nodes, but what the libraries touch for the first time.
  const double grown = static_cast<double>(resident_elaborated_) - static_cast<double>(resident_before_);
  const double bytes_per_node = grown > 12e6 ? grown / nodes : std::nan("");
  r.performance = {
      {"elaborate_s", "s", "CPU time to make the network", elaborate_seconds_},
      {"simulate_cpu_s", "s", "CPU time of the simulation", simulate_cpu_seconds},
      {"router_cycles_per_s", "1/s", "nodes times cycles, per CPU second",
       router_cycles / simulate_cpu_seconds},
      {"flit_hops_per_s", "1/s", "flits times routers passed, per CPU second", hops / simulate_cpu_seconds},
      {"router_cycles", "", "nodes times cycles", router_cycles},
      {"flit_hops", "flits", "flits over links, and flits ejected", hops},
      {"bytes_per_node", "B", "memory that elaboration took, per node, where it took more than 12 MB",
       bytes_per_node},
      {"max_rss_mb", "MB", "memory of the process, at most (10^6 bytes)",
       static_cast<double>(max_resident_bytes()) / 1e6},
  };
  if (config().network.threads > 1)
    r.performance.push_back({"threads", "", "that simulated the network together; their CPU times are summed up",
                             std::uint64_t{config().network.threads}});
  if (totals_.ranks == 1) return;
  r.performance.push_back(
      {"ranks", "", "processes that simulated the network together", std::uint64_t{totals_.ranks}});
  r.performance.push_back({"working_cpu_s", "s",
                           "CPU time of the busiest rank, without synchronisation",
                           static_cast<double>(totals_.working_cpu_us) / 1e6});
}

std::string simulation::link_table() const {
  const link_use used = use();
  const bool measured = measurement_->window_cycles() > 0;
  const auto end_of = [this](const wire_place& place, wire_kind at_terminal, node_id node) {
    return place.what == at_terminal ? wiring().terminal_address(place.terminal) : wiring().address(node);
  };
  std::string text = "link,from,port,to,level,delay_cycles,utilisation,busy,kind\n";
  for (wire_id w = 0; w < wire_count(wiring()); ++w) {
    const wire_place place = wire_at(wiring(), w);
    const bool port = place.what != wire_kind::inter_router;
    const netlist_link values = port ? netlist_link{} : wiring().links()[w];
    const unsigned delay = !port                                ? values.delay_cycles
                           : place.what == wire_kind::injection ? config().network.injection_delay_cycles
                                                                : config().network.ejection_delay_cycles;
    const std::string use = measured ? fmt::format("{},{}", used.utilisation(w), used.busy(w)) : ",";
    text += fmt::format("{},{},{},{},{},{},{},{}\n", w, end_of(place, wire_kind::injection, place.from),
                        wiring().port_name(place.from, place.from_port),
                        end_of(place, wire_kind::ejection, place.to),
                        port ? "" : std::to_string(values.level), delay, use, to_string(place.what));
  }
  return text;
}

link_use simulation::use() const {
  return measurement_->use();
}

/// The busiest link or port on the routes from there, by name; empty for packets from a file.
std::string simulation::limit_of(terminal_id source) const {
  const traffic_pattern* const pattern = workload_->pattern();
  const flow_statistics* const flows = workload_->of_flows();
  if (!pattern && !flows) return "";
  const destination_weights weights =
      flows ? rates_of(flows->flows(), wiring().terminal_count())(source) : pattern->weights(source);
  const std::vector<terminal_id> destinations = destinations_of(weights, wiring().terminal_count(), source);
  return wire_name(wiring(),
                   use().busiest_on_routes(routing(), config().network.router.vcs, source, destinations));
}

/// Likewise of each flow; "none" where no flit was sent.
std::vector<std::string> simulation::limits_of_flows() const {
  const link_use used = use();
  std::vector<std::string> limits;
  for (const flow& f : workload_->of_flows()->flows()) {
    wire_id most = injection_wire(wiring(), f.from.front());
    for (const terminal_id source : f.from) {
      std::vector<terminal_id> destinations;
      for (const terminal_id destination : f.to)
        if (destination != source) destinations.push_back(destination);
      const wire_id here =
          used.busiest_on_routes(routing(), config().network.router.vcs, source, destinations);
      if (used.busy(here) > used.busy(most)) most = here;
    }
    limits.push_back(used.busy(most) > 0 ? wire_name(wiring(), most) : "none");
  }
  return limits;
}

}  // namespace toriscope
