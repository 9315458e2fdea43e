// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/islip.h"

#include "router/allocation/registry.h"

namespace toriscope {

islip::islip(arena& memory, const allocation_shape& shape)
    : separable(memory, shape),
      accept_(shape.shared_outputs ? &make_arbiters(memory, shape.arbiter, shape.asking, shape.asked) : nullptr) {
}

/// Of those asked for that picked this one, the one accepted; of its choices for that one, the one sent.
void islip::match(const request_list& requests, picks& space, request_list& grants) const {
  pick_and_accept(requests, space, grants, [this](const allocation_request& a, const allocation_request& b) {
    return accept_ && a.asked != b.asked ? accept_->before(a.asking, {a.asked, a.packet}, {b.asked, b.packet})
                                         : choice_before(a, b);
  });
}

void islip::count(const allocation_request& grant, bool first) {
  if (first) outputs_.granted(grant.asked, grant.asking);
  if (first && accept_) accept_->granted(grant.asking, grant.asked);
  if (first || accept_) inputs_.granted(grant.asking, grant.choice);
}

}  // namespace toriscope
