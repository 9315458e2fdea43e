// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/allocation_policy.h"

#include <algorithm>

namespace toriscope {

unsigned match_all(const allocation_policy& policy, unsigned iterations, request_list& requests, picks& space,
                   request_list& grants) {
  policy.match(requests, space, grants);
  const auto first = static_cast<unsigned>(grants.size());
  for (unsigned i = 1; i < iterations; ++i) {
    const auto is_over = [&grants](const allocation_request& r) {
      return std::any_of(grants.begin(), grants.end(), [&r](const allocation_request& g) {
        return g.asking == r.asking || g.asked == r.asked;
      });
    };
    requests.erase(std::remove_if(requests.begin(), requests.end(), is_over), requests.end());
    if (requests.empty()) break;
    policy.match(requests, space, grants);
  }
  return first;
}

}  // namespace toriscope
