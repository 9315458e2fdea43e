// SPDX-License-Identifier: Apache-2.0
// A network at transaction level: packets without flits, channels and VCs shared as docs/transaction_level.md
// says. It carries packets as `network` does, for the same traffic, sinks and sockets.
//
//   time     a cycle is `period`; cycle t is at t periods, as with a clock that rises at 0. There is no
//            clock: one process, which sleeps until the next cycle in which something is due
//   modules  one: no nodes, no links to be read, no waves
//   limits   see transaction_config_errors()
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "network/network_config.h"
#include "network/packet_network.h"

namespace toriscope {

/// What the transaction level cannot do of what the configuration asks for, a sentence each.
std::vector<std::string> transaction_config_errors(const network_config& config);

class transaction_network : public sc_core::sc_module, public packet_network {
 public:
  SC_HAS_PROCESS(transaction_network);

  /// @param routing  must be made for this netlist and for config.router.vcs VCs
  /// @throws std::invalid_argument with all that config.validate() and transaction_config_errors() say; when the
  /// routing was made for another number of VCs or message classes (topologies/routing_fit.h)
  transaction_network(const sc_core::sc_module_name& name, std::shared_ptr<const netlist> wiring,
                      std::shared_ptr<const routing_function> routing, const network_config& config,
                      const sc_core::sc_time& period = sc_core::sc_time(1, sc_core::SC_NS));
  ~transaction_network() override;

  const netlist& wiring() const override;
  const network_config& config() const override;
  void set_source(traffic_source* source) override;
  void add_sink(packet_sink* sink) override;
  void set_gate(reception_gate* gate) override;
  void send(const packet_request& request) override;

  cycle_t cycles_done() const override;
  const network_counters& counters() const override;
  const packet_table& packets() const override;
  std::uint64_t packet_hash() const override;
  /// Counts a packet when its last flit is sent.
  std::uint64_t flits_sent(wire_id w) const override;
  bool idle() const override;
  const network_failure* failure() const override;
  std::string check_conservation() override;

  /// The caller promises that until cycle `end` no process calls send() or looks at the network: its
  /// cycles up to there may be done in one go. Sinks and sources are called in order as ever, and
  /// cycles_done() tells them which cycle it is.
  void run_ahead_until(cycle_t end);
  /// Before the first cycle: no kernel ever runs for this network (docs/c_api.md), and a failure halts it alone.
  void leave_kernel();
  /// Then: does the cycles before `end`, or those up to a stop_running_ahead().
  void run_without_kernel(cycle_t end);
  /// From a sink or source: no cycle after this one is to be done ahead.
  void stop_running_ahead();

 private:
  void wake();
  bool do_cycle(cycle_t& now);
  void tell_failure();

  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace toriscope
