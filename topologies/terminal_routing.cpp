// SPDX-License-Identifier: Apache-2.0
#include "topologies/terminal_routing.h"

#include <utility>

namespace toriscope {

terminal_routing::terminal_routing(std::shared_ptr<const netlist> wiring,
                                   std::shared_ptr<const routing_function> nodes)
    : wiring_(std::move(wiring)), nodes_(std::move(nodes)) {}

unsigned terminal_routing::route(const route_request& request, route_option* options) const {
  const netlist_terminal to = wiring_->terminal(request.destination);
  route_request between = request;
  between.destination = to.exit;
  if (wiring_->is_local(request.node, request.in_port)) between.in_port = wiring_->local_port(request.node);
  const unsigned count = nodes_->route(between, options);
  for (unsigned k = 0; k < count; ++k)
    if (wiring_->is_local(request.node, options[k].out_port)) options[k].out_port = to.exit_port;
  return count;
}

std::shared_ptr<const routing_function> between_terminals(std::shared_ptr<const netlist> wiring,
                                                          std::shared_ptr<const routing_function> nodes) {
  if (wiring->has_plain_terminals()) return nodes;
  return std::make_shared<terminal_routing>(std::move(wiring), std::move(nodes));
}

}  // namespace toriscope
