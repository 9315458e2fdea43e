// SPDX-License-Identifier: Apache-2.0
// A flow control in 20 lines: virtual cut-through (Kermani & Kleinrock 1979). VA grants an output VC only while the
// buffer behind it has room for a whole packet.
#pragma once

#include "router/allocation/round_robin_vc_allocation.h"

namespace toriscope {

inline void allocate_vcs_with_room(router_state& r, unsigned packet_flits) {
  vc_numbers withheld[router_shape::most_groups];
  for (unsigned g = 0; g < r.shape.groups; ++g) {
    for (const unsigned place : r.out_sets[g].free) {
      const unsigned j = g * 64 + place;                 // the output VC's number
      if (!r.out[r.shape.port(j)].credits_in) continue;  // a terminal takes every flit
      if (r.credits[j] < packet_flits) withheld[g].add(place);
    }
    r.out_sets[g].free -= withheld[g];
  }
  allocate_vcs(r);
  for (unsigned g = 0; g < r.shape.groups; ++g) {
    r.out_sets[g].free |= withheld[g];
    if (withheld[g]) r.va_worthwhile = true;  // a credit that comes back may make room
  }
}

}  // namespace toriscope
