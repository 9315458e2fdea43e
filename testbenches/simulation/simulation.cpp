// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/simulation.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/resources.h"
#include "base/text_hash.h"
#include "testbenches/simulation/configuration/parameters.h"
#include "testbenches/simulation/workloads/workload_registry.h"

namespace toriscope {

namespace {

constexpr cycle_t never = cycle_t{1} << 48;

/// Calls back for the last packet under way, which is still counted.
struct last_packet : packet_sink {
  last_packet(const packet_network& net, const workload& load, std::function<void()> then)
      : net_(net), load_(load), then_(std::move(then)) {}
  void packet_received(packet_id, const packet_record&, cycle_t) override { look(); }
  void packet_gone(packet_id, const packet_record&, cycle_t) override { look(); }
  void packet_refused(packet_id, const packet_record&) override { look(); }

 private:
  void look() const {
    if (net_.packets().alive() <= 1 && load_.all_created()) then_();
  }
  const packet_network& net_;
  const workload& load_;
  std::function<void()> then_;
};

/// Notes in which cycle the last packet so far has ended.
struct last_end : packet_sink {
  explicit last_end(cycle_t& cycle) : cycle_(cycle) {}
  void packet_received(packet_id, const packet_record&, cycle_t received) override { cycle_ = received; }
  void packet_gone(packet_id, const packet_record&, cycle_t gone) override { cycle_ = gone; }

