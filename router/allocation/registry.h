// SPDX-License-Identifier: Apache-2.0
// All arbiters and allocators there are, by name.
#pragma once

#include <vector>

#include "router/allocation/allocation_policy.h"
#include "router/allocation/arbiter_array.h"

namespace toriscope {

struct arbiter_kind {
  arbiter which;
  const char* name;
  const char* summary;  ///< one line
  arbiter_array* (*make)(arena& memory, unsigned arbiters, unsigned requesters);
};

struct allocator_kind {
  allocator which;
  const char* name;
  const char* summary;  ///< one line
  allocation_policy* (*make)(arena& memory, const allocation_shape& shape);
};

/// In the order of the enumerations.
const std::vector<arbiter_kind>& arbiter_kinds();
const std::vector<allocator_kind>& allocator_kinds();

/// A bank of equal arbiters, in the state after a reset; it lives as long as the arena.
arbiter_array& make_arbiters(arena& memory, arbiter which, unsigned arbiters, unsigned requesters);
/// The same for an allocator.
allocation_policy& make_allocation(arena& memory, allocator which, const allocation_shape& shape);

}  // namespace toriscope
