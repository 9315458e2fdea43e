// SPDX-License-Identifier: Apache-2.0
// The network of a run, at either fidelity, with its clock: the network has the name of its topology, the clock is
// "clk", a cycle 1 ns. It runs up to a cycle, and can be stopped in the midst of that. Without SystemC's kernel it does
// the cycles itself, in a simulation context of its own: then there is no limit of one elaboration per process.
#pragma once

#include <memory>

#include "network/network.h"
#include "network/simulation_context.h"
#include "testbenches/simulation/configuration/resolved_run.h"

namespace toriscope {

class transaction_network;

class simulated_network {
 public:
  /// @param factory  makes other nodes than the model's (network.h)
  /// @param part     what of it is simulated here
  /// @param context  null: in SystemC's own, with its kernel; it outlives the network
  /// @param done     the network will go on after this number of cycles of an earlier run (network::archive())
  /// @throws std::invalid_argument
  simulated_network(const resolved_run& run, const network::node_factory& factory, const partition& part,
                    simulation_context* context, cycle_t done);
  ~simulated_network();

  /// The network at either fidelity.
  packet_network& packet_net() const { return *packet_net_; }
  /// Null at the transaction level.
  network* flits() const { return net_.get(); }

  /// Goes on until the end of this many cycles, or until it is paused. @throws what sources, sinks and gates throw
  void run_to(cycle_t cycles);
  /// Of a network that goes on: time stands where it stood in the earlier run.
  void begin_after(cycle_t done);
  /// From a sink: run_to() ends with the cycle that is being done.
  void pause();
  traffic_counts counts() const;
  /// Over all links of the netlist.
  std::uint64_t flits_sent() const;

 private:
  void make(const resolved_run& run, const network::node_factory& factory, const partition& part, cycle_t done);

  simulation_context* context_;
  bool paused_ = false;  ///< without a kernel
  std::unique_ptr<sc_core::sc_clock> clock_;
  std::unique_ptr<network> net_;  ///< one of these two
  std::unique_ptr<transaction_network> packets_;
  packet_network* packet_net_ = nullptr;
};

}  // namespace toriscope
