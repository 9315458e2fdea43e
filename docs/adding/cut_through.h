// SPDX-License-Identifier: Apache-2.0
// A flow control in 20 lines: virtual cut-through (Kermani & Kleinrock 1979). VA grants an output VC only while the
// buffer behind it has room for a whole packet.
#pragma once

#include "router/allocation/round_robin_vc_allocation.h"

namespace toriscope {

inline void allocate_vcs_with_room(router_state& r, unsigned packet_flits) {
  vc_set withheld[max_ports + 1];
  for (unsigned o = 0; o < r.ports; ++o) {
    output_unit& out = r.out[o];
    if (!out.credits_in) continue;  // a terminal takes every flit
    for (const unsigned v : out.free)
      if (out.credits[v] < packet_flits) withheld[o].add(v);
    out.free -= withheld[o];
  }
  allocate_vcs(r);
  for (unsigned o = 0; o < r.ports; ++o) {
    r.out[o].free |= withheld[o];
    if (withheld[o]) r.va_worthwhile = true;  // a credit that comes back may make room
  }
}

}  // namespace toriscope
