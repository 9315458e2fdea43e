// SPDX-License-Identifier: Apache-2.0
// An output port: ownership and credits of the VCs downstream, and the output register.
#pragma once

#include <cstdint>

#include "links/wire.h"
#include "topologies/route.h"

namespace toriscope {

/// One VC of an output port.
struct output_vc {
  std::uint16_t va_pointer = 0;  ///< the input VC i = p*V + v that is granted first
  std::uint8_t owner_port = 0;   ///< the input VC that owns it, when not free
  std::uint8_t owner_vc = 0;
  std::uint8_t credits = 0;  ///< free slots downstream; not counted where credits are unlimited
};

struct output_unit {
  flit_wire* out = nullptr;           ///< null: the port has no outgoing side
  credit_wire* credits_in = nullptr;  ///< null: unlimited credits (the local port)
  output_vc* vcs = nullptr;
  flit_word* buffers = nullptr;  ///< paper2009: one for each VC; else null
  flit_word staged;              ///< four_stage: granted by SA, sent in the next cycle
  std::uint64_t sent = 0;        ///< flits sent since the start

  vc_mask free = 0;      ///< owned by nobody
  vc_mask draining = 0;  ///< regrant drained: the tail has left, credits are still out
  vc_mask drained = 0;   ///< the last credit came back in this cycle
  vc_mask full = 0;      ///< paper2009: the VC's buffer holds a flit
  vc_mask filled = 0;    ///< paper2009: ... since this cycle
  std::uint8_t sa_pointer = 0;
  std::uint8_t flit_cycles = 1;  ///< F: cycles that a flit occupies the link
  std::uint32_t free_from = 0;   ///< F > 1: low bits of the cycle from which on the port may be granted again
};

}  // namespace toriscope
