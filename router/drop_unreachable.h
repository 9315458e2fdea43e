// SPDX-License-Identifier: Apache-2.0
// Dead links in a router (docs/model.md, "Dead links"): VA drops the options over them, a head without options is
// dropped with its packet, a flit per cycle at SA. Nothing here is called in a router without a dead link.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "links/flit.h"
#include "router/port_set.h"

namespace toriscope {

struct router_state;

/// What a router needs from the moment on that one of its links is dead.
struct dropped_packets {
  dropped_packets(arena& memory, unsigned ports)
      : vcs(make_array<vc_set>(memory, ports)), freed(make_array<vc_set>(memory, ports)) {}

  port_set dead;         ///< output ports
  port_set busy;         ///< input ports with VCs in `vcs`
  port_set freed_ports;  ///< input ports with VCs in `freed`
  vc_set* vcs;           ///< by input port: VCs that drop their packet; they are in `active`, too
  vc_set* freed;         ///< by input port: slots freed in this cycle, whose credits are to be sent

  /// The freed slots of port p, whose credits the caller sends.
  vc_set take_freed(unsigned p) {
    const vc_set taken = freed[p];
    freed[p] = {};
    freed_ports.remove(p);
    return taken;
  }
};

/// Part of VA: dead options go, and packets without one are dropped. A packet that already owns a VC of a dead output
/// port goes on.
void drop_dead_options(router_state& r, cycle_t now);
/// Part of SA, before anything is granted: one flit of every VC that drops its packet.
void drop_flits(router_state& r, cycle_t now);
/// After SA: the credits that no granted flit of the same port has taken along.
void return_credits(router_state& r, cycle_t now);

}  // namespace toriscope
