// SPDX-License-Identifier: Apache-2.0
// The shapes for which the code of a cycle is compiled on its own.
#pragma once

#include "router/router_shape.h"

namespace toriscope {

/// Calls f(shape), with constants in the shape where it is a common one: up to 64 VCs, near wires, 4 VCs a port. For
/// the constants to count, f is a lambda that is always_inline.
template <class Function>
[[gnu::always_inline]] inline auto in_shape(router_shape n, Function f) {
  if (n.groups > 1) return f(n);
  if (!n.near) return f(router_shape{1, n.shift, false});
  if (n.shift != 2) return f(router_shape{1, n.shift, true});
  return f(router_shape{1, 2, true});
}

}  // namespace toriscope
