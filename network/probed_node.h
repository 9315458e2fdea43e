// SPDX-License-Identifier: Apache-2.0
// A node whose router is watched from outside: a probe is called before and after each of its steps, and
// compares. The router itself knows nothing of it and counts nothing for it: a network without a probe pays
// nothing.
//
//   use     a node_factory builds probed nodes: network net(name, wiring, routing, config, probe_all(probe))
//   awake   the node is stepped in every cycle in which the probe wants to see it, also when the router could
//           sleep: that changes no result
#pragma once

#include <cstdint>
#include <vector>

#include "network/network.h"
#include "network/node.h"

namespace toriscope {

class probed_node;

/// What watches routers. Called in the evaluation phase, for one node after the other.
class router_probe {
 public:
  virtual ~router_probe() = default;
  /// The node is built and its wires are known.
  virtual void connected(const probed_node& node) = 0;
  /// The node is about to do cycle `now`: wires show what arrives, the state is that after the cycle before.
  virtual void before_step(const probed_node& node, cycle_t now) = 0;
  /// It has done cycle `now`. Returns whether it must be stepped in now+1 whatever happens.
  virtual bool after_step(const probed_node& node, cycle_t now) = 0;
};

class probed_node final : public concentrating_node {
 public:
  /// The wires of a port as the router sees them. A local port has those from and to an interface.
  struct port_wires {
    const flit_wire* in = nullptr;              ///< null: no incoming side
    const credit_wire* credits_back = nullptr;  ///< of `in`
    const flit_wire* out = nullptr;             ///< null: no outgoing side
    const credit_wire* credits_in = nullptr;    ///< for `out`; null: none, also where they are unlimited
    unsigned flit_cycles = 1;                   ///< F of the outgoing link
  };

  probed_node(const sc_core::sc_module_name& name, const node_context& context, router_probe& probe);

  void connect(const node_context& context) override;
  bool step(cycle_t now) override;
  bool is_stepped_with_others() const override { return false; }  // the probe is one for all

  using concentrating_node::arrivals;

  const network_state& network() const { return network_; }
  const router& watched() const { return *core(); }
  /// Port p; local ports are last.
  const port_wires& wires(port_id p) const { return ports_[p]; }

 private:
  const network_state& network_;
  router_probe& probe_;
  std::vector<port_wires> ports_;
};

/// Makes every node a probed one, but for those that `others` makes (null: none).
network::node_factory probe_all(router_probe& probe, network::node_factory others = {});

}  // namespace toriscope
