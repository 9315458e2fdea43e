// SPDX-License-Identifier: Apache-2.0
// What carries packets from node to node, at whatever fidelity: flit by flit (network.h) or packet by packet
// (transaction/transaction_network.h). Traffic, measurement and TLM-2.0 sockets need no more than this, so
// that nothing changes for them with the fidelity.
//
//   time     a cycle is a period of the clock that the network is bound to
//   numbers  packets are numbered in order of creation; within a cycle, those of send() in the order of the
//            calls, then those of the traffic source in the order in which it names them
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "network/failure.h"
#include "network/network_config.h"
#include "network/traffic_source.h"
#include "router/network_state.h"
#include "topologies/netlist.h"
#include "topologies/wire_place.h"

namespace toriscope {

class packet_network {
 public:
  virtual ~packet_network() = default;

  virtual const netlist& wiring() const = 0;
  virtual const network_config& config() const = 0;

  // --- traffic ---
  /// Asks `source` in every cycle from now on; null: no source.
  virtual void set_source(traffic_source* source) = 0;
  /// Tells `sink` of every packet received, in its cycle.
  virtual void add_sink(packet_sink* sink) = 0;
  /// Limited reception: asks `gate` whether packets may be received; null: they all may. To be set before the
  /// first cycle.
  virtual void set_gate(reception_gate* gate) = 0;
  /// From a process: a packet to be created in the next cycle (a write, as to a register).
  /// @throws std::invalid_argument for a node or message class that does not exist, or a packet without flits
  virtual void send(const packet_request& request) = 0;

  // --- results ---
  /// Cycles done: the number of rising edges so far.
  virtual cycle_t cycles_done() const = 0;
  virtual const network_counters& counters() const = 0;
  virtual const packet_table& packets() const = 0;
  /// Sum mod 2^64 over packets received of mix(source, destination, created, tail received).
  virtual std::uint64_t packet_hash() const = 0;
  /// Flits sent so far over a wire (topologies/wire_place.h): a link of the netlist, or the injection or
  /// ejection link of a node.
  virtual std::uint64_t flits_sent(wire_id w) const = 0;
  /// All packets created so far have been received, refused or discarded.
  virtual bool idle() const = 0;
  /// Not null when the network found a deadlock or a broken invariant; what happens then is up to
  /// network_config::on_failure.
  virtual const network_failure* failure() const = 0;
  /// Walks all that must never be lost. Empty: all right; else one line.
  virtual std::string check_conservation() = 0;
  /// What a source, sink or gate threw in a cycle: SystemC's kernel makes an sc_report of it, which has only its text.
  /// Null: nothing.
  const std::exception_ptr& thrown() const { return thrown_; }

 protected:
  std::exception_ptr thrown_;
};

}  // namespace toriscope
