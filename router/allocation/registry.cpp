// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/registry.h"

#include "router/allocation/age_arbiters.h"
#include "router/allocation/input_first.h"
#include "router/allocation/islip.h"
#include "router/allocation/matrix_arbiters.h"
#include "router/allocation/output_first.h"
#include "router/allocation/round_robin_arbiters.h"

namespace toriscope {
namespace {

template <class Bank>
arbiter_array* bank(arena& memory, unsigned arbiters, unsigned requesters) {
  return make_one<Bank>(memory, memory, arbiters, requesters);
}

template <class Policy>
allocation_policy* policy(arena& memory, const allocation_shape& shape) {
  return make_one<Policy>(memory, memory, shape);
}

}  // namespace

const std::vector<arbiter_kind>& arbiter_kinds() {
  static const std::vector<arbiter_kind> kinds = {
      {arbiter::round_robin, "round_robin", "the first at or after a pointer", bank<round_robin_arbiters>},
      {arbiter::matrix, "matrix", "the one granted least recently", bank<matrix_arbiters>},
      {arbiter::age, "age", "the one with the oldest packet", bank<age_arbiters>},
  };
  return kinds;
}

const std::vector<allocator_kind>& allocator_kinds() {
  static const std::vector<allocator_kind> kinds = {
      {allocator::input_first, "input_first", "separable: inputs pick, then outputs", policy<input_first>},
      {allocator::output_first, "output_first", "separable: outputs pick, then inputs", policy<output_first>},
      {allocator::islip, "islip", "grant and accept, some iterations a cycle (McKeown 1999)", policy<islip>},
  };
  return kinds;
}

arbiter_array& make_arbiters(arena& memory, arbiter which, unsigned arbiters, unsigned requesters) {
  return *arbiter_kinds()[static_cast<std::size_t>(which)].make(memory, arbiters, requesters);
}

allocation_policy& make_allocation(arena& memory, allocator which, const allocation_shape& shape) {
  return *allocator_kinds()[static_cast<std::size_t>(which)].make(memory, shape);
}

const char* to_string(allocator a) { return allocator_kinds()[static_cast<std::size_t>(a)].name; }
const char* to_string(arbiter a) { return arbiter_kinds()[static_cast<std::size_t>(a)].name; }

}  // namespace toriscope