 private:
  cycle_t& cycle_;
};

}  // namespace

simulation::simulation(const run_config& config, const explicit_parameters& given)
    : resident_before_(resident_bytes()) {
  const double start = cpu_seconds();
  run_ = resolve(config, given);
  const network_config& network = run_.config.network;
  measurement_config& m = run_.config.measurement;
  workload_ = make_workload({run_.config.traffic, m, given.warmup, given.cycles, network,
                             run_.config.topology.flit_bits, run_.network.wiring});
  m = workload_->measured();
  model_ = std::make_unique<zero_load_model>(run_.network.wiring, run_.network.routing, network);
  measurement_config window = m;
  if (m.precision > 0) {
    warmup_ = std::make_unique<warmup_watch>(std::max<cycle_t>(m.warmup_cycles, least_warmup));
    window.warmup_cycles = never;
  }
  measurement_ = std::make_unique<measurement>(window, wiring().terminal_count(), model_.get(),
                                               workload_->load(), network.message_classes);
  measurement_->know_links(wiring());
  elaborate_seconds_ = cpu_seconds() - start;
}

simulation::~simulation() = default;

void simulation::record_to(packet_writer& file) {
  recorder_ = std::make_unique<recording_source>(workload_->source(), workload_->answers(), file);
}

bool simulation::workload_has_causes() const { return workload_->has_causes(); }

const time_series& simulation::watch_over_time(cycle_t interval) {
  series_ = std::make_unique<time_series>(interval, wiring().terminal_count());
  return *series_;
}

void simulation::share(process_transport& transport) {
  ranks_ = std::make_unique<distributed_run>(transport, wiring());
}

void simulation::elaborate(const network::node_factory& factory) {
  const double start = cpu_seconds();
  net_ = std::make_unique<simulated_network>(run_, factory, ranks_ ? ranks_->part() : partition{}, context_.get(),
                                             resumed_.cycle);
  if (ranks_) ranks_->watch(*net_->flits());
  foreign_routers_ = factory && net_->flits() && net_->flits()->has_foreign_routers();
  if (!context_) {
    attach_measurement();
    attach_traffic();
  }
  if (!resumed_path_.empty()) resume();
  elaborate_seconds_ += cpu_seconds() - start;
  resident_elaborated_ = resident_bytes();
}

void simulation::leave_kernel() { context_ = std::make_unique<simulation_context>(); }

void simulation::attach_measurement() {
  packet_network& net = packet_net();
  net.add_sink(measurement_.get());
  if (warmup_) net.add_sink(warmup_.get());
  if (series_) net.add_sink(series_.get());
  if (!config().network.dead_links.empty()) net.add_sink(&lost_);
}

void simulation::attach_traffic() {
  packet_net().set_source(recorder_ ? recorder_.get() : &workload_->source());
  workload_->attach(packet_net());
}

packet_network& simulation::packet_net() { return net_->packet_net(); }

network& simulation::net() {
  if (!net_->flits()) throw std::logic_error("at the transaction level there are no nodes, links or flits");
  return *net_->flits();
}

void simulation::run() {
  progress none(false);
  run(none);
}

void simulation::run(progress& shown, std::function<bool()> checkpoint) {
  const double start = cpu_seconds();
  if (ranks_) ranks_->start();
  shown_ = &shown;
  checkpoint_ = checkpoint ? std::move(checkpoint) : [] { return true; };
  if (context_) {  // a network that is only stepped is not measured
    attach_measurement();
    attach_traffic();
  }
  run_all();
  measurement_->run_over(packet_net().packets(), ranks_ != nullptr);
  if (series_) series_->sample(packet_net().counters(), packet_net().cycles_done());
  totals_ = own_totals();
  totals_.cpu_us = static_cast<std::uint64_t>((cpu_seconds() - start) * 1e6);
  shown.clear();
  std::string wrong = failure() ? "" : packet_net().check_conservation();
  if (wrong.empty() && !failure() && foreign_routers_) wrong = net_->flits()->settle();
  if (ranks_) ranks_->gather(counts(), totals_, wrong);
  if (!wrong.empty()) {
    late_failure_ = std::make_unique<network_failure>();
    late_failure_->cycle = late_failure_->since = totals_.cycles;
    late_failure_->message =
        "broken invariant in cycle " + std::to_string(totals_.cycles) + ", at the end of the run: " + wrong;
  }
}

std::string simulation::input() const {
  return as_tree(config()).dump() + config().hashes_of_files() + hex_text(checksum_of(resumed_.state));
}

std::string simulation::has_no_state(bool shared) const {
  if (config().fidelity != fidelity::cycle) return "the state of the transaction level cannot be saved";
  if (shared && workload_->has_state_by_node()) return "the state of reply queues on several ranks cannot be saved";
  if (recorder_) return "the state of a run that records its packets cannot be saved";
  if (foreign_routers_) return "the state of routers in RTL cannot be saved";
  return workload_->has_no_state();
}

void simulation::save_state(cycle_t cycle, cycle_t interval, const std::string& path) {
  next_save_ = cycle;
  // An automatic one that the earlier run has passed is not saved again.
  if (interval > 0 && cycle <= resumed_.cycle) next_save_ += (resumed_.cycle - cycle) / interval * interval + interval;
  save_interval_ = interval;
  save_path_ = path;
  files_ = config().hashes_of_files();
}

void simulation::go_on_from(const std::string& path) {
  files_ = config().hashes_of_files();
  resumed_ = read_state_file(path, config(), files_);
  resumed_path_ = path;
}

void simulation::archive(state_archive& a) {
  net().archive(a);
  if (ranks_ && !a.reads()) ranks_->bring_together(counts());
  workload_->archive(a, net().cycles_done(), net().packets());
  measurement_->archive(a, routing().injection_states(), net().cycles_done());
  if (warmup_) warmup_->archive(a);
  lost_.archive(a, wiring());
  bool series = series_ != nullptr;
  a.number(series);
  if (a.reads() && !series && series_)
    throw std::invalid_argument("saved without --time-series; leave it out, or begin anew");
  if (series && series_) series_->archive(a, net().cycles_done());
  if (!series || series_) a.end();  // a run that does not go on with it leaves it
}

void simulation::save_if_due() {
  if (packet_net().cycles_done() != next_save_ || failure() || was_over_before(next_save_)) return;
  state_archive a;
  archive(a);
  net().end_archive(false);
  saved_at_ = net().cycles_done();
  write_state({saved_at_, a.bytes()});
  next_save_ = save_interval_ > 0 ? next_save_ + save_interval_ : ~cycle_t{0};
}

void simulation::write_state(const state_file& saved) const {
  if (!ranks_) return write_state_file(save_path_, config(), files_, saved);
  std::string wrong;
  try {
    if (ranks_->leads()) write_state_file(save_path_, config(), files_, saved);
  } catch (const std::runtime_error& error) {
    wrong = error.what();
  }
  ranks_->agree(wrong);
}

/// Ranks may do some cycles more before they know.
bool simulation::was_over_before(cycle_t cycle) {
  if (!ranks_ || !ranks_->over()) return false;
  return ranks_->length(last_ended(), least_cycles()) < cycle;
}

/// @returns what is wrong with it
std::string simulation::read_state() {
  try {
    if (const std::string why = has_no_state(ranks_ != nullptr); !why.empty()) return why;
    state_archive a(resumed_.state);
    archive(a);
    a.require(net().cycles_done() == resumed_.cycle, "it is of another cycle than its header says");
  } catch (const damaged_state& error) {
    return std::string("damaged: ") + error.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

void simulation::resume() {
  const auto check = [this](std::string wrong) {
    if (!wrong.empty()) wrong = "state " + resumed_path_ + ": " + wrong;
    if (ranks_) ranks_->agree(wrong);
    if (!wrong.empty()) throw std::invalid_argument(wrong);
  };
  check(read_state());
  if (ranks_) {
    const bool over = workload_->to_the_end() ? net().idle() && workload_->all_created() : measurement_->complete();
    const std::string wrong = net().end_archive(true);
    check(wrong.empty() ? wrong : "damaged: " + wrong);
    ranks_->go_on(counts(), over);
  }
  net_->begin_after(resumed_.cycle);
  resumed_hops_ = net_->flits_sent() + net().counters().flits_ejected;
  resumed_.state = {};
}

/// Which the run has, whenever its last packet arrives.
cycle_t simulation::least_cycles() const {
  return workload_->to_the_end() ? resumed_.cycle : measurement_->window_end();
}

/// The cycle in which the last packet that the run waits for has ended, as far as this rank knows.
cycle_t simulation::last_ended() const {
  return workload_->to_the_end() ? last_ended_ : measurement_->last_ended();
}

void simulation::run_all() {
  if (const std::optional<run_to_the_end> end = workload_->to_the_end()) return run_until_delivered(*end);
  warmup_ ? run_until_precise() : run_window();
}

run_totals simulation::own_totals() const {
  const packet_network& net = net_->packet_net();
  run_totals t;
  t.cycles = net.cycles_done();
  t.counters = net.counters();
  t.packet_hash = net.packet_hash();
  if (config().network.wire_hash) t.wire_hash = net_->flits()->wire_hash();
  t.flits_sent = net_->flits_sent() - resumed_hops_;
  if (foreign_routers_) t.in_foreign_routers = net_->flits()->in_foreign_routers();
  return t;
}

void simulation::run_window() {
  bool go_on = true;
  if (!measurement_->begun()) {
    go_on = run_to(config().measurement.warmup_cycles, "warm-up");
    measurement_->begin(net_->counts());
  }
  if (go_on)
    run_measured();
  else
    measurement_->end(net_->counts());
  if (ranks_) ranks_->end(last_ended(), least_cycles());
}

bool simulation::run_measured() {
  const cycle_t window_end = measurement_->window_end();
  bool go_on = true;
  if (!measurement_->ended()) {
    go_on = run_to(window_end, "measure");
    measurement_->end(net_->counts());
  }
  if (!go_on || complete()) return go_on;
  // The drain ends with the very cycle in which the last measured packet arrives: what is hashed must not
  // depend on how the run is cut into calls of sc_start.
  const auto pause = [this] { net_->pause(); };
  const auto ended = [this] { return last_ended(); };
  if (ranks_)
    ranks_->until_none([this] { return measurement_->outstanding(); }, ended, pause);
  else
    measurement_->when_complete(pause);
  bool asked_to_stop = false;
  run_to(window_end + config().measurement.drain_cycles, "drain", [&] {
    asked_to_stop = !checkpoint_();
    return !complete() && !asked_to_stop;
  });
  return !asked_to_stop && !failure();
}

void simulation::run_until_precise() {
  const measurement_config& m = config().measurement;
  const auto longest_from = [&m](cycle_t begin) { return m.max_cycles - std::min(m.max_cycles - 1, begin); };
  bool go_on = true;
  if (!measurement_->begun()) {
    cycle_t warm = std::max<cycle_t>(m.warmup_cycles, least_warmup);
    while (warm < resumed_.cycle) warm *= 2;
    go_on = run_to(warm, "warm-up");
    for (; go_on && !warmup_->ends_by(warm) && 4 * warm <= m.max_cycles; warm *= 2)
      go_on = run_to(2 * warm, "warm-up");
    cycle_t first = longest_from(packet_net().cycles_done());
    while (first > m.measure_cycles) first /= 2;
    measurement_->begin_late(net_->counts(), std::max<cycle_t>(first, 1), warmup_->ends_by(warm));
  }
  // The window is doubled until it is long enough; the longest one ends at max_cycles.
  const cycle_t begin = measurement_->window_begin();
  const cycle_t longest = longest_from(begin);
  cycle_t window = measurement_->measured_cycles();
  if (!go_on) return measurement_->end(net_->counts());
  while (run_measured() && complete() && !measurement_->precise()) {
    const backlog_growth grown = measurement_->growth();
    if (grown.growth > 3 * grown.standard_error) return;  // a longer run is not more precise
    do window *= 2;
    while (begin + window <= packet_net().cycles_done());
    if (window > longest) return;
    while (measurement_->measured_cycles() < window) measurement_->extend();
  }
}

/// All measured packets have arrived. Ranks know only after a window together.
bool simulation::complete() const { return ranks_ ? ranks_->over() : measurement_->complete(); }

/// The window ends in the cycle in which the last packet is delivered, or the last flit of a discarded one is given up.
void simulation::run_until_delivered(const run_to_the_end& end) {
  packet_network& net = packet_net();
  const auto delivered = [&] {
    return ranks_ ? ranks_->over() : net.cycles_done() > 0 && net.idle() && workload_->all_created();
  };
  if (!measurement_->begun()) measurement_->begin(net_->counts());
  const auto pause = [this] { net_->pause(); };
  if (ranks_) {
    last_ = std::make_unique<last_end>(last_ended_);
    ranks_->until_none(
        [&] {
          const network_counters& c = net.counters();
          return static_cast<std::int64_t>(c.flits_created - c.flits_ejected - c.flits_discarded);
        },
        [this] { return last_ended(); }, pause);
  } else {
    last_ = std::make_unique<last_packet>(net, *workload_, pause);
  }
  net.add_sink(last_.get());
  if (!delivered()) run_to(end.most, end.name, [&] { return !delivered() && checkpoint_(); });
  traffic_counts at_end = net_->counts();
  if (ranks_) at_end.cycle = ranks_->end(last_ended(), least_cycles());
  measurement_->end_early(std::move(at_end));
}

bool simulation::run_to(cycle_t cycles, const char* phase, const condition& go_on) {
  const packet_network& net = packet_net();
  cycle_t chunk = 64;
  while (net.cycles_done() < cycles && !failure()) {
    const double start = wall_seconds();
    cycle_t end = std::min(cycles, net.cycles_done() + chunk);
    if (series_) end = std::min(end, series_->next_sample());
    end = std::min(end, next_save_);
    if (ranks_) net_->flits()->meet_after(next_save_);
    net_->run_to(end);
    if (series_ && net.cycles_done() == series_->next_sample())
      series_->sample(net.counters(), net.cycles_done());
    save_if_due();
    const double took = wall_seconds() - start;
    if (took < 0.05 && chunk < cycles) chunk *= 2;
    if (took > 0.2 && chunk > 1) chunk /= 2;
    const network_counters& c = net.counters();
    const measurement_config& m = config().measurement;
    shown_->update(phase, net.cycles_done(), std::max(cycles, m.warmup_cycles + m.measure_cycles),
                   c.flits_injected - c.flits_ejected - c.flits_discarded, wiring().node_count(),
                   resumed_.cycle);
    if (!go_on()) return false;
  }
  return !failure();
}

const network_failure* simulation::failure() const {
  return late_failure_ ? late_failure_.get() : net_->packet_net().failure();
}

std::string simulation::deadlock_report(const deadlock_check_settings& settings) const {
  const flow_statistics* const flows = workload_->of_flows();
  const std::string summary =
      deadlock_summary(run_.network, config().routing_options(), config().network.router.vc_reallocation,
                       settings, flows ? &flows->flows() : nullptr);
  const std::string classes = shared_classes_warning(config());
  return classes.empty() ? summary : summary + '\n' + classes;
}

}  // namespace toriscope
