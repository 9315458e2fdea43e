// SPDX-License-Identifier: Apache-2.0
// VA: separable input-first VC allocation with round-robin arbiters (docs/model.md, step 3).
#pragma once

#include <cstdint>

#include "router/chip_context.h"
#include "router/input_unit.h"
#include "router/output_unit.h"

namespace toriscope {

/// The ports of a router as its stages see them; the local port is the last.
struct router_ports {
  input_unit* in = nullptr;
  output_unit* out = nullptr;
  unsigned count = 0;
  unsigned vcs = 0;
  std::uint32_t occupied = 0;  ///< bit p: input port p holds a flit
};

/// Grants output VCs to the input VCs in to_allocate; winners move to `granted`.
/// An output VC can be had when it is in `free` and not in `full`.
void allocate_vcs(const router_ports& ports, chip_context& chip);

}  // namespace toriscope
