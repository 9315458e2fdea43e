// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/input_first.h"

namespace toriscope {

void input_first::match(const request_list& requests, picks& space, request_list& grants) const {
  for_each_asking(requests, [&](unsigned first, unsigned end) {
    unsigned best = first;
    for (unsigned r = first + 1; r < end; ++r)
      if (choice_before(requests[r], requests[best])) best = r;
    space.put(outputs_, requests, best);
  });
  for (const unsigned asked : space.asked()) grants.push_back(requests[space.of(asked)]);
  space.clear();
}

}  // namespace toriscope
