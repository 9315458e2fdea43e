// SPDX-License-Identifier: Apache-2.0
// A node: an sc_module with a network interface and a router, the model's or another one.
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "links/link.h"
#include "router/network_interface.h"
#include "router/router.h"
#include "topologies/netlist.h"

namespace toriscope {

/// What a node is built with. References outlive the node.
struct node_context {
  node_id id;
  const netlist& wiring;
  link_clock& clock;
  chip_context& chip;  ///< configuration, routing, layout, packet table, wake calendar
};

/// Interface of a node. The clock domain steps it in the cycles in which something may happen to it.
class node : public sc_core::sc_module {
 public:
  node(sc_core::sc_module_name name, const node_context& context);

  node_id id() const { return id_; }
  /// The links of the netlist that come in to this node, by port; null where the port has no incoming side.
  link* in(port_id port) { return in_links_[port].get(); }

  network_interface& ni() { return ni_; }
  const network_interface& ni() const { return ni_; }

  /// The model's router core; null when something else stands in its place.
  virtual router* core() { return nullptr; }
  const router* core() const { return const_cast<node*>(this)->core(); }

  /// Does cycle `now`: takes what the links show, sends what is due. Returns whether it has something to do
  /// in now+1 even if nothing arrives.
  virtual bool step(cycle_t now) = 0;

 protected:
  node_id id_;
  network_interface ni_;
  std::vector<std::unique_ptr<link>> in_links_;
};

}  // namespace toriscope
