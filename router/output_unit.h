// SPDX-License-Identifier: Apache-2.0
// The output side of a router: its ports, who owns their VCs, and how many free slots these have downstream.
#pragma once

#include <cstdint>

#include "links/delay_line.h"
#include "router/router_shape.h"

namespace toriscope {

/// The sets of a group of output VCs.
struct output_sets {
  vc_numbers free;      ///< without an owner
  vc_numbers draining;  ///< vc_reallocation::atomic: the tail has left, credits are still out
  vc_numbers drained;   ///< the last credit came back in this cycle
  vc_numbers full;      ///< paper2009: the VC's buffer holds a flit
  vc_numbers filled;    ///< paper2009: ... since this cycle

  vc_numbers available() const { return free - full; }
};

/// One output VC.
struct output_vc {
  std::uint16_t owner = 0;       ///< the input VC that owns it, when not free
  std::uint16_t va_pointer = 0;  ///< the input VC that is granted first
};

struct output_unit {
  flit_wire* out = nullptr;           ///< null: the port has no outgoing side
  credit_wire* credits_in = nullptr;  ///< null: unlimited credits (the local port)
  std::uint64_t granted = 0;          ///< flits that SA (paper2009: LT) has let go since the start
  std::uint16_t sa_last = 63;         ///< the last input VC before SA's pointer: those behind it go first
  std::uint16_t free_from = 0;   ///< F > 1: low bits of the cycle from which on the port may be granted again
  std::uint8_t flit_cycles = 1;  ///< F: cycles that a flit occupies the link
  std::uint8_t depth_behind = 0;   ///< slots of each VC downstream
  std::uint8_t plain_credits = 0;  ///< a credit that makes at most as many asks for nothing more
  std::uint8_t lt_pointer = 0;     ///< paper2009: the VC that LT sends first
};

}  // namespace toriscope
