// SPDX-License-Identifier: Apache-2.0
// A routing function in 30 lines: x first, then y, in a mesh of rows and columns (the built-in one goes y
// first).
#pragma once

#include "topologies/netlist.h"

namespace toriscope {

class xy_routing : public routing_function {
 public:
  xy_routing(const netlist& mesh, unsigned vcs)
      : mesh_(mesh), columns_(mesh.radices()[1]), vcs_(vc_set::below(vcs).mask()) {}

  unsigned route(const route_request& at, route_option* options) const override {
    const unsigned x = at.node % columns_, to_x = at.destination % columns_;
    const unsigned y = at.node / columns_, to_y = at.destination / columns_;
    port_id out = mesh_.local_port(at.node);
    if (x != to_x)
      out = mesh_.port_named(at.node, x < to_x ? "x+" : "x-");
    else if (y != to_y)
      out = mesh_.port_named(at.node, y < to_y ? "y+" : "y-");
    options[0] = {out, vcs_, /*state*/ 0};
    return 1;
  }
  unsigned state_bits() const override { return 0; }

 private:
  const netlist& mesh_;
  unsigned columns_;
  vc_mask vcs_;
};

}  // namespace toriscope
