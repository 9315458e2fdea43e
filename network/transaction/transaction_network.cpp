// SPDX-License-Identifier: Apache-2.0
#include "network/transaction/transaction_network.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/words.h"
#include "network/packet_check.h"
#include "network/transaction/packet_model.h"
#include "topologies/routing_fit.h"

namespace toriscope {
namespace {

const network_config& checked(const network_config& config) {
  std::vector<std::string> errors = config.validate();
  const std::vector<std::string> more = transaction_config_errors(config);
  errors.insert(errors.end(), more.begin(), more.end());
  if (!errors.empty()) throw std::invalid_argument(joined(errors, "; "));
  return config;
}

}  // namespace

std::vector<std::string> transaction_config_errors(const network_config& config) {
  std::vector<std::string> errors;
  const auto refuse = [&errors](const char* what) {
    errors.push_back(std::string(what) + "; use --fidelity cycle");
  };
  if (config.router.pipeline == pipeline::paper2009)
    refuse("pipeline: the transaction level knows stage counts, not paper2009");
  if (!config.dead_links.empty()) refuse("fail-link: links cannot fail at the transaction level");
  if (config.wire_hash) refuse("wire-hash: at the transaction level there are no words on wires");
  return errors;
}

struct transaction_network::impl {
  impl(std::shared_ptr<const netlist> wiring, std::shared_ptr<const routing_function> routing,
       const network_config& c, const sc_core::sc_time& p)
      : config(checked(c)), period(p), model(std::move(wiring), std::move(routing), config) {}

  sc_core::sc_time time_of(cycle_t cycle) const {
    return sc_core::sc_time::from_value(cycle * period.value());
  }

  /// The first cycle whose edge is not before the present time.
  cycle_t cycle_of_time() const {
    if (!kernel) return reached;
    const sc_dt::uint64 now = sc_core::sc_time_stamp().value();
    return (now + period.value() - 1) / period.value();
  }

  void do_cycle(cycle_t now) {
    current = now;
    busy = true;
    std::size_t ready = 0;
    while (ready < staged.size() && staged[ready].second <= now) model.create(staged[ready++].first, now);
    staged.erase(staged.begin(), staged.begin() + static_cast<std::ptrdiff_t>(ready));
    if (source && source->next_packet_cycle(now) == now) {
      created.clear();
      source->packets_at(now, created);
      for (const packet_request& request : created) model.create(request, now);
    }
    if (model.next_event(now) == now) model.do_cycle(now);
    if (now >= look_at) look_for_deadlock(now, config.watchdog_cycles);
    busy = false;
    done = now + 1;
  }

  /// The next cycle in which there is something to do; `never`: nothing until a packet is created.
  cycle_t next_cycle() {
    cycle_t next = model.next_event(done);
    if (!staged.empty()) next = std::min(next, staged.front().second);
    if (source) next = std::min(next, source->next_packet_cycle(done));
    return next;
  }

  void look_for_deadlock(cycle_t now, cycle_t patience) {
    if (config.watchdog_cycles == 0) return;
    look_at = now + config.watchdog_cycles / 4 + 1;
    const std::vector<segment_id> frozen = model.frozen_heads(now, patience);
    if (!frozen.empty()) fail(now, frozen);
  }

  void fail(cycle_t now, const std::vector<segment_id>& frozen) {
    constexpr std::size_t shown = 8;
    network_failure f;
    f.what = network_failure::kind::deadlock;
    f.cycle = now;
    f.since = model.frozen_since(frozen, now);
    f.message = "deadlock since cycle " + std::to_string(f.since) + ": " + std::to_string(frozen.size()) +
                " heads wait for packets whose heads wait likewise (at the transaction level; "
                "--fidelity cycle names the wait-for cycle); found in cycle " +
                std::to_string(now);
    for (const segment_id head : frozen) {
      f.nodes.push_back(model.node_of(head));
      if (f.detail.size() < shown) f.detail.push_back(model.describe(head));
    }
    failure = std::make_unique<network_failure>(std::move(f));
    if (!kernel) return;
    if (config.on_failure == failure_action::stop)
      sc_core::sc_stop();
    else
      failed.notify(sc_core::SC_ZERO_TIME);
  }

