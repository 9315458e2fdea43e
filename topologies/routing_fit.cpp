// SPDX-License-Identifier: Apache-2.0
#include "topologies/routing_fit.h"

#include <array>

#include "topologies/vc_classes.h"

namespace toriscope {

std::string routing_misfit(const netlist& net, const routing_function& routing, unsigned vcs,
                           unsigned message_classes) {
  const unsigned there = net.vcs_of(net.terminal(0).exit, vcs);
  const unsigned of_class = there / message_classes;
  const auto ejected_on = [&](unsigned in_vc) {
    std::array<route_option, routing_function::max_options> options{};
    const netlist_terminal to = net.terminal(0);
    // At the node where it leaves, as if it had just entered there.
    routing.route({to.exit, net.local_port(to.exit), static_cast<std::uint8_t>(in_vc), 0, 0}, options.data());
    return options[0].vcs;
  };
  for (unsigned c = 0; c < message_classes; ++c) {
    const unsigned first = c * of_class;
    const auto own = static_cast<vc_mask>(all_vcs(of_class) << first);
    const vc_mask named = ejected_on(first);
    const bool too_few = named != own && (named & ~own) == 0 && ejected_on(first + of_class - 1) == named;
    if ((named & ~own) == 0 && !too_few) continue;
    return "the routing function was made for " + std::to_string(vc_set(named).size()) +
           " VCs in a message class, the network has " + std::to_string(of_class) + " (" +
           std::to_string(vcs) + " VCs, " + std::to_string(message_classes) + " message class" +
           (message_classes == 1 ? "" : "es") +
           " with VCs of their own); topology_options and network_config must agree on vcs and "
           "message_classes";
  }
  return {};
}

}  // namespace toriscope
