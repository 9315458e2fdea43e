// SPDX-License-Identifier: Apache-2.0
// Memory for the state of a network: nodes take exactly what their ports, VCs and depth need, one behind the
// other in node order, and everything is released at once.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

namespace toriscope {

using arena = std::pmr::monotonic_buffer_resource;

/// What the arena of a large network takes its memory from: huge pages for pieces of 2 MB and more, if the
/// system gives any. (A network of 4,096 nodes has more small pages than the processor keeps translations
/// of.)
std::pmr::memory_resource* huge_pages();

/// An array of n value-initialised objects that lives as long as the arena. Destructors are not run.
template <class T>
T* make_array(arena& memory, std::size_t n) {
  static_assert(std::is_trivially_destructible_v<T>);
  T* const first = static_cast<T*>(memory.allocate(n * sizeof(T), alignof(T)));
  for (std::size_t i = 0; i < n; ++i) new (first + i) T();
  return first;
}

/// One object that lives as long as the arena. Its destructor is not run.
template <class T, class... Args>
T* make_one(arena& memory, Args&&... args) {
  static_assert(std::is_trivially_destructible_v<T>);
  return new (memory.allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
}

}  // namespace toriscope
