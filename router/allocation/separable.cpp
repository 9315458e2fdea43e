// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/separable.h"

#include "router/allocation/registry.h"

namespace toriscope {

separable::separable(arena& memory, const allocator_shape& shape)
    : inputs_(make_arbiters(memory, shape.arbiter, shape.requesters, shape.candidates)),
      outputs_(make_arbiters(memory, shape.arbiter, shape.resources, shape.requesters)) {}

void separable::update_priorities(const allocation_request& grant, bool) {
  inputs_.granted(grant.requester, grant.candidate);
  outputs_.granted(grant.resource, grant.requester);
}

void separable::archive(state_archive& a, const allocator_shape& shape) {
  inputs_.archive(a, shape.requesters, shape.candidates);
  outputs_.archive(a, shape.resources, shape.requesters);
}

}  // namespace toriscope
