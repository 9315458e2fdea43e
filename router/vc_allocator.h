// SPDX-License-Identifier: Apache-2.0
// VA: separable input-first VC allocation with round-robin arbiters (docs/model.md, step 3).
#pragma once

#include <cstdint>

#include "router/input_unit.h"
#include "router/network_state.h"
#include "router/output_unit.h"

namespace toriscope {

/// The ports of a router as its stages see them; the local port is the last. The masks say which input ports
/// a stage has to look at (bit p).
struct router_ports {
  input_unit* in = nullptr;
  output_unit* out = nullptr;
  unsigned count = 0;
  unsigned vcs = 0;
  std::uint32_t occupied = 0;     ///< holds a flit
  std::uint32_t to_route = 0;     ///< has VCs in to_route
  std::uint32_t to_allocate = 0;  ///< has VCs in to_allocate
  std::uint32_t to_latch = 0;     ///< has VCs in routed or granted
  std::uint32_t sending = 0;      ///< output ports (bit p) of narrow links that a flit still occupies
  bool va_worthwhile = false;  ///< since VA last found nothing, an output VC came free or somebody new asks
};

/// Grants output VCs to the input VCs in to_allocate; winners move to `granted`.
/// An output VC can be had when it is in `free` and not in `full`. Of use only where va_worthwhile.
void allocate_vcs(router_ports& ports, network_state& chip);

}  // namespace toriscope
