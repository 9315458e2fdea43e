// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/resources.h"
#include "base/text_hash.h"
#include "network/transaction/transaction_network.h"
#include "testbenches/simulation/configuration/resolved_run.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/rtl_figures.h"
#include "testbenches/simulation/traffic/pattern_registry.h"
#include "testbenches/simulation/traffic/synthetic_source.h"
#include "testbenches/simulation/traffic/trace_file_source.h"

namespace toriscope {

namespace {
constexpr cycle_t time_to_arrive = 1000;  // after the last packet of a file
constexpr cycle_t least_warmup = 256;     // before it is looked whether it is over
constexpr cycle_t never = cycle_t{1} << 48;
}

struct simulation::modules {
  modules(std::shared_ptr<const netlist> wiring, std::shared_ptr<const routing_function> routing,
          const run_config& config, const network::node_factory& factory, const partition& part) {
    const sc_core::sc_time period(1, sc_core::SC_NS);
    const char* const name = wiring->name().c_str();
    network_config settings = config.network;
    settings.on_failure = failure_action::stop;  // the program tells of it
    if (config.fidelity == fidelity::transaction) {
      worms = std::make_unique<transaction_network>(name, wiring, std::move(routing), settings, period);
      carrier = worms.get();
      return;
    }
    clock = std::make_unique<sc_core::sc_clock>("clk", period);
    net = std::make_unique<network>(name, wiring, std::move(routing), settings, factory, part);
    net->clk(*clock);
    carrier = net.get();
  }
  std::unique_ptr<sc_core::sc_clock> clock;
  std::unique_ptr<network> net;  ///< one of these two
  std::unique_ptr<transaction_network> worms;
  packet_network* carrier = nullptr;
};

simulation::simulation(const run_config& config, const explicit_parameters& given)
    : resident_before_(resident_bytes()) {
  const double start = cpu_seconds();
  resolved_run run = resolve(config, given);
  config_ = std::move(run.config);
  network_ = std::move(run.network);

  make_source(given);
  model_ = std::make_unique<zero_load_model>(network_.wiring, network_.routing, config_.network);
  measurement_config m = config_.measurement;
  if (m.precision > 0) {
    warmup_ = std::make_unique<warmup_watch>(std::max<cycle_t>(m.warmup_cycles, least_warmup));
    m.warmup_cycles = never;
  }
  measurement_ = std::make_unique<measurement>(m, wiring().node_count(), model_.get(), load_of_sources(),
                                               config_.network.message_classes);
  if (request_reply_) {
    messages_ = std::make_unique<message_statistics>(config_.measurement);
    request_reply_->set_sink(messages_.get());
  }
  elaborate_seconds_ = cpu_seconds() - start;
}

void simulation::make_source(const explicit_parameters& given) {
  const traffic_config& traffic = config_.traffic;
  if (!traffic.file.empty()) return make_file_source(given);
  const node_id nodes = wiring().node_count();
  std::shared_ptr<const traffic_pattern> pattern =
      make_pattern(traffic.pattern, network_.wiring, traffic.for_pattern());
  pattern_ = pattern;
  synthetic_source::config settings;
  settings.rate_flits_per_node_cycle = traffic.rate_flits_per_node_cycle;
  settings.lengths = packet_lengths(traffic.packet_flits);
  settings.arrivals = arrival_kind_named(traffic.arrivals);
  settings.mean_burst_packets = traffic.mean_burst_packets;
  settings.seed = traffic.seed;
  switch (traffic.mode) {
    case traffic_mode::open:
      settings.message_classes = config_.network.message_classes;
      source_ = std::make_unique<synthetic_source>(nodes, std::move(pattern), settings);
      break;
    case traffic_mode::request_reply: {
      auto made = std::make_unique<request_reply_source>(
          nodes, std::move(pattern),
          request_reply_source::config{settings, traffic.outstanding, traffic.service_cycles,
                                       packet_lengths(traffic.reply_flits), traffic.reply_queue});
      request_reply_ = made.get();
      source_ = std::move(made);
      break;
    }
    case traffic_mode::batch: {
      auto made = std::make_unique<batch_source>(
          nodes, std::move(pattern),
          batch_source::config{traffic.batch_packets, settings.lengths, traffic.seed});
      batch_ = made.get();
      source_ = std::move(made);
      plan_to_the_end(given);
      break;
    }
  }
}

void simulation::make_file_source(const explicit_parameters& given) {
  const traffic_config& traffic = config_.traffic;
  measurement_config& m = config_.measurement;
  const trace_limits limits{config_.network.message_classes, config_.topology.flit_bits};
  if (traffic.file_timing == file_timing::dependencies) {
    auto made = std::make_unique<dependency_source>(std::make_unique<byte_source>(traffic.file), wiring(),
                                                    limits, traffic.outstanding);
    dependent_ = made.get();
    source_ = std::move(made);
    plan_to_the_end(given);
    m.measure_cycles = end_limit_;  // there is no other end of the window
    return;
  }
  auto file = std::make_unique<trace_file_source>(traffic.file, wiring(), limits);
  // Unless the user says otherwise, all packets of the file are measured, and the window leaves them time to
  // arrive.
  if (!given.warmup) m.warmup_cycles = 0;
  if (!given.cycles) m.measure_cycles = std::max(m.measure_cycles, file->last_cycle() + time_to_arrive);
  if (traffic.reply_queue > 0 && config_.network.message_classes == request_reply_source::message_classes) {
    slots_ = std::make_unique<reply_slots>(wiring().node_count(), traffic.reply_queue);
    file->set_reply_slots(slots_.get());
  }
  source_ = std::move(file);
}

source_load simulation::load_of_sources() const {
  const traffic_config& traffic = config_.traffic;
  if (end_limit_ > 0 || request_reply_) return {source_load::kind::limited, 0};
  if (!traffic.file.empty() || !config_.network.dead_links.empty()) return {source_load::kind::counted, 0};
  return {source_load::kind::known, traffic.rate_flits_per_node_cycle / config_.network.message_classes};
}

void simulation::plan_to_the_end(const explicit_parameters& given) {
  measurement_config& m = config_.measurement;
  m.warmup_cycles = 0;
  end_limit_ = given.cycles ? m.measure_cycles : cycle_t{1} << 47;
  m.drain_cycles = 0;
}

simulation::~simulation() = default;

void simulation::record_to(packet_writer& file) {
  recorder_ = std::make_unique<recording_source>(*source_, request_reply_, file);
}

void simulation::share(process_transport& transport) {
  ranks_ = std::make_unique<distributed_run>(transport, wiring());
}

void simulation::elaborate(const network::node_factory& factory) {
  const double start = cpu_seconds();
  modules_ =
      std::make_unique<modules>(network_.wiring, network_.routing, config_, factory, ranks_ ? ranks_->part() : partition{});
  if (ranks_) ranks_->watch(*modules_->net);
  foreign_routers_ = factory && modules_->net && modules_->net->has_foreign_routers();
  modules_->carrier->set_source(recorder_ ? recorder_.get() : source_.get());
  modules_->carrier->add_sink(measurement_.get());
  if (warmup_) modules_->carrier->add_sink(warmup_.get());
  if (!config_.network.dead_links.empty()) modules_->carrier->add_sink(&lost_);
  if (dependent_) modules_->carrier->add_sink(dependent_);
  if (slots_) modules_->carrier->set_gate(slots_.get());
  if (request_reply_) {
    modules_->carrier->add_sink(request_reply_);
    modules_->carrier->add_sink(messages_.get());
    modules_->carrier->set_gate(request_reply_);
  }
  elaborate_seconds_ += cpu_seconds() - start;
  resident_elaborated_ = resident_bytes();
}

packet_network& simulation::carrier() { return *modules_->carrier; }

network& simulation::net() {
  if (!modules_->net) throw std::logic_error("at the transaction level there are no nodes, links or flits");
  return *modules_->net;
}

void simulation::run(progress& shown, const std::function<bool()>& checkpoint) {
  const double start = cpu_seconds();
  if (end_limit_ > 0)
    run_to_the_end(shown, checkpoint);
  else if (warmup_)
    run_until_precise(shown, checkpoint);
  else
    run_window(shown, checkpoint);
  measurement_->run_over(modules_->carrier->packets());
  totals_ = own_totals();
  totals_.cpu_us = static_cast<std::uint64_t>((cpu_seconds() - start) * 1e6);
  shown.clear();
  if (foreign_routers_) left_in_rtl_ = modules_->net->in_foreign_routers();
  std::string wrong = failure() ? "" : modules_->carrier->check_conservation();
  if (ranks_) ranks_->gather(*measurement_, totals_, wrong);
  if (!wrong.empty()) {
    late_failure_ = std::make_unique<network_failure>();
    late_failure_->cycle = late_failure_->since = totals_.cycles;
    late_failure_->message = "broken invariant at the end of the run: " + wrong;
  }
}

run_totals simulation::own_totals() const {
  const packet_network& net = *modules_->carrier;
  run_totals t;
  t.cycles = net.cycles_done();
  t.counters = net.counters();
  t.packet_hash = net.packet_hash();
  if (config_.network.wire_hash) t.wire_hash = modules_->net->wire_hash();
  for (link_id l = 0; l < wiring().links().size(); ++l) t.flits_sent += net.flits_sent(l);
  return t;
}

void simulation::run_window(progress& shown, const std::function<bool()>& checkpoint) {
  const bool go_on = run_to(config_.measurement.warmup_cycles, "warm-up", shown, checkpoint);
  measurement_->begin(counts());
  if (go_on)
    run_measured(shown, checkpoint);
  else
    measurement_->end(counts());
  if (ranks_) ranks_->end(measurement_->last_received(), measurement_->window_end());
}

bool simulation::run_measured(progress& shown, const std::function<bool()>& checkpoint) {
  const cycle_t window_end = measurement_->window_end();
  const bool go_on = run_to(window_end, "measure", shown, checkpoint);
  measurement_->end(counts());
  if (!go_on || complete()) return go_on;
  // The drain ends with the very cycle in which the last measured packet arrives: what is hashed must not
  // depend on how the run is cut into calls of sc_start.
  if (ranks_)
    ranks_->until_none([this] { return measurement_->outstanding(); }, [this] { pause(); });
  else
    measurement_->when_complete([this] { pause(); });
  bool asked_to_stop = false;
  run_to(window_end + config_.measurement.drain_cycles, "drain", shown, [&] {
    asked_to_stop = checkpoint && !checkpoint();
    return !complete() && !asked_to_stop;
  });
  return !asked_to_stop && !failure();
}

void simulation::run_until_precise(progress& shown, const std::function<bool()>& checkpoint) {
  const measurement_config& m = config_.measurement;
  cycle_t warm = std::max<cycle_t>(m.warmup_cycles, least_warmup);
  bool go_on = run_to(warm, "warm-up", shown, checkpoint);
  for (; go_on && !warmup_->ends_by(warm) && 4 * warm <= m.max_cycles; warm *= 2)
    go_on = run_to(2 * warm, "warm-up", shown, checkpoint);
  // The window is doubled until it is long enough; the longest one ends at max_cycles.
  cycle_t window = m.max_cycles - std::min(m.max_cycles - 1, modules_->carrier->cycles_done());
  const cycle_t longest = window;
  while (window > m.measure_cycles) window /= 2;
  measurement_->begin_late(counts(), std::max<cycle_t>(window, 1));
  const cycle_t begin = modules_->carrier->cycles_done();
  if (!go_on) return measurement_->end(counts());
  while (run_measured(shown, checkpoint) && complete() && !measurement_->precise()) {
    const backlog_growth grown = measurement_->growth();
    if (grown.growth > 3 * grown.standard_error) return;  // a longer run is not more precise
    window = measurement_->measured_cycles();
    do window *= 2;
    while (begin + window <= modules_->carrier->cycles_done());
    if (window > longest) return;
    while (measurement_->measured_cycles() < window) measurement_->extend();
  }
}

/// All measured packets have arrived. Ranks know only after a window together.
bool simulation::complete() const { return ranks_ ? ranks_->over() : measurement_->complete(); }

/// Until all packets have been delivered: the window ends in that very cycle.
void simulation::run_to_the_end(progress& shown, const std::function<bool()>& checkpoint) {
  const packet_network& net = *modules_->carrier;
  const auto delivered = [&] {
    return ranks_ ? ranks_->over() : net.cycles_done() > 0 && net.idle() && all_created();
  };
  measurement_->begin(counts());
  struct last_one final : packet_sink {
    simulation& run;
    explicit last_one(simulation& s) : run(s) {}
    void packet_received(packet_id, const packet_record&, cycle_t) override { look(); }
    void packet_discarded(packet_id, const packet_record&, node_id, port_id, cycle_t) override { look(); }
    void look() const {
      if (run.carrier().packets().alive() <= 1 && run.all_created())
        run.pause();  // this one is still counted
    }
  };
  last_ = std::make_unique<last_one>(*this);
  if (ranks_)
    ranks_->until_none(
        [&] {
          const network_counters& c = net.counters();
          return static_cast<std::int64_t>(c.packets_created - c.packets_received - c.packets_discarded);
        },
        [this] { pause(); });
  else
    modules_->carrier->add_sink(last_.get());
  run_to(end_limit_, batch_ ? "batch" : "replay", shown,
         [&] { return !delivered() && (!checkpoint || checkpoint()); });
  traffic_counts at_end = counts();
  if (ranks_) at_end.cycle = ranks_->end(measurement_->last_received(), 0);
  measurement_->end_early(std::move(at_end));
}

/// From a sink: the run ends with the cycle that is being done.
void simulation::pause() {
  if (modules_->worms) modules_->worms->stop_running_ahead();
  sc_core::sc_pause();
}

bool simulation::run_to(cycle_t cycles, const char* phase, progress& shown,
                        const std::function<bool()>& checkpoint) {
  const sc_core::sc_time period(1, sc_core::SC_NS);
  const packet_network& net = *modules_->carrier;
  cycle_t chunk = 64;
  while (net.cycles_done() < cycles && !failure()) {
    const cycle_t done = net.cycles_done();
    const cycle_t goal = std::min(cycles, done + chunk);
    const double start = wall_seconds();
    // The edge of cycle t is at t ns: stop half a cycle before that of cycle `goal`.
    const sc_core::sc_time until = static_cast<double>(goal) * period - 0.5 * period;
    if (modules_->worms) modules_->worms->run_ahead_until(goal);
    sc_core::sc_start(until - sc_core::sc_time_stamp());
    const double took = wall_seconds() - start;
    if (took < 0.05) chunk *= 2;
    if (took > 0.2 && chunk > 1) chunk /= 2;
    const network_counters& c = net.counters();
    const measurement_config& m = config_.measurement;
    shown.update(phase, net.cycles_done(), std::max(cycles, m.warmup_cycles + m.measure_cycles),
                 c.flits_injected - c.flits_ejected, wiring().node_count());
    if (checkpoint && !checkpoint()) return false;
  }
  return !failure();
}

traffic_counts simulation::counts() const {
  const packet_network& net = *modules_->carrier;
  const network_counters& c = net.counters();
  traffic_counts result{net.cycles_done(), c.flits_created, c.flits_ejected, c.packets_created, {}};
  result.wire_flits.reserve(wire_count(wiring()));
  for (wire_id w = 0; w < wire_count(wiring()); ++w) result.wire_flits.push_back(net.flits_sent(w));
  return result;
}

const network_failure* simulation::failure() const {
  return late_failure_ ? late_failure_.get() : modules_->carrier->failure();
}

report simulation::results() const {
  report r;
  r.config = as_tree(config_);
  r.results = measurement_->figures();
  const auto add = [&r](const statistics& list) {
    r.results.insert(r.results.end(), list.begin(), list.end());
  };
  if (measurement_->window_cycles() > 0) add(use().figures());
  if (const backlog_growth grown = measurement_->growth(); grown.sources > 0)
    add(measurement_->worst_source(wiring().address(grown.worst), limit_of(grown.worst)));
  if (warmup_) add(measurement_->precision_figures());
  if (end_limit_ > 0) {
    const std::string name = batch_ ? "batch" : "replay";
    const std::uint64_t packets = batch_ ? batch_->packets() : dependent_->packets();
    const bool all = totals_.counters.packets_received == packets;
    r.results.push_back({name + ".packets", "", "of all nodes together", packets});
    r.results.push_back({name + ".cycles", "cycles", "from cycle 0 until all of them had been delivered",
                         all ? statistic::value_type(totals_.cycles) : statistic::value_type(std::nan(""))});
  }
  if (request_reply_) {
    const statistics figures = messages_->figures();
    r.results.insert(r.results.end(), figures.begin(), figures.end());
    r.results.push_back({"requests.created", "", "in all cycles", request_reply_->requests_created()});
    r.results.push_back({"requests.held_back", "",
                         "in all cycles: not created, because --outstanding were unanswered",
                         request_reply_->requests_held_back()});
  }
  r.latency_histogram = measurement_->latencies().binned(64);
  r.results.push_back({"cycles", "cycles", "simulated: warm-up, measured and drain", totals_.cycles});
  r.results.push_back(
      {"packet_hash", "", "of all packets received (docs/model.md)", hex_text(totals_.packet_hash)});
  if (config_.network.wire_hash)
    r.results.push_back(
        {"wire_hash", "", "of all words on all wires (docs/model.md)", hex_text(totals_.wire_hash)});
  if (!config_.network.dead_links.empty()) {
    for (statistic& s : lost_.figures(totals_.counters.flits_discarded)) r.results.push_back(std::move(s));
    r.lost = lost_.as_tree(wiring());
  }
  if (foreign_routers_) add(rtl_figures(left_in_rtl_));
  if (failure()) {
    for (statistic& s : r.results)
      if (s.name == "stable" || s.name == "keeps_up_95") s.value = false;
    r.results.push_back({"failure", "", "why the run stopped", failure()->message});
  }
  add_performance(r);
  return r;
}

void simulation::add_performance(report& r) const {
  const auto hops = static_cast<double>(totals_.flits_sent + totals_.counters.flits_ejected);
  const auto nodes = static_cast<double>(wiring().node_count());
  const auto router_cycles = nodes * static_cast<double>(totals_.cycles);
  const double simulate_cpu_seconds = static_cast<double>(totals_.cpu_us) / 1e6;
  const double grown = resident_elaborated_ > resident_before_
                           ? static_cast<double>(resident_elaborated_ - resident_before_)
                           : 0;
  r.performance = {
      {"elaborate_s", "s", "CPU time to make the network", elaborate_seconds_},
      {"simulate_cpu_s", "s", "CPU time of the simulation", simulate_cpu_seconds},
      {"router_cycles_per_s", "1/s", "nodes times cycles, per CPU second",
       router_cycles / simulate_cpu_seconds},
      {"flit_hops_per_s", "1/s", "flits times routers passed, per CPU second", hops / simulate_cpu_seconds},
      {"router_cycles", "", "nodes times cycles", router_cycles},
      {"flit_hops", "flits", "flits over links, and flits ejected", hops},
      {"bytes_per_node", "B", "memory that elaboration took, per node", grown / nodes},
      {"max_rss_mb", "MB", "memory of the process, at most (10^6 bytes)",
       static_cast<double>(max_resident_bytes()) / 1e6},
  };
  if (totals_.ranks == 1) return;
  r.performance.push_back(
      {"ranks", "", "processes that simulated the network together", std::uint64_t{totals_.ranks}});
  r.performance.push_back({"working_cpu_s", "s",
                           "CPU time of the busiest rank, without what it spent in meetings",
                           static_cast<double>(totals_.working_cpu_us) / 1e6});
}

std::string simulation::link_table() const {
  const link_use used = use();
  std::string text = "link,from,port,to,level,delay_cycles,utilisation,busy,kind\n";
  for (wire_id w = 0; w < wire_count(wiring()); ++w) {
    const wire_place place = wire_at(wiring(), w);
    const bool port = place.what != wire_kind::inter_router;
    const netlist_link values = port ? netlist_link{} : wiring().links()[w];
    const unsigned delay = !port                                ? values.delay_cycles
                           : place.what == wire_kind::injection ? config_.network.injection_delay_cycles
                                                                : config_.network.ejection_delay_cycles;
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", w, wiring().address(place.from),
                        wiring().port_name(place.from, place.from_port), wiring().address(place.to),
                        port ? "" : std::to_string(values.level), delay, used.utilisation(w), used.busy(w),
                        to_string(place.what));
  }
  return text;
}

link_use simulation::use() const {
  return {wiring(), measurement_->wire_flits(), measurement_->window_cycles()};
}

std::string simulation::deadlock_verdict(const verdict_settings& settings) const {
  const std::string verdict =
      deadlock_summary(network_, config_.routing_options(), config_.network.router.regrant, settings);
  const std::string classes = classes_verdict(config_);
  return classes.empty() ? verdict : verdict + '\n' + classes;
}

/// The busiest link or port on the routes from there, by name; empty for packets from a file.
std::string simulation::limit_of(node_id source) const {
  if (!pattern_) return "";
  const std::vector<node_id> destinations =
      destinations_of(pattern_->weights(source), wiring().node_count(), source);
  return wire_name(wiring(), use().busiest_on_routes(routing(), config_.network.router.vcs, source, destinations));
}

}  // namespace toriscope
