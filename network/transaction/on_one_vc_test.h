// SPDX-License-Identifier: Apache-2.0
// For tests: a routing that can freeze.
#pragma once

#include "topologies/route.h"

namespace toriscope {

/// Every packet stays on the VC that it came in by.
struct on_one_vc final : routing_function {
  explicit on_one_vc(const routing_function& r) : safe(r) {}
  unsigned route(const route_request& request, route_option* options) const override {
    const unsigned count = safe.route(request, options);
    for (unsigned k = 0; k < count; ++k) options[k].vcs = static_cast<vc_mask>(1u << request.in_vc);
    return count;
  }
  unsigned state_bits() const override { return safe.state_bits(); }
  const routing_function& safe;
};

}  // namespace toriscope
