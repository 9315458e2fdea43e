// SPDX-License-Identifier: Apache-2.0
#include "router/allocation/islip.h"

#include "router/allocation/registry.h"

namespace toriscope {

islip::islip(arena& memory, const allocation_shape& shape)
    : inputs_(make_bank(memory, shape.arbiter, shape.asking, shape.choices)),
      outputs_(make_bank(memory, shape.arbiter, shape.asked, shape.asking)),
      accept_(shape.shared_outputs ? &make_bank(memory, shape.arbiter, shape.asking, shape.asked) : nullptr) {
}

void islip::match(const request_list& requests, picks& space, request_list& grants) const {
  for (unsigned r = 0; r < requests.size(); ++r) space.put(outputs_, requests, r);
  for_each_asking(requests, [&](unsigned first, unsigned end) {
    // Of those asked for that picked this one, the one accepted; of its choices for that one, the one sent.
    const allocation_request* best = nullptr;
    for (unsigned r = first; r < end; ++r) {
      const allocation_request& request = requests[r];
      if (requests[space.of(request.asked)].asking != request.asking) continue;  // another was picked
      if (!best) {
        best = &request;
        continue;
      }
      const bool same = request.asked == best->asked || !accept_;
      const bool better =
          same
              ? inputs_.before(request.asking, {request.choice, request.packet}, {best->choice, best->packet})
              : accept_->before(request.asking, {request.asked, request.packet}, {best->asked, best->packet});
      if (better) best = &request;
    }
    if (best) grants.push_back(*best);
  });
  space.clear();
}

void islip::count(const allocation_request& grant, bool first) {
  if (first) outputs_.granted(grant.asked, grant.asking);
  if (first && accept_) accept_->granted(grant.asking, grant.asked);
  if (first || accept_) inputs_.granted(grant.asking, grant.choice);
}

}  // namespace toriscope
