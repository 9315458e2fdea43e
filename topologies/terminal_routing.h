// SPDX-License-Identifier: Apache-2.0
// Routing between terminals by a routing function that knows nodes only: to the node that the destination hangs on, and
// there out by its local port.
#pragma once

#include <memory>

#include "topologies/netlist.h"

namespace toriscope {

class terminal_routing final : public routing_function {
 public:
  /// @param nodes  of this wiring, whose destinations are nodes and whose local port is the first one
  terminal_routing(std::shared_ptr<const netlist> wiring, std::shared_ptr<const routing_function> nodes);

  unsigned route(const route_request& request, route_option* options) const override;
  unsigned state_bits() const override { return nodes_->state_bits(); }
  route_state injection_states() const override { return nodes_->injection_states(); }
  bool takes_states_in_turn() const override { return nodes_->takes_states_in_turn(); }
  unsigned options_at_most() const override { return nodes_->options_at_most(); }
  vc_mask escape_vcs() const override { return nodes_->escape_vcs(); }

 private:
  std::shared_ptr<const netlist> wiring_;
  std::shared_ptr<const routing_function> nodes_;
};

/// The routing function of a network: `nodes` itself where each node has one terminal.
std::shared_ptr<const routing_function> between_terminals(std::shared_ptr<const netlist> wiring,
                                                          std::shared_ptr<const routing_function> nodes);

}  // namespace toriscope
