// SPDX-License-Identifier: Apache-2.0
#include "testbenches/c_api/stepped_network.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/text_file.h"
#include "network/packet_check.h"
#include "testbenches/simulation/cosim/lockstep_probe.h"
#include "testbenches/simulation/cosim/node_selection.h"
#include "testbenches/simulation/simulate.h"
#include "topologies/wire_place.h"
#include "traces/wave_options.h"

namespace toriscope {
namespace {

/// "@FILE" names a file.
named_config config_of(const std::string& json) {
  if (json.empty() || json[0] != '@') return config_from_text(json, "configuration");
  const std::string file = json.substr(1);
  return config_from_text(text_of_file(file, file), file);
}

simulation simulation_of(const named_config& named) { return simulation(named.config, named.given); }

}  // namespace

stepped_network::stepped_network(const std::string& json, bool with_traffic, bool allow_deadlock,
                                 const std::string& outside)
    : run_(simulation_of(config_of(json))), with_traffic_(with_traffic) {
  deadlock_check_settings check;
  check.allow_deadlock = allow_deadlock;
  run_.deadlock_report(check);
  run_.leave_kernel();
  if (outside.empty())
    run_.elaborate();
  else
    elaborate_around(outside);
  net_ = &run_.packet_net();
  net_->add_sink(this);
}

stepped_network::~stepped_network() {
  const simulation_context::entry here(run_.context());
  waves_.clear();
}

// --- step by step ---

packet_id stepped_network::inject(const packet_request& request) {
  if (has_run_) throw std::logic_error("the network has done its run; create another one to inject packets");
  const traffic_config& t = run_.config().traffic;
  if (with_traffic_ &&
      (t.mode == traffic_mode::request_reply || !t.flows.empty() ||
       (!t.file.empty() && (t.file_timing == file_timing::dependencies || t.reply_queue > 0))))
    throw std::invalid_argument(
        "traffic of requests, flows, dependencies or reply queues counts its own packets only; create the "
        "network without TORISCOPE_WITH_TRAFFIC to inject others");
  check_packet(request, run_.wiring().terminal_count(), net_->config().message_classes);
  const packet_id id = net_->packets().created() + injected_.size();
  injected_.push_back(request);
  if (with_traffic_) own_.insert(id);
  return id;
}

/// Traffic is attached late, because run_as_configured() attaches its own.
void stepped_network::begin() {
  if (begun_) return;
  begun_ = true;
  if (with_traffic_) run_.attach_traffic();
  net_->set_source(this);
}

void stepped_network::not_in_watcher(const char* may_not) const {
  if (busy_) throw std::logic_error(std::string("a watcher may not ") + may_not);
}

template <class Advance>
void stepped_network::advance(Advance advance) {
  std::optional<simulation_context::entry> here;
  if (wave_is_on_)
    here.emplace(run_.context());  // which begins to observe links at the beginning of its window
  struct busy {
    explicit busy(bool& b) : flag(b) { flag = true; }
    ~busy() { flag = false; }
    bool& flag;
  } const now(busy_);
  advance();
}

void stepped_network::step(cycle_t cycles) {
  not_in_watcher("step the network that it watches");
  if (has_run_) throw std::logic_error("the network has done its run; create another one to step");
  if (cycles > ~cycle_t{0} - net_->cycles_done())
    throw std::invalid_argument("cannot do " + std::to_string(cycles) + " cycles after " +
                                std::to_string(net_->cycles_done()) + "; cycles are numbered below 2^64");
  if (cycles == 0) return;
  advance([&] {
    begin();
    run_.step_to(net_->cycles_done() + cycles);
  });
}

bool stepped_network::receive(toriscope_packet& packet) {
  if (ended_.empty()) return false;
  packet = ended_.front();
  ended_.pop_front();
  return true;
}

void stepped_network::packets_at(cycle_t now, std::vector<packet_request>& out) {
  out.insert(out.end(), injected_.begin(), injected_.end());
  injected_.clear();
  if (with_traffic_) run_.traffic().packets_at(now, out);
}

cycle_t stepped_network::next_packet_cycle(cycle_t from) const {
  if (!injected_.empty()) return from;
  return with_traffic_ ? const_cast<simulation&>(run_).traffic().next_packet_cycle(from) : ~cycle_t{0};
}

void stepped_network::packet_received(packet_id id, const packet_record& record, cycle_t received) {
  const cycle_t latency = received - record.created;
  sums_.latency_least = sums_.packets_received == 0 ? latency : std::min(sums_.latency_least, latency);
  sums_.latency_most = std::max(sums_.latency_most, latency);
  sums_.latency_sum += latency;
  sums_.network_latency_sum += received - record.head_sent;
  sums_.hops_sum += record.hops;
  ++sums_.packets_received;
  end(id, record, received, TORISCOPE_RECEIVED);
}

void stepped_network::packet_refused(packet_id id, const packet_record& record) {
  end(id, record, record.created, TORISCOPE_REFUSED);
}

void stepped_network::packet_discarded(packet_id id, const packet_record& record, node_id, port_id,
                                       cycle_t discarded) {
  end(id, record, discarded, TORISCOPE_DISCARDED);
}

void stepped_network::end(packet_id id, const packet_record& record, cycle_t ended, unsigned fate) {
  if (has_run_ || (with_traffic_ && own_.erase(id) == 0)) return;
  const cycle_t sent = record.sent() ? record.head_sent : 0;
  ended_.push_back({id, record.created, sent, ended, record.source, record.destination, record.flits,
                    record.hops, record.message_class, fate});
}

// --- pins ---

void stepped_network::elaborate_around(const std::string& outside) {
  if (run_.config().fidelity == fidelity::transaction)
    throw std::invalid_argument(
        "routers are not simulated at the transaction level; expected fidelity 'cycle'");
  outside_ = select_nodes(run_.wiring(), outside);
  outside_nodes_.resize(outside_.size());
  run_.elaborate([this](const char* name, const node_context& context) -> std::unique_ptr<node> {
    const auto place = std::lower_bound(outside_.begin(), outside_.end(), context.id);
    if (place == outside_.end() || *place != context.id) return nullptr;
    auto made = std::make_unique<outside_node>(name, context);
    outside_nodes_[static_cast<std::size_t>(place - outside_.begin())] = made.get();
    return made;
  });
}

std::pair<wire_id, wire_id> stepped_network::wires_of(node_id n, port_id p) {
  const netlist& wiring = run_.wiring();
  if (n >= wiring.node_count())
    throw std::invalid_argument("there is no node " + std::to_string(n) + "; expected 0 .. " +
                                std::to_string(wiring.node_count() - 1));
  if (p >= wiring.port_count(n))
    throw std::invalid_argument("node " + std::to_string(n) + " has no port " + std::to_string(p) +
                                "; expected 0 .. " + std::to_string(wiring.port_count(n) - 1));
  return {wire_into(wiring, n, p), wire_out_of(wiring, n, p)};
}

stepped_network::port_words stepped_network::shown(node_id n, port_id p) {
  const auto [in, out] = wires_of(n, p);
  const network& net = flits();
  const cycle_t now = net.cycles_done();
  port_words words{};
  if (in != no_wire) words.flit = net.flits_on(in).shown(now);
  if (out != no_wire)
    if (const credit_wire* credits = net.credits_of(out)) words.credits = credits->shown(now);
  return words;
}

/// What is sent in t is what the wire shows in t + D: routers put words into it before they send them.
stepped_network::port_words stepped_network::sent(node_id n, port_id p) {
  const auto [in, out] = wires_of(n, p);
  const network& net = flits();
  port_words words{};
  const cycle_t last = net.cycles_done() - 1;  // before cycle 0: that of which every wire shows nothing
  if (out != no_wire) {
    const flit_wire& wire = net.flits_on(out);
    words.flit = wire.shown(last + wire.delay_cycles());
  }
  if (in != no_wire)
    if (const credit_wire* credits = net.credits_of(in))
      words.credits = credits->shown(last + credits->delay_cycles());
  return words;
}

const std::vector<node_id>& stepped_network::nodes(const std::string& patterns) {
  if (patterns != patterns_ || named_.empty()) {
    named_ = select_nodes(run_.wiring(), patterns);
    patterns_ = patterns;
  }
  return named_;
}

std::string stepped_network::difference(node_id n, port_id p, flit_word flit, std::uint32_t credits) {
  const netlist& wiring = run_.wiring();
  const network& net = flits();
  if (net.cycles_done() == 0) throw std::logic_error("no cycle is done; call toriscope_step() first");
  const port_words expected = p < wiring.port_count(n) ? sent(n, p) : port_words{};
  pin_difference d{net.cycles_done() - 1, n,         p, pin_difference::pins::flit_o,
                   expected.flit.bits,    flit.bits, {}};
  if (flit == expected.flit) {
    if (credits == expected.credits.vcs) return {};
    d.what = pin_difference::pins::credit_o;
    d.model = expected.credits.vcs;
    d.rtl = credits;
  }
  return to_string(d, wiring, net.layout());
}

void stepped_network::drive(node_id n, port_id p, const port_words& words) {
  wires_of(n, p);
  const auto place = std::lower_bound(outside_.begin(), outside_.end(), n);
  if (place == outside_.end() || *place != n)
    throw std::invalid_argument("the router of " + run_.wiring().name() + "." + run_.wiring().path(n) +
                                " is the model's; name the node when you create the network");
  outside_nodes_[static_cast<std::size_t>(place - outside_.begin())]->drive(p, words.flit, words.credits);
}

// --- statistics ---

toriscope_statistics stepped_network::statistics_so_far() const {
  const network_counters& c = net_->counters();
  toriscope_statistics s = sums_;
  s.cycles = net_->cycles_done() - cleared_;
  s.packets_created = c.packets_created - before_.packets_created;
  s.packets_discarded = c.packets_discarded - before_.packets_discarded;
  s.packets_refused = c.packets_refused - before_.packets_refused;
  s.flits_created = c.flits_created - before_.flits_created;
  s.flits_injected = c.flits_injected - before_.flits_injected;
  s.flits_ejected = c.flits_ejected - before_.flits_ejected;
  s.flits_discarded = c.flits_discarded - before_.flits_discarded;
  s.under_way = net_->packets().alive();
  s.packet_hash = net_->packet_hash();
  return s;
}

void stepped_network::clear_statistics() {
  sums_ = {};
  before_ = net_->counters();
  cleared_ = net_->cycles_done();
}

// --- a whole run ---

void stepped_network::run_as_configured() {
  not_in_watcher("run the network that it watches");
  if (begun_ || !injected_.empty() || has_run_)
    throw std::logic_error(
        "a run needs a network that has done no cycle and has no packets; create another one");
  if (!outside_.empty())
    throw std::logic_error(
        "routers of the caller need toriscope_step(), cycle by cycle; toriscope_run() has none");
  advance([&] {
    has_run_ = true;
    run_.run();
    has_results_ = true;
  });
}

std::string stepped_network::results() const {
  if (!has_results_) throw std::logic_error("no run has ended; call toriscope_run() first");
  report r = run_.results();
  r.wires = run_.use().lists();
  return as_json(r);
}

// --- signals and waves ---

network& stepped_network::flits() { return run_.net(); }

signal_watch& stepped_network::signals() {
  if (!signals_) signals_ = std::make_unique<signal_watch>(flits());
  return *signals_;
}

void stepped_network::watch(const std::string& pattern, toriscope_watcher watcher, void* user) {
  const auto begin = [&] { signals().watch(pattern, watcher, user); };
  busy_ ? begin() : advance(begin);  // it calls the watcher at once
}

void stepped_network::wave_on(const std::string& spec, const std::string& file) {
  not_in_watcher("begin a waveform of the network that it watches; begin it before the step");
  if (wave_is_on_) throw std::logic_error("a waveform is written already; end it with toriscope_wave_off()");
  wave_options options;
  parse_wave_spec(spec, options);
  options.file = file;
  const cycle_t present = net_->cycles_done();
  if (options.to < present)
    throw std::invalid_argument("'" + spec + "': the window ends before the present cycle, " +
                                std::to_string(present) + "; expected one that ends at " +
                                std::to_string(present) + " or later");
  options.from = std::max(options.from, present);
  const simulation_context::entry here(run_.context());
  waves_.push_back(std::make_unique<wave_writer>(flits(), options));
  wave_is_on_ = true;
}

void stepped_network::wave_off() {
  if (!wave_is_on_) return;
  wave_is_on_ = false;
  const simulation_context::entry here(run_.context());
  const bool begun = waves_.back()->begun();
  waves_.back()->close();
  if (!begun) throw std::logic_error("the window of the waveform has not begun; no file was written");
}

}  // namespace toriscope
