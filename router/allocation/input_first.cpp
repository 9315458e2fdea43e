// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/input_first.h"

#include "router/allocation/registry.h"

namespace toriscope {

input_first::input_first(arena& memory, const allocation_shape& shape)
    : inputs_(make_bank(memory, shape.arbiter, shape.asking, shape.choices)),
      outputs_(make_bank(memory, shape.arbiter, shape.asked, shape.asking)) {}

void input_first::match(const request_list& requests, picks& space, request_list& grants) const {
  for_each_asking(requests, [&](unsigned first, unsigned end) {
    unsigned best = first;
    for (unsigned r = first + 1; r < end; ++r)
      if (inputs_.before(requests[r].asking, {requests[r].choice, requests[r].packet},
                         {requests[best].choice, requests[best].packet}))
        best = r;
    space.put(outputs_, requests, best);
  });
  for (const unsigned asked : space.asked()) grants.push_back(requests[space.of(asked)]);
  space.clear();
}

void input_first::count(const allocation_request& grant, bool) {
  inputs_.granted(grant.asking, grant.choice);
  outputs_.granted(grant.asked, grant.asking);
}

}  // namespace toriscope
