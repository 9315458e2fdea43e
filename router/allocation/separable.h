// SPDX-License-Identifier: Apache-2.0
// What the separable allocators share: arbiters of the requesters, arbiters of the resources, and the two halves of an
// allocation.
#pragma once

#include "router/allocation/allocator.h"

namespace toriscope {

class separable : public allocator {
 public:
  separable(arena& memory, const allocator_shape& shape);
  void update_priorities(const allocation_request& grant, bool first_iteration) override;
  void archive(state_archive& a, const allocator_shape& shape) override;

 protected:
  /// Whether `a` comes before `b`, another candidate of the same requester.
  bool candidate_before(const allocation_request& a, const allocation_request& b) const {
    return inputs_.before(a.requester, {a.candidate, a.packet}, {b.candidate, b.packet});
  }

  /// Each resource picks one of its requesters; each requester accepts, by `before`, one of its requests that were
  /// picked.
  template <class Before>
  void pick_and_accept(const request_list& requests, tentative_grants& space, request_list& grants,
                       Before before) const {
    for (unsigned r = 0; r < requests.size(); ++r) space.propose(outputs_, requests, r);
    for_each_requester(requests, [&](unsigned first, unsigned end) {
      const allocation_request* best = nullptr;
      for (unsigned r = first; r < end; ++r) {
        const allocation_request& request = requests[r];
        if (requests[space.of(request.resource)].requester != request.requester) continue;  // another was picked
        if (!best || before(request, *best)) best = &request;
      }
      if (best) grants.push_back(*best);
    });
    space.clear();
  }

  arbiter_array& inputs_;   ///< of the requesters, over their candidates
  arbiter_array& outputs_;  ///< of the resources, over the requesters
};

}  // namespace toriscope
