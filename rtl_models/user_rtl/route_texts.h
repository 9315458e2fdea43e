// SPDX-License-Identifier: Apache-2.0
// The network's routes as texts, for routers with a table of their own: by destination, the number of the
// router's output port.
//
//   {routes} or {routes:BITS}   one SystemVerilog number, destination 0 in the lowest BITS bits
//   {routes:one_hot}            a bit per port in place of its number
//   {routes:reversed}           destination 0 in the highest bits; also {routes:one_hot:reversed}
//   {route_file}                the name of a file for $readmemh, a port number per line
//   limits   what the routing function says of packets injected at the node; a routing that looks at more
//            than the destination has no such table
#pragma once

#include <string>
#include <vector>

#include "rtl_models/user_rtl/adapter_config.h"
#include "topologies/netlist.h"
#include "topologies/route.h"

namespace toriscope {

class route_texts {
 public:
  route_texts(const netlist& wiring, const routing_function& routing, node_id node,
              const std::vector<adapter_config::port>& ports)
      : wiring_(wiring), routing_(routing), node_(node), ports_(ports) {}

  /// Puts the routes into a text that asks for them.
  /// @throws std::invalid_argument when they do not fit
  std::string fill(std::string text) const;

 private:
  std::vector<unsigned> table() const;
  struct form {
    unsigned bits = 0;  ///< of a destination
    bool one_hot = false, reversed = false;
  };
  form form_of(const std::string& asked) const;
  std::string concatenation(form f) const;
  std::string file() const;

  const netlist& wiring_;
  const routing_function& routing_;
  const node_id node_;
  const std::vector<adapter_config::port>& ports_;
};

}  // namespace toriscope
