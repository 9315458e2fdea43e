// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/islip.h"

#include "router/allocation/registry.h"

namespace toriscope {

islip::islip(arena& memory, const allocator_shape& shape)
    : separable(memory, shape),
      accept_(shape.shared_outputs ? &make_arbiters(memory, shape.arbiter, shape.requesters, shape.resources)
                                   : nullptr) {}

/// Of the resources that picked a requester, the one accepted; of its candidates for that one, the one sent.
void islip::allocate(const request_list& requests, tentative_grants& space, request_list& grants) const {
  pick_and_accept(requests, space, grants, [this](const allocation_request& a, const allocation_request& b) {
    return accept_ && a.resource != b.resource
               ? accept_->before(a.requester, {a.resource, a.packet}, {b.resource, b.packet})
               : candidate_before(a, b);
  });
}

void islip::update_priorities(const allocation_request& grant, bool first_iteration) {
  if (first_iteration) outputs_.granted(grant.resource, grant.requester);
  if (first_iteration && accept_) accept_->granted(grant.requester, grant.resource);
  if (first_iteration || accept_) inputs_.granted(grant.requester, grant.candidate);
}

void islip::archive(state_archive& a, const allocator_shape& shape) {
  separable::archive(a, shape);
  if (accept_) accept_->archive(a, shape.requesters, shape.resources);
}

}  // namespace toriscope
