// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/separable.h"

#include "router/allocation/registry.h"

namespace toriscope {

separable::separable(arena& memory, const allocation_shape& shape)
    : inputs_(make_arbiters(memory, shape.arbiter, shape.asking, shape.choices)),
      outputs_(make_arbiters(memory, shape.arbiter, shape.asked, shape.asking)) {}

void separable::count(const allocation_request& grant, bool) {
  inputs_.granted(grant.asking, grant.choice);
  outputs_.granted(grant.asked, grant.asking);
}

}  // namespace toriscope
