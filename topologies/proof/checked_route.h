// SPDX-License-Identifier: Apache-2.0
// A routing function asked with suspicion: what it answers is looked at before it is believed.
#pragma once

#include <stdexcept>
#include <string>

#include "topologies/netlist.h"
#include "topologies/route.h"
#include "topologies/vc_classes.h"

namespace toriscope {

class checked_route {
 public:
  /// @param vcs  of each port, as the routing function was made for
  checked_route(const netlist& net, const routing_function& routing, unsigned vcs)
      : net_(net), routing_(routing), beyond_vcs_(~static_cast<unsigned>(all_vcs(vcs))) {
    state_bits_ = routing.state_bits();
    most_ = routing.options_at_most();
    if (most_ > routing_function::max_options) throw std::logic_error("too many options at most");
    if (state_bits_ > 31) throw std::logic_error("more than 31 bits of route state");
  }

  /// Writes the options and returns how many.
  /// @throws std::logic_error when the routing function does what it may not (see path.h)
  unsigned operator()(const route_request& request, route_option* options) const {
    const unsigned count = routing_.route(request, options);
    if (count == 0 || count > most_) refuse(request, "wrong number of options");
    const port_range ports = net_.ports(request.node);
    for (unsigned i = 0; i < count; ++i) {
      const route_option& option = options[i];
      if (option.vcs == 0 || (option.vcs & beyond_vcs_) != 0) refuse(request, "no such VC");
      if (option.out_port >= net_.port_count(request.node)) {
        refuse(request, "no such port");
      } else if (option.out_port >= ports.size()) {
        if (net_.leaving(request.node, option.out_port) != request.destination)
          refuse(request, "leaves the network there");
      } else if (ports[option.out_port].out == no_link) {
        refuse(request, "a port without an outgoing link");
      } else if ((option.state >> state_bits_) != 0) {
        refuse(request, "a state beyond its bits");
      }
    }
    return count;
  }

  unsigned state_bits() const { return state_bits_; }
  route_state injection_states() const { return routing_.injection_states(); }

 private:
  [[noreturn]] void refuse(const route_request& request, const char* what) const {
    throw std::logic_error("route to " + net_.terminal_address(request.destination) + " at " +
                           net_.address(request.node) + ": " + what);
  }

  const netlist& net_;
  const routing_function& routing_;
  unsigned beyond_vcs_;
  unsigned state_bits_ = 0;
  unsigned most_ = 0;
};

}  // namespace toriscope
