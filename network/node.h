// SPDX-License-Identifier: Apache-2.0
// A node: an sc_module with a router, the model's or another one, and the network interfaces of its terminals.
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
  const router_kinds& kinds;

  const router_kind& kind() const { return kinds.of(id); }
};

/// Interface of a node. The clock domain steps it in the cycles in which something may happen to it.
class node : public sc_core::sc_module {
 public:
  /// @param core  the model's router; null when something else stands in its place
  node(const sc_core::sc_module_name& name, const node_context& context, router* core = nullptr);

  node_id id() const { return id_; }
  /// The interfaces of the terminals whose packets enter here; most nodes have one.
  unsigned ni_count() const { return has_interface_ + more_count_; }
  network_interface& ni(unsigned i = 0) { return i == 0 ? ni_ : more_[i - 1].ni; }
  const network_interface& ni(unsigned i = 0) const { return i == 0 ? ni_ : more_[i - 1].ni; }
  /// That of a terminal that hangs on this node.
  network_interface& ni_of(terminal_id t);
  const network_interface& ni_of(terminal_id t) const { return const_cast<node*>(this)->ni_of(t); }

  /// The model's router; null when something else stands in its place.
  router* core() { return core_; }
  const router* core() const { return core_; }

  /// What entered and left, where the router is not the model's; null: it is the
  /// model's, or the node keeps none.
  virtual const node_account* account() const { return nullptr; }
  /// The run is over. @returns what the router has done wrong that showed in no cycle; empty: nothing
  virtual std::string at_end() const { return {}; }
  /// The run is over, and the node does no more cycles with the network: a router that is not the model's goes on
  /// alone until it has returned its credits. @returns what is lost; empty: nothing
  virtual std::string settle() { return {}; }

  /// Flits sent over the link that leaves by port p since the start.
  virtual std::uint64_t flits_sent(port_id p) const = 0;

  /// All nodes of the network have been built: wires that other nodes read can be connected now.
  virtual void connect(const node_context& context);

  /// Does cycle `now`: takes what the wires show, sends what is due. Returns whether it has something to do
  /// in now+1 even if nothing arrives.
  virtual bool step(cycle_t now) { return step_interfaces(now); }

  /// Whether step() concerns no more than this node, its part of the network (network_part.h) and the wires that it
  /// sends on: then nodes of other parts may be stepped at the same time, by other threads. One node of which that is
  /// not known makes one thread step them all.
  virtual bool is_stepped_with_others() const { return false; }

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
  bool step_interfaces(cycle_t now) {
    const arrival_mask shown = arrivals(now);
    const bool busy = ni_.has_work(shown) && ni_.step(now, shown);
    return more_count_ == 0 ? busy : step_more(now) || busy;
  }
  /// The interfaces behind the first. Returns whether any has something to do in now+1.
  bool step_more(cycle_t now);

  /// What the wires of the node show in cycle `now`.
  arrival_mask arrivals(cycle_t now) const { return reader_.arrivals(now); }

 private:
  /// Cache lines from reader_ to the end of a model_node.
  static constexpr unsigned state_lines =
      (sizeof(arrival_schedule) + sizeof(network_interface) + sizeof(router)) / 64 + 1;

  node_id id_;
  router* core_;
  /// A network interface with a schedule of its own.
  struct interface_beside {
    interface_beside(terminal_id t, const node_context& c);
    arrival_schedule reader;
    network_interface ni;
  };

  arrival_schedule reader_;  ///< of the router and of ni_
  network_interface ni_;     ///< of the first terminal; nothing ever arrives at it where there is none
  interface_beside* more_ = nullptr;
  std::uint16_t more_count_ = 0;
  bool has_interface_ = false;
};

/// A node with the model's router.
class model_node : public node {
 public:
  model_node(const sc_core::sc_module_name& name, const node_context& context);

  std::uint64_t flits_sent(port_id p) const override { return router_.flits_sent(p); }
  void connect(const node_context& context) override;
  bool step(cycle_t now) override;
  bool changes_by_itself() const override { return router_.has_flits_in_output_registers(); }
  bool is_stepped_with_others() const override { return true; }

 protected:
  bool step_router(cycle_t now) {
    const arrival_mask shown = arrivals(now);
    return router_.has_work(shown) && router_.step(now, shown);
  }

 private:
  router router_;
};

/// The same with several terminals.
class concentrating_node : public model_node {
 public:
  using model_node::model_node;
  bool step(cycle_t now) override {
    const bool interfaces_busy = step_interfaces(now);
    return step_router(now) || interfaces_busy;
  }
};

}  // namespace toriscope
