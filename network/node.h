// SPDX-License-Identifier: Apache-2.0
// A node: an sc_module with a network interface and a router, the model's or another one.
#pragma once

#include <string>
#include <systemc>

#include "network/node_account.h"
#include "network/wire_table.h"
#include "router/network_interface.h"
#include "router/router.h"
#include "topologies/netlist.h"

namespace toriscope {

/// What a node is built with. The references outlive the node.
struct node_context {
  node_id id;
  const netlist& wiring;
  network_state& network;  ///< configuration, routing, layout, packet table, wake calendar
  wire_table& wires;   ///< the wires of the netlist and of the local ports; a node makes those that it reads
};

/// Interface of a node. The clock domain steps it in the cycles in which something may happen to it.
class node : public sc_core::sc_module {
 public:
  /// @param core  the model's router; null when something else stands in its place
  node(const sc_core::sc_module_name& name, const node_context& context, router* core = nullptr);

  node_id id() const { return id_; }
  network_interface& ni() { return ni_; }
  const network_interface& ni() const { return ni_; }

  /// The model's router; null when something else stands in its place.
  router* core() { return core_; }
  const router* core() const { return core_; }

  /// What entered and left, where the router is not the model's; null: it is the
  /// model's, or the node keeps none.
  virtual const node_account* account() const { return nullptr; }
  /// The run is over. @returns what the router has done wrong that showed in no cycle; empty: nothing
  virtual std::string at_end() const { return {}; }

  /// Flits sent over the link that leaves by port p since the start.
  virtual std::uint64_t flits_sent(port_id p) const = 0;

  /// All nodes of the network have been built: wires that other nodes read can be connected now.
  virtual void connect(const node_context& context);

  /// Does cycle `now`: takes what the wires show, sends what is due. Returns whether it has something to do
  /// in now+1 even if nothing arrives.
  virtual bool step(cycle_t now) { return ni_.step(now, arrivals(now)); }

  /// Fetch what step() will look at into the caches: the node itself, some nodes later its ports that
  /// something arrives at, and again later their wires.
  [[gnu::always_inline]] void prefetch() const {
    const char* const state = reinterpret_cast<const char*>(&reader_);
    for (unsigned line = 0; line < state_lines; ++line) __builtin_prefetch(state + line * 64);
  }
  [[gnu::always_inline]] void prefetch_ports(cycle_t now) const {
    if (core_) core_->prefetch_ports(reader_.arrivals(now));
  }
  [[gnu::always_inline]] void prefetch_wires(cycle_t now) const {
    if (core_) core_->prefetch_wires(reader_.arrivals(now));
  }
  [[gnu::always_inline]] void prefetch_buffers(cycle_t now) const {
    if (core_) core_->prefetch_buffers(reader_.arrivals(now), now);
  }

  /// Whether something that can be observed in the node will change in the next cycle although step() need
  /// not be called.
  virtual bool changes_by_itself() const { return false; }

 protected:
  /// What the wires of the node show in cycle `now`.
  arrival_mask arrivals(cycle_t now) const { return reader_.arrivals(now); }

 private:
  /// Cache lines from reader_ to the end of a model_node.
  static constexpr unsigned state_lines =
      (sizeof(arrival_schedule) + sizeof(network_interface) + sizeof(router)) / 64 + 1;

  node_id id_;
  router* core_;
  arrival_schedule reader_;
  network_interface ni_;
};

/// A node with the model's router.
class model_node : public node {
 public:
  model_node(const sc_core::sc_module_name& name, const node_context& context);

  std::uint64_t flits_sent(port_id p) const override { return router_.flits_sent(p); }
  void connect(const node_context& context) override;
  bool step(cycle_t now) override;
  bool changes_by_itself() const override { return router_.has_flits_in_output_registers(); }

 private:
  router router_;
};

}  // namespace toriscope
