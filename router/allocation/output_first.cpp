// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/output_first.h"

#include "router/allocation/registry.h"

namespace toriscope {

output_first::output_first(arena& memory, const allocation_shape& shape)
    : inputs_(make_bank(memory, shape.arbiter, shape.asking, shape.choices)),
      outputs_(make_bank(memory, shape.arbiter, shape.asked, shape.asking)) {}

void output_first::match(const request_list& requests, picks& space, request_list& grants) const {
  for (unsigned r = 0; r < requests.size(); ++r) space.put(outputs_, requests, r);
  for_each_asking(requests, [&](unsigned first, unsigned end) {
    const allocation_request* best = nullptr;
    for (unsigned r = first; r < end; ++r) {
      const allocation_request& request = requests[r];
      if (requests[space.of(request.asked)].asking != request.asking) continue;  // another was picked
      if (!best ||
          inputs_.before(request.asking, {request.choice, request.packet}, {best->choice, best->packet}))
        best = &request;
    }
    if (best) grants.push_back(*best);
  });
  space.clear();
}

void output_first::count(const allocation_request& grant, bool) {
  inputs_.granted(grant.asking, grant.choice);
  outputs_.granted(grant.asked, grant.asking);
}

}  // namespace toriscope
