// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/input_first.h"

namespace toriscope {

void input_first::allocate(const request_list& requests, tentative_grants& space, request_list& grants) const {
  for_each_requester(requests, [&](unsigned first, unsigned end) {
    unsigned best = first;
    for (unsigned r = first + 1; r < end; ++r)
      if (candidate_before(requests[r], requests[best])) best = r;
    space.propose(outputs_, requests, best);
  });
  for (const unsigned resource : space.resources()) grants.push_back(requests[space.of(resource)]);
  space.clear();
}

}  // namespace toriscope
