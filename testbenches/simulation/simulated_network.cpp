// SPDX-License-Identifier: Apache-2.0
#include "testbenches/simulation/simulated_network.h"

#include <optional>

#include "network/transaction/transaction_network.h"

namespace toriscope {
namespace {

sc_core::sc_time period() { return {1, sc_core::SC_NS}; }

}  // namespace

simulated_network::simulated_network(const resolved_run& run, const network::node_factory& factory,
                                     const partition& part, simulation_context* context, cycle_t done)
    : context_(context) {
  std::optional<simulation_context::entry> here;
  if (context_) here.emplace(*context_);
  make(run, factory, part, done);
}

void simulated_network::make(const resolved_run& run, const network::node_factory& factory,
                             const partition& part, cycle_t done) {
  const topology& made = run.network;
  const char* const name = made.wiring->name().c_str();
  network_config settings = run.config.network;
  settings.on_failure = failure_action::stop;  // who runs it reports it
  if (run.config.fidelity == fidelity::transaction) {
    packets_ = std::make_unique<transaction_network>(name, made.wiring, made.routing, settings, period());
    packet_net_ = packets_.get();
    if (context_) packets_->leave_kernel();
    return;
  }
  if (!context_)
    clock_ = std::make_unique<sc_core::sc_clock>("clk", period(), 0.5, static_cast<double>(done) * period(), true);
  net_ = std::make_unique<network>(name, made.wiring, made.routing, settings, factory, part);
  if (context_)
    net_->leave_kernel(period());
  else
    net_->clk(*clock_);
  packet_net_ = net_.get();
}

simulated_network::~simulated_network() {
  std::optional<simulation_context::entry> here;
  if (context_) here.emplace(*context_);
  packets_.reset();
  net_.reset();
}

void simulated_network::run_to(cycle_t cycles) {
  if (context_) {
    if (packets_) return packets_->run_without_kernel(cycles);
    for (paused_ = false; !paused_ && net_->cycles_done() < cycles && !net_->failure();) net_->step();
    return;
  }
  // The edge of cycle t is at t ns: stop half a cycle before that of the first cycle that is not wanted.
  const sc_core::sc_time until = static_cast<double>(cycles) * period() - 0.5 * period();
  if (packets_) packets_->run_ahead_until(cycles);
  try {
    sc_core::sc_start(until - sc_core::sc_time_stamp());
  } catch (const sc_core::sc_report&) {
    if (packet_net_->thrown()) std::rethrow_exception(packet_net_->thrown());
    throw;
  }
}

void simulated_network::begin_after(cycle_t done) {
  if (!context_ && done > 1) sc_core::sc_start(static_cast<double>(done - 1) * period());
}

void simulated_network::pause() {
  paused_ = true;
  if (packets_) packets_->stop_running_ahead();
  if (!context_) sc_core::sc_pause();
}

traffic_counts simulated_network::counts() const {
  const network_counters& c = packet_net_->counters();
  const netlist& wiring = packet_net_->wiring();
  traffic_counts result{packet_net_->cycles_done(), c.flits_created, c.flits_ejected, c.packets_created, {}};
  result.wire_flits.reserve(wire_count(wiring));
  for (wire_id w = 0; w < wire_count(wiring); ++w) result.wire_flits.push_back(packet_net_->flits_sent(w));
  return result;
}

std::uint64_t simulated_network::flits_sent() const {
  std::uint64_t sum = 0;
  for (link_id l = 0; l < packet_net_->wiring().links().size(); ++l) sum += packet_net_->flits_sent(l);
  return sum;
}

}  // namespace toriscope
