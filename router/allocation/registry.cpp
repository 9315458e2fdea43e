// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/registry.h"

#include <iterator>

#include "router/allocation/age_arbiters.h"
#include "router/allocation/input_first.h"
#include "router/allocation/islip.h"
#include "router/allocation/matrix_arbiters.h"
#include "router/allocation/output_first.h"
#include "router/allocation/round_robin_arbiters.h"

namespace toriscope {
namespace {

template <class Arbiters>
arbiter_array& arbiters(arena& memory, unsigned count, unsigned requesters) {
  return *make_one<Arbiters>(memory, memory, count, requesters);
}

template <class Allocator>
allocator& one(arena& memory, const allocator_shape& shape) {
  return *make_one<Allocator>(memory, memory, shape);
}

constexpr arbiter_entry all_arbiters[] = {
    {arbiter_kind::round_robin, "round_robin", "the first at or after a pointer", arbiters<round_robin_arbiters>},
    {arbiter_kind::matrix, "matrix", "the one granted least recently", arbiters<matrix_arbiters>},
    {arbiter_kind::age, "age", "the one with the oldest packet", arbiters<age_arbiters>},
};

constexpr allocator_entry all_allocators[] = {
    {allocator_kind::input_first, "input_first", "separable: inputs pick, then outputs", one<input_first>},
    {allocator_kind::output_first, "output_first", "separable: outputs pick, then inputs", one<output_first>},
    {allocator_kind::islip, "islip", "grant and accept, some iterations a cycle (McKeown 1999)", one<islip>},
};

// An enumerator that is missing here is a warning of the compiler; an entry that is missing or misplaced an error.
constexpr std::size_t place(arbiter_kind a) {
  switch (a) {
    case arbiter_kind::round_robin:
    case arbiter_kind::matrix:
    case arbiter_kind::age:
      return static_cast<std::size_t>(a);
  }
  return ~std::size_t{0};
}
constexpr std::size_t place(allocator_kind a) {
  switch (a) {
    case allocator_kind::input_first:
    case allocator_kind::output_first:
    case allocator_kind::islip:
      return static_cast<std::size_t>(a);
  }
  return ~std::size_t{0};
}
template <class Entry, std::size_t N, class Kind>
constexpr bool complete(const Entry (&entries)[N], Kind last) {
  for (std::size_t i = 0; i < N; ++i)
    if (place(entries[i].which) != i) return false;
  return place(last) + 1 == N;
}
static_assert(complete(all_arbiters, arbiter_kind::age));
static_assert(complete(all_allocators, allocator_kind::islip));

}  // namespace

const std::vector<arbiter_entry>& arbiter_entries() {
  static const std::vector<arbiter_entry> entries(std::begin(all_arbiters), std::end(all_arbiters));
  return entries;
}

const std::vector<allocator_entry>& allocator_entries() {
  static const std::vector<allocator_entry> entries(std::begin(all_allocators), std::end(all_allocators));
  return entries;
}

arbiter_array& make_arbiters(arena& memory, arbiter_kind which, unsigned count, unsigned requesters) {
  return all_arbiters[place(which)].make(memory, count, requesters);
}

allocator& make_allocator(arena& memory, allocator_kind which, const allocator_shape& shape) {
  return all_allocators[place(which)].make(memory, shape);
}

const char* to_string(allocator_kind a) { return all_allocators[place(a)].name; }
const char* to_string(arbiter_kind a) { return all_arbiters[place(a)].name; }

}  // namespace toriscope