  const network_config config;
  const sc_core::sc_time period;
  packet_model model;
  traffic_source* source = nullptr;
  sc_core::sc_event sent{"sent"};
  sc_core::sc_event failed{"failed"};
  std::vector<std::pair<packet_request, cycle_t>> staged;  ///< by processes, and when to create them
  std::vector<packet_request> created;
  cycle_t current = 0;  ///< being done, or last done
  cycle_t done = 0;     ///< all before
  cycle_t ahead_until = 0;
  cycle_t look_at = 0;  ///< when to look for a deadlock
  bool busy = false;
  bool kernel = true;
  cycle_t reached = 0;  ///< without a kernel: the cycles up to here are over
  std::unique_ptr<network_failure> failure;
};

transaction_network::transaction_network(const sc_core::sc_module_name& name,
                                         std::shared_ptr<const netlist> wiring,
                                         std::shared_ptr<const routing_function> routing,
                                         const network_config& config, const sc_core::sc_time& period)
    : sc_core::sc_module(name),
      impl_(std::make_unique<impl>(std::move(wiring), std::move(routing), config, period)) {
  impl_->look_at = config.watchdog_cycles;
  const std::string misfit = routing_misfit(this->wiring(), impl_->model.routing(), config.router.vcs,
                                            config.shared_classes ? 1 : config.message_classes);
  if (!misfit.empty()) throw std::invalid_argument(std::string(this->name()) + ": " + misfit);
  SC_METHOD(wake);
  SC_METHOD(tell_failure);
  sensitive << impl_->failed;
  dont_initialize();
}

transaction_network::~transaction_network() = default;

void transaction_network::wake() try {
  impl& i = *impl_;
  if (i.failure) return;
  cycle_t now = i.cycle_of_time();
  if (now < i.done) now = i.next_cycle();  // done ahead
  while (now != never && (now < i.ahead_until || i.time_of(now) <= sc_core::sc_time_stamp()))
    if (!do_cycle(now)) return;
  if (now == never)
    next_trigger(i.sent);
  else
    next_trigger(i.time_of(now) - sc_core::sc_time_stamp(), i.sent);
} catch (...) {
  thrown_ = std::current_exception();
  throw;
}

/// Does cycle `now`, which becomes the next one to do. Returns whether the network goes on.
bool transaction_network::do_cycle(cycle_t& now) {
  impl& i = *impl_;
  i.do_cycle(now);
  if (i.failure) return false;
  now = i.next_cycle();
  if (now == never && !idle() && i.config.watchdog_cycles > 0) i.look_for_deadlock(i.current, 0);
  return !i.failure;
}

void transaction_network::leave_kernel() { impl_->kernel = false; }

void transaction_network::run_without_kernel(cycle_t end) {
  impl& i = *impl_;
  i.ahead_until = end;
  i.done = std::max(i.done, i.reached);  // nothing happened in between
  for (cycle_t now = i.next_cycle(); now < i.ahead_until && !i.failure;) do_cycle(now);
  if (i.ahead_until == end && !i.failure) i.reached = end;
}

void transaction_network::tell_failure() { report_failure(name(), *failure()); }

const netlist& transaction_network::wiring() const { return impl_->model.wiring(); }
const network_config& transaction_network::config() const { return impl_->config; }
void transaction_network::add_sink(packet_sink* sink) { impl_->model.sinks().push_back(sink); }
void transaction_network::set_gate(reception_gate* gate) { impl_->model.set_gate(gate); }

void transaction_network::set_source(traffic_source* source) {
  impl& i = *impl_;
  i.source = source;
  if (!i.busy) i.done = cycles_done();
  if (i.kernel) i.sent.notify(sc_core::SC_ZERO_TIME);
}

void transaction_network::send(const packet_request& request) {
  impl& i = *impl_;
  check_packet(request, wiring().terminal_count(), i.config.message_classes);
  if (!i.kernel) return static_cast<void>(i.staged.emplace_back(request, cycles_done() + i.busy));
  // Where no process runs, the edge of the present time is still to come.
  const bool running = sc_core::sc_get_status() == sc_core::SC_RUNNING;
  const cycle_t next = running ? sc_core::sc_time_stamp().value() / i.period.value() + 1 : i.cycle_of_time();
  i.staged.emplace_back(request, std::max(next, i.done));
  i.sent.notify(sc_core::SC_ZERO_TIME);
}

cycle_t transaction_network::cycles_done() const {
  return impl_->busy ? impl_->current : std::max(impl_->done, impl_->cycle_of_time());
}

const network_counters& transaction_network::counters() const { return impl_->model.counters(); }
const packet_table& transaction_network::packets() const { return impl_->model.packets(); }
std::uint64_t transaction_network::packet_hash() const { return impl_->model.packet_hash(); }
std::uint64_t transaction_network::flits_sent(wire_id w) const { return impl_->model.flits_sent(w); }
bool transaction_network::idle() const { return impl_->model.packets().alive() == 0; }
const network_failure* transaction_network::failure() const { return impl_->failure.get(); }
std::string transaction_network::check_conservation() { return impl_->model.check_conservation(); }

void transaction_network::run_ahead_until(cycle_t end) { impl_->ahead_until = end; }
void transaction_network::stop_running_ahead() { impl_->ahead_until = 0; }

}  // namespace toriscope
