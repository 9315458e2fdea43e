// SPDX-License-Identifier: Apache-2.0
// Dies on an interposer: the wiring and the routing of two networks put together. Any network is the die, any other the
// interposer; each terminal of the interposer network gives way to a die.
//
//   nodes      those of die 0, die 1 ..., in the order of the die's network: die3.01; then the interposer's routers:
//              interposer.2. Terminals are those of the dies; the interposer has none
//   gateways   nodes of the die with a terminal. At each of them port `interposer` leads up to the router that the die
//              hangs on, whose port to die 3 is `die3`, or `die3_0`, `die3_1` ... where a die has several gateways
//   links      on the dies, levels and values of the die's network. Those of the interposer, up and down stand above
//              the die's levels; they have a delay and a width of their own
//   routing    on a die, the die's. To another die: by the die's routing to the gateway nearest to the source, up, by
//              the interposer's routing, down at the gateway nearest to the destination, by the die's routing. Near
//              counts hops of the die's routing; of equally near gateways it is the first
//   deadlock   packets use one half of a die's VCs before the interposer and on the die that they start from, the other
//              half after it; the die's routing is made for half of the VCs. So channels are taken in the order first
//              half, up, interposer, down, second half: acyclic where the routings are. Links that no packet takes
//              after the interposer have both halves for the others: VC v + V/2 stands for v there
#pragma once

#include <memory>
#include <vector>

#include "topologies/netlist.h"

namespace toriscope {

/// A network with a routing function for `vcs` VCs.
struct routed_wiring {
  std::shared_ptr<const netlist> wiring;
  std::shared_ptr<const routing_function> routing;
  unsigned vcs = 0;
};

/// In both networks each terminal sends and receives at the same node.
struct chiplet_parts {
  routed_wiring interposer;
  routed_wiring die;              ///< for half of the interposer's VCs
  std::vector<node_id> gateways;  ///< nodes of the die that have a terminal; at least one, none twice
  std::uint16_t delay_cycles =
      4;  ///< of links of the interposer, up and down, where they have none of their own
  std::uint16_t width_bits = 32;  ///< likewise

  node_id dies() const { return interposer.wiring->terminal_count(); }
};

/// @throws std::invalid_argument when a node has too many ports
std::shared_ptr<netlist> build_chiplets(const chiplet_parts& parts);

std::shared_ptr<const routing_function> make_chiplets_routing(const chiplet_parts& parts);

}  // namespace toriscope
