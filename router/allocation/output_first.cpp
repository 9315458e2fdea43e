// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/output_first.h"

namespace toriscope {

void output_first::allocate(const request_list& requests, tentative_grants& space, request_list& grants) const {
  pick_and_accept(requests, space, grants, [this](const allocation_request& a, const allocation_request& b) {
    return candidate_before(a, b);
  });
}

}  // namespace toriscope
