// SPDX-License-Identifier: Apache-2.0
// All arbiters and allocators, by name.
#pragma once

#include <vector>

#include "router/allocation/allocator.h"
#include "router/allocation/arbiter_array.h"

namespace toriscope {

struct arbiter_entry {
  arbiter_kind which;
  const char* name;
  const char* summary;  ///< one line
  arbiter_array& (*make)(arena& memory, unsigned arbiters, unsigned requesters);
};

struct allocator_entry {
  allocator_kind which;
  const char* name;
  const char* summary;  ///< one line
  allocator& (*make)(arena& memory, const allocator_shape& shape);
};

/// In the order of the enumerations, which the compiler checks.
const std::vector<arbiter_entry>& arbiter_entries();
const std::vector<allocator_entry>& allocator_entries();

/// Equal arbiters, in the state after a reset; they live as long as the arena.
arbiter_array& make_arbiters(arena& memory, arbiter_kind which, unsigned arbiters, unsigned requesters);
/// The same for an allocator.
allocator& make_allocator(arena& memory, allocator_kind which, const allocator_shape& shape);

}  // namespace toriscope
