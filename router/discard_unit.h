// SPDX-License-Identifier: Apache-2.0
// What a router needs from the moment on that one of its links is dead (docs/model.md, "Dead links"): which
// output ports are, which input VCs give up their packet, and the credits of what they gave up in this cycle.
// Routers without a dead link have none.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "topologies/route.h"

namespace toriscope {

struct discard_unit {
  discard_unit(arena& memory, unsigned ports)
      : discarding(make_array<vc_mask>(memory, ports)), freed(make_array<vc_mask>(memory, ports)) {}

  std::uint32_t dead = 0;         ///< output ports (bit p)
  std::uint32_t busy = 0;         ///< input ports with VCs in `discarding`
  std::uint32_t freed_ports = 0;  ///< input ports with VCs in `freed`
  vc_mask* discarding;            ///< by input port: VCs that give up a packet; they are in `active`, too
  vc_mask* freed;                 ///< by input port: slots freed in this cycle, whose credits are to be sent

  /// The freed slots of port p, which the caller sends the credits of.
  vc_mask take_freed(unsigned p) {
    const vc_mask taken = freed[p];
    freed[p] = 0;
    freed_ports &= ~(1u << p);
    return taken;
  }
};

}  // namespace toriscope
