// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/allocator.h"

#include <algorithm>

namespace toriscope {

unsigned allocate_in_iterations(const allocator& one, unsigned iterations, request_list& requests,
                                tentative_grants& space, request_list& grants) {
  one.allocate(requests, space, grants);
  const auto first = static_cast<unsigned>(grants.size());
  for (unsigned i = 1; i < iterations; ++i) {
    const auto is_over = [&grants](const allocation_request& r) {
      return std::any_of(grants.begin(), grants.end(), [&r](const allocation_request& g) {
        return g.requester == r.requester || g.resource == r.resource;
      });
    };
    requests.erase(std::remove_if(requests.begin(), requests.end(), is_over), requests.end());
    if (requests.empty()) break;
    one.allocate(requests, space, grants);
  }
  return first;
}

}  // namespace toriscope
