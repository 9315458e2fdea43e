// SPDX-License-Identifier: Apache-2.0
// VA of the plain pipelines: separable input-first VC allocation with round-robin arbiters (docs/model.md, step 3).
#pragma once

#include "router/router_state.h"

namespace toriscope {

/// Grants output VCs to the input VCs in to_allocate; winners move to `granted`. An output VC is available when it is
/// in `free` and not in `full`. Of use only where va_worthwhile.
void allocate_vcs(router_state& r);

}  // namespace toriscope
